"""Findings of runs that were scored before findings were kept: made up by workers, when nothing else waits."""

import logging

from django.db import transaction
from django.db.models import Case, When

from campaign.machinery.leases import LeaseLost
from campaign.machinery.queues import Queue
from campaign.services.generations import raise_generation
from campaign.services.runs import checks
from evaluation.models import Edition, Evaluation, LateFindings
from evaluation.services import scoring
from evaluation.services.findings import kept

logger = logging.getLogger(__name__)

AT_MOST = 50
"""Rows that wait at a time: whatever is missing, the queue stays short."""


def queue_missing():
    """Queue scored runs whose findings were not kept, of live boards first; returns how many."""
    room = AT_MOST - LateFindings.objects.unfinished().count()
    if room <= 0:
        return 0
    live_first = Case(When(edition__state=Edition.State.LIVE, then=0), default=1)
    lacking = _lacking(Edition.objects.readable()).filter(late_findings=None).order_by(live_first, "-edition", "pk")
    rows = [LateFindings(evaluation=evaluation) for evaluation in lacking[:room]]
    LateFindings.objects.bulk_create(rows, ignore_conflicts=True)
    return len(rows)


def find(key=None):
    """Make up the findings of one run; returns its row, or None where there is none or something else comes first."""
    if any(queue.rows.claimable().exists() for queue in (checks.CHECKING, scoring.SCORING)):
        return None
    return FINDING.work(key)


def make_up(evaluation):
    """Compute what is kept of a run when it is scored, and keep it; scores stay as they are."""
    Evaluation.objects.filter(pk=evaluation.pk).update(**kept(scoring.compute(evaluation).findings))


def _find(row):
    found = kept(scoring.compute(row.evaluation).findings)
    with transaction.atomic():
        others = _lacking([row.evaluation.edition_id]).exclude(pk=row.evaluation_id)
        if not others.exists():  # each run by itself would have its board made anew
            raise_generation(row.evaluation.edition.task)
        if not LateFindings.objects.held(row).delete()[0]:
            raise LeaseLost
        Evaluation.objects.filter(pk=row.evaluation_id).update(**found)


def _lacking(editions):
    return Evaluation.objects.on_board().filter(findings_file="", edition__in=editions)


def _leave(row):
    logger.error("What was found of evaluation %s could not be made up (%s).", row.evaluation_id, row.failure_reference)


FINDING = Queue(LateFindings, _find, at_the_end=_leave)
