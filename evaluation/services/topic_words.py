"""What a page about a topic says in words: how teams fared, and what is not shown and from when on."""

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from campaign.models import Visible
from campaign.services.permissions.seeing import hiding_assessments
from limelight.analysis.statistics.reference_lines import LEAST_TEAMS
from limelight.wording import counted, ordinal, spelled

WHEN = {
    Visible.AT_DEADLINE: "from the deadline on",
    Visible.AT_PUBLICATION: "once the results are published",
}
NOBODY = "to nobody"


@dataclass(frozen=True, slots=True)
class Hidden:
    """What a page leaves out, or who has it left out; from when on it is shown, and that moment where it is known."""

    what: str
    when: str
    moment: datetime | None = None


def fared(numbers, field, topic_count):
    """Say how teams fared on a topic, as (what is marked, the rest).

    A place among the topics is the median's: the lowest is not called the hardest.
    """
    if field.median is None:
        there = f"{'is' if field.team_count == 1 else 'are'} {spelled(field.team_count, 'team')}"
        return "Too few teams:", f"a median over teams needs at least {spelled(LEAST_TEAMS, 'team')}, and here {there}."
    spread = f"The middle half of the teams lies between {numbers.low:.4f} and {numbers.high:.4f}"
    return (
        f"Median {numbers.median:.4f}",
        f"over {counted(field.team_count, 'team')}: {place_among(numbers, topic_count)}. "
        f"{spread}, {numbers.spread:.4f} apart.",
    )


def place_among(numbers, topic_count):
    """Say where a topic's median lies among those of all topics, from the nearer end."""
    if numbers.sharing == topic_count:
        return "the only topic that counts" if topic_count == 1 else f"the same as on all {topic_count} topics"
    is_low = numbers.from_bottom < numbers.from_top
    place, end = (numbers.from_bottom, "lowest") if is_low else (numbers.from_top, "highest")
    found = f"the {f'{ordinal(place)} ' if place > 1 else ''}{end} of {topic_count} topics"
    return found if numbers.sharing == 1 else f"{found}, which {spelled(numbers.sharing, 'topic')} share"


def hidden_of(task, view):
    """Return what a page about topics leaves out of a task's board for a person; what opens together is one."""
    parts = []
    if not view.own_scores and view.own_teams and not view.all_scores:
        parts.append(("how your own runs fared", task.own_scores_visible))
    if not view.ranks:
        parts.append(("how all runs and teams fared", task.other_scores_visible))
    if not view.names:
        parts.append(("which runs and teams they are", task.names_visible))
    if not view.runs:
        parts.append(("what runs returned", task.runs_visible))
    by_switch = {}
    for what, switch in parts:
        by_switch.setdefault(switch, []).append(what)
    return [_hidden(_listed(whats), task, switch) for switch, whats in by_switch.items()]


def hidden_assessments(tasks):
    """Return which tasks of a track keep its assessments hidden, and until when: every one has to show them."""
    now = timezone.now()
    return [
        Hidden(task.name, "when nobody can submit to it any more", task.closes_at)
        if task.reveals(task.assessments_visible, now)
        else _hidden(task.name, task, task.assessments_visible)
        for task in hiding_assessments(tasks, now)
    ]


def _hidden(what, task, switch):
    moments = {Visible.AT_DEADLINE: task.closes_at, Visible.AT_PUBLICATION: task.published_at}
    return Hidden(what, WHEN.get(switch, NOBODY), moments.get(switch))


def _listed(whats):
    *most, last = whats
    words = f"{', '.join(most)} and {last}" if most else last
    return words[0].upper() + words[1:]
