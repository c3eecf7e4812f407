"""What workers are woken for: one service called. The key in a message is for readers: the first in line is taken."""

from celery import shared_task

from campaign.machinery.wake import work_off
from evaluation.services import analyses, differences, excerpts, late_findings, scoring, slow_tables


@shared_task
def evaluate(evaluation_id=None):
    """Score the runs that have waited longest."""
    work_off(scoring.evaluate)


@shared_task
def enter_run(run_id=None):
    """Answer the messages of earlier versions, which sent one for each run that had no evaluation yet."""
    work_off(scoring.evaluate)


@shared_task
def find(row_id=None):
    """Make up what was not kept of runs that were scored long ago."""
    work_off(late_findings.find)


@shared_task
def desk_report(order):
    """Compute a table that a page of the desk waits for."""
    slow_tables.compute_report(order)


@shared_task
def analyse(analysis_id=None):
    """Compute the analyses that have waited longest."""
    work_off(analyses.analyse)


@shared_task
def differ(difference_id=None):
    """Compute the differences between two runs that have waited longest."""
    work_off(differences.differ)


@shared_task
def excerpt(order):
    """Make the passage that a front page waits for."""
    excerpts.make_excerpt(order)
