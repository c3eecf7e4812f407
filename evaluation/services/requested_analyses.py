"""Analyses that somebody asks for on the comparisons page: few a board, the oldest make room for new ones."""

from django.db import transaction

from campaign.machinery.limits import COMPARISONS
from campaign.services.generations import raise_generation
from campaign.services.refusals import Refused
from evaluation.models import Analysis, Edition
from evaluation.services.analyses import kinds_kept, runs_on_board
from evaluation.services.analysis_results import AGAINST, RESULTS
from evaluation.services.families import after_seeing_scores, families_of
from limelight.analysis.statistics.pairwise import TESTS
from limelight.analysis.statistics.telling_apart import why_not_told
from limelight.wording import counted

MOST_REQUESTED = 40
"""So many analyses a board are kept because somebody asked for them."""

FINISHED = (Analysis.State.DONE, Analysis.State.FAILED)


def request_analysis(edition, *, by, measure, test, other_measure="", family=Analysis.Family.ALL):
    """Queue an analysis of a board's runs that it does not have by itself; one that failed is tried again."""
    if edition.state not in (Edition.State.LIVE, Edition.State.SUPERSEDED):
        raise Refused("An edition that is being built is compared when it is live.")
    if (test not in TESTS and test not in RESULTS) or (test == AGAINST) != bool(other_measure):
        raise Refused("There is no such test.")
    runs = runs_on_board(edition)
    members = families_of(runs, after_seeing_scores(edition.task, runs)).get(family)
    if members is None:
        raise Refused("There is no such family of runs on this board.")
    if why_not := why_not_told(len(members), len(edition.topic_numbers)):
        raise Refused(f"{why_not.capitalize()}.")
    if seconds := COMPARISONS.seconds_to_wait(by.user.pk):
        raise Refused(f"You asked for many comparisons at once. Try again in {counted(seconds, 'second')}.")
    wanted = {"family": family, "measure": measure, "test": test, "other_measure": other_measure}
    with transaction.atomic():
        raise_generation(edition.task)  # locks the task: two who ask at once ask one after the other
        row = edition.analyses.defer(*Analysis.ARRAYS).filter(**wanted).first()
        if row is None:
            _make_room(edition)
            Analysis.objects.enqueue(edition=edition, **wanted)
        elif row.state == Analysis.State.FAILED:
            edition.analyses.filter(pk=row.pk, state=Analysis.State.FAILED).requeue()


def _make_room(edition):
    """Take away the oldest that were asked for, so that one more is not too many."""
    requested = _requested(edition)
    too_many = len(requested) + 1 - MOST_REQUESTED
    finished = [key for key, state in requested if state in FINISHED]
    if too_many > len(finished):
        raise Refused(f"{MOST_REQUESTED} comparisons of this board are waiting. Try again when some are computed.")
    edition.analyses.filter(pk__in=finished[: max(too_many, 0)]).delete()


def _requested(edition):
    """Return key and state of what people asked for, the oldest first."""
    kept = {family: kinds_kept(edition, family) for family in Analysis.Family}
    rows = edition.analyses.order_by("pk").values_list("pk", "state", "family", "measure", "test", "other_measure")
    return [(key, state) for key, state, family, *kind in rows if tuple(kind) not in kept[family]]
