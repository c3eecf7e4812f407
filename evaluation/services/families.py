"""Which runs of a board are tested among each other, and which were sent in after scores could be seen."""

from collections import defaultdict

from django.db.models import Min

from campaign.models import Visible
from evaluation.models import Analysis, Edition, Evaluation

FEWEST_TEAMS = 2
"""With official runs of fewer teams there is no family of official runs."""


def scores_known_since(task):
    """Return when each team could first see a score of a task, by team; under None, when everybody could.

    A score can be seen from when its board was live, and when the switch for one's own or for others' scores opens it.
    """
    done = Evaluation.objects.filter(edition__task=task, state=Evaluation.State.DONE)
    done = done.filter(edition__in=Edition.objects.readable())
    firsts = done.values_list("run__team", "edition__live_at").annotate(first=Min("state_since"))
    known = defaultdict(list)
    for team, live_at, first in firsts:
        there = max(first, live_at) if live_at else first
        for seen_by, switch in ((team, task.own_scores_visible), (None, task.other_scores_visible)):
            opened = _opened(task, switch, there)
            if opened is not None:
                known[seen_by].append(opened)
    return {team: min(moments) for team, moments in known.items()}


def _opened(task, switch, there):
    """Return when a switch let a score be seen that was there from a moment on; None where it has not."""
    if switch == Visible.AT_ONCE:
        return there
    opens = {Visible.AT_DEADLINE: task.closes_at, Visible.AT_PUBLICATION: task.published_at}.get(switch)
    return max(opens, there) if opens else None


def after_seeing_scores(task, runs):
    """Return the keys of those runs that were sent in when their team could see a score of the task already."""
    known = scores_known_since(task)
    return {
        run.pk for run in runs if any(team in known and run.created_at > known[team] for team in (run.team_id, None))
    }


def families_of(runs, after):
    """Return the families that a board's runs are tested in, each as a list of runs in the order they came.

    There is always that of all runs. Where two teams have marked an official run before they could see scores, there is
    that of official runs; and where such a one exists while others came later, that of the runs without those.
    `after` has the keys of those that came later.
    """
    clean = [run for run in runs if run.pk not in after]
    official = [run for run in clean if run.is_official]
    families = {Analysis.Family.ALL: list(runs)}
    if len({run.team_id for run in official}) >= FEWEST_TEAMS:
        families[Analysis.Family.OFFICIAL] = official
        if after:
            families[Analysis.Family.CLEAN] = clean
    return families
