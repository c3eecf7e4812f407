"""What a task asks of its runs, as the check and the rankings read it."""

from limelight.rules.task_rules import Rules
from limelight.scoring.profiles import resolve


def rules_of(task):
    """Return the rules that a task's kind and settings make."""
    return Rules(
        kind=task.kind,
        result_limit=task.result_limit,
        topic_budget=task.topic_budget,
        article_budget=task.article_budget,
        name=task.name,
        order=resolve(task.kind, task.profile, task.parameters)["order"] if task.traits.ranks_by_score else "lines",
    )
