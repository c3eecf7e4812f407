"""All work that is done in the background, in one table: sweep, status page and the desk's queue know no other."""

from dataclasses import dataclass
from datetime import datetime

from assessments.services import previews
from campaign.models import Run
from campaign.services.documents import imports
from campaign.services.runs import checks
from evaluation.models import Edition
from evaluation.services import analyses, differences, late_findings, scoring

QUEUES = (
    checks.CHECKING,
    scoring.SCORING,
    previews.READING,
    imports.READING,
    analyses.ANALYSING,
    differences.DIFFERING,
    late_findings.FINDING,
)


@dataclass(frozen=True, slots=True)
class Job:
    """One row of the queue: what is to be done to which run, since when, how often tried, and who has it."""

    what: str
    run: Run
    edition: Edition | None
    is_working: bool
    since: datetime
    attempts: int
    held_by: str
    held_until: datetime | None
    has_failed_before: bool


def queue_of(campaign):
    """Return what waits or is being worked on in a campaign, oldest first."""
    rows = [row for queue in QUEUES for row in queue.rows.unfinished().in_queue_of(campaign)]
    jobs = [_job(row) for row in rows]
    return sorted(jobs, key=lambda job: (not job.is_working, job.since))


def _job(row):
    return Job(
        what=row.work_name,
        run=row.worked_on,
        edition=getattr(row, "edition", None),
        is_working=row.state == row.WORKING,
        since=row.state_since,
        attempts=row.attempts,
        held_by=row.held_by if row.state == row.WORKING else "",
        held_until=row.held_until,
        has_failed_before=bool(row.failure),
    )
