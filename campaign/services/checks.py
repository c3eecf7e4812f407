"""The check: parse and validate everything, report every problem, end in VALID or REJECTED."""

import hashlib
import json
import logging
import traceback
from collections import Counter
from dataclasses import dataclass

from django.db import transaction

from campaign.checking import Rules, read_and_check
from campaign.formats.columns import RunColumns
from campaign.formats.problems import WARNING, Problem, errors, total, warnings
from campaign.leases import LeaseLost, kept
from campaign.models import Run
from campaign.reports import quotes
from campaign.services.collections import document_lengths, element_spans
from campaign.services.notifications import run_failed, run_rejected, run_valid_again
from campaign.services.storage import open_stored, store_bytes, store_columns
from campaign.wake import wake

logger = logging.getLogger(__name__)

SHOWN_PROBLEMS = 200
COLUMNS_VERSION = 1
DRY_RUN_FIELDS = ("result_count", "answered_topics", "error_count", "warning_count", "problems", "problem_counts")
ENTER_TASK = "evaluation.tasks.enter_run"


def check_run(run_id):
    """Check a run that was received; does nothing where that is done or another worker is at it."""
    run = Run.objects.claim(run_id)
    if run is None:
        return
    try:
        with kept(Run.objects, run):
            columns, problems = examine(run)
            _record(run, columns, problems)
    except LeaseLost:
        logger.warning("Run %s was taken over by another worker while it was checked.", run_id)
    except Exception:
        logger.exception("Checking run %s failed on our side.", run_id)
        Run.objects.give_back(run, traceback.format_exc(), at_the_end=run_failed)


def examine(run):
    """Read a run's stored file and apply its task's rules; returns the columns (or None) and all problems."""
    with open_stored(run.stored_file) as stream:
        columns, problems = examine_file(run.task, stream)
    return columns, problems + _same_file_before(run)


def examine_file(task, stream):
    """Read a run from a file and apply a task's rules; returns the columns (None if unreadable) and all problems."""
    collection = task.track.collection
    topics = list(task.track.topics.values_list("number", flat=True)) or None
    return read_and_check(
        stream,
        rules_of(task),
        lambda columns: {
            "topics": topics,
            "document_lengths": document_lengths(collection, columns.documents),
            "element_spans": element_spans(collection),
        },
    )


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


def dry_run(task, stream):
    """Check a file as if it were submitted: nothing is stored, no quota is used and no score is told."""
    columns, problems = examine_file(task, stream)
    outcome = outcome_of(columns, problems, stream)
    report = as_report(problems)
    told = {name: outcome.get(name) for name in DRY_RUN_FIELDS}
    return DryRun(is_valid=not outcome["error_count"], report=report, **told)


def rules_of(task):
    """Return the rules that a task's kind and settings make."""
    return Rules(
        kind=task.kind,
        result_limit=task.result_limit,
        topic_budget=task.topic_budget,
        article_budget=task.article_budget,
    )


def load_columns(run):
    """Return the parsed columns of a valid run."""
    with open_stored(run.columns_file) as stream:
        return RunColumns.load(stream)


def full_report(run):
    """Return every problem of a run's check."""
    if not run.report_file:
        return run.problems
    with open_stored(run.report_file) as stream:
        return json.load(stream)


def as_report(problems):
    """Return all problems as a report lists them, errors first."""
    return [problem.as_dict() for problem in errors(problems) + warnings(problems)]


def counted(problems):
    """Count problems by rule, those that a last sentence sums up included."""
    counts = Counter()
    for problem in problems:
        counts[problem.rule] += problem.times
    return counts


def shown_of(problems):
    """Return the problems that a page shows: of each rule the first ones, so that none hides another."""
    rules = Counter(problem.rule for problem in problems)
    places = max(1, SHOWN_PROBLEMS // max(1, len(rules)))
    seen, shown = Counter(), []
    for problem in problems:
        seen[problem.rule] += 1
        if seen[problem.rule] <= places or len(problems) <= SHOWN_PROBLEMS:
            shown.append(problem)
    return shown[:SHOWN_PROBLEMS]


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


def outcome_of(columns, problems, stream):
    """Return what a check found as the fields of a run; the shown problems quote their lines of the file."""
    refused, warned = errors(problems), warnings(problems)
    shown = shown_of(refused + warned)
    stream.seek(0)
    quoted = quotes(stream, [problem.line for problem in shown])
    outcome = {
        "error_count": total(refused),
        "warning_count": total(warned),
        "problems": [problem.as_dict() | {"quote": quoted.get(problem.line, "")} for problem in shown],
        "problem_counts": counted(problems),
        "failure": "",
    }
    if columns is not None:
        outcome |= {
            "result_count": len(columns),
            "answered_topics": len(columns.topics),
            "result_type": columns.result_type,
        }
    return outcome


def _record(run, columns, problems):
    with open_stored(run.stored_file) as stream:
        outcome = outcome_of(columns, problems, stream)
    if len(problems) > SHOWN_PROBLEMS:
        report = json.dumps(as_report(problems)).encode()
        content = hashlib.sha256(report).hexdigest()[:16]  # a run may be checked anew, with another outcome
        outcome["report_file"] = store_bytes(f"reports/{run.pk}-{content}.json", report)
    else:
        outcome["report_file"] = ""
    was_rejected, was_checked = run.error_count > 0, run.error_count > 0 or run.columns_file != ""
    if errors(problems):
        with transaction.atomic():
            Run.objects.finish(run, Run.State.REJECTED, **outcome)
            if not was_rejected:
                run_rejected(run, again=was_checked)
        return
    folder = f"columns/{run.sha256[:2]}"
    outcome["columns_file"] = store_columns(f"{folder}/{run.sha256}-v{COLUMNS_VERSION}.npz", columns)
    with transaction.atomic():
        Run.objects.finish(run, Run.State.VALID, **outcome)
        if was_rejected:
            run_valid_again(run)
        wake(ENTER_TASK, run.pk)
