"""The check: parse and validate everything, report every problem, end in VALID or REJECTED."""

import json
import logging
import os
from dataclasses import dataclass
from io import BytesIO

from django.db import transaction

from campaign.later import assessed_lengths, axis_of
from campaign.machinery.places import dry_run_places
from campaign.machinery.queues import Queue
from campaign.machinery.storage import open_stored, store, store_columns
from campaign.models import Run
from campaign.services.documents.collections import document_lengths, element_spans, spans_for
from campaign.services.generations import raise_generation
from campaign.services.permissions.seeing import hiding_assessments
from campaign.services.runs.check_results import as_report, outcome_of
from campaign.services.runs.rules import rules_of
from campaign.services.telling.notifications import run_failed, run_rejected, run_valid_again
from campaign.services.visibility.pseudonyms import give_pseudonym
from campaign.valid_runs import became_valid
from limelight.formats.problems import WARNING, Problem, errors
from limelight.rules.checking import read_and_check
from limelight.rules.headings import SHOWN_PROBLEMS

logger = logging.getLogger(__name__)

DRY_RUN_FIELDS = ("result_count", "answered_topics", "error_count", "warning_count", "problems", "problem_counts")


def check_run(run_id=None):
    """Check a run that was received, without a key the first in line; returns it, or None where there is none."""
    return CHECKING.work(run_id)


def _check(run):
    _record(run, *examine(run))


CHECKING = Queue(Run, _check, at_the_end=run_failed)


def examine(run):
    """Read a run's stored file and apply its task's rules.

    Returns the columns (or None), all problems, and what was found as fields of a run.
    """
    with open_stored(run.stored_file) as stream:
        columns, problems = examine_file(run.task, stream)
        problems += _same_file_before(run)
        return columns, problems, outcome_of(columns, problems, stream)


def examine_file(task, stream):
    """Read a run from a file and apply a task's rules; returns the columns (None if unreadable) and all problems."""
    collection = task.track.collection
    topics = list(task.track.topics.values_list("number", flat=True)) or None

    def known(columns):
        lengths = document_lengths(collection, columns.documents)
        return {
            "topics": topics,
            "document_lengths": lengths,
            "assessed_lengths": lengths_that_may_be_known(task.track) if lengths is None else None,
            "element_spans": spans_for(collection, columns),
            "axis": axis_of(task),
        }

    columns, problems = read_and_check(stream, rules_of(task), known)
    return columns, problems + _without_text(task, columns)


def _without_text(task, columns):
    """Point out elements of a task that is about places, where no text is loaded to find them in."""
    if columns is None or not columns.paths or not task.traits.has_places or element_spans(task.track.collection):
        return []
    message = (
        "The run returns elements, and the text to find them in isn't loaded here. It can only be scored where the "
        "assessments tell the sizes of elements."
    )
    return [Problem(message, rule="unknown-place", severity=WARNING)]


def lengths_that_may_be_known(track):
    """Return the lengths of documents that a track's newest assessments tell, None while these are hidden.

    Whoever submits reads what the check says: a refusal must not tell which documents were judged.
    """
    return None if hiding_assessments(track.tasks.all()) else assessed_lengths(track)


@dataclass(frozen=True, slots=True)
class DryRun:
    """What the check says about a file that was not submitted: what a page shows of a run, and every problem."""

    is_valid: bool
    result_count: int | None
    answered_topics: int | None
    error_count: int
    warning_count: int
    problems: list
    problem_counts: dict
    report: list


def dry_run(task, stream, *, is_there=lambda: True):
    """Check a file as if it were submitted: nothing is stored, no quota is used and no score is told.

    Raises Busy where too many are being checked in this process, and Gone where nobody waits for it any more.
    """
    size = stream.seek(0, os.SEEK_END)
    stream.seek(0)
    with dry_run_places(size).one(is_there):
        columns, problems = examine_file(task, stream)
        outcome = outcome_of(columns, problems, stream)
        report = as_report(problems)
    told = {name: outcome.get(name) for name in DRY_RUN_FIELDS}
    return DryRun(is_valid=not outcome["error_count"], report=report, **told)


def _same_file_before(run):
    """Point out a file that the same team has sent in to the same task before."""
    earlier = (
        Run.objects.standing()
        .filter(task=run.task, team=run.team, sha256=run.sha256, pk__lt=run.pk)
        .exclude(state=Run.State.REJECTED)
        .order_by("pk")
        .first()
    )
    if earlier is None:
        return []
    message = f"This is the same file, byte for byte, as your run {earlier.name}."
    return [Problem(message, rule="same-file", severity=WARNING)]


def _record(run, columns, problems, outcome):
    if len(problems) > SHOWN_PROBLEMS:
        report = json.dumps(as_report(problems)).encode()
        outcome["report_file"] = store(BytesIO(report), "reports").name
    else:
        outcome["report_file"] = ""
    was_rejected, was_checked = run.error_count > 0, run.error_count > 0 or run.columns_file != ""
    if errors(problems):
        with transaction.atomic():
            if run.columns_file:  # it may stand on boards, and leaves them
                raise_generation(run.task)
            Run.objects.finish(run, Run.State.REJECTED, **outcome)
            if not was_rejected:
                run_rejected(run, again=was_checked)
        return
    outcome["columns_file"] = store_columns(columns)
    with transaction.atomic():
        raise_generation(run.task)
        Run.objects.finish(run, Run.State.VALID, **outcome)
        give_pseudonym(run.task, run.team)
        if was_rejected:
            run_valid_again(run)
        became_valid(run)
