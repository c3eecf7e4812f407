"""How campaigns, tracks and teams are written on pages."""

from django import template

from campaign.models import Visible
from campaign.services.permissions.visitors import shows_scores

register = template.Library()

HIDDEN = {
    Visible.AT_DEADLINE: "from the deadline on",
    Visible.AT_PUBLICATION: "when results are published",
    Visible.NEVER: "scores are not shown",
}
"""When the scores of a task that hides them can be seen."""


@register.inclusion_tag("evaluation/_leader.html")
def leader_of(task, leaders):
    """Write who has the highest score on a task's board, or why nobody is named."""
    found = leaders.get(task.pk)
    if found is None:
        told = "no run is scored yet" if shows_scores(task) else HIDDEN[task.other_scores_visible]
        return {"leaders": None, "why_none": told if task.traits.is_scored else "not scored here"}
    first = [place for place in found.places if place.rank == 1]
    return {"leaders": found, "task": task, "firsts": first, "value": f"{first[0].score:.4f}"}
