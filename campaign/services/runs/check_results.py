"""What a check left behind: the problems as pages and reports list them, and the columns of a run that it made."""

import json
import logging
from collections import Counter
from contextlib import suppress

from campaign.machinery.storage import Damaged, open_stored, proves_itself, store_columns
from campaign.models import Run
from campaign.services.runs.rules import rules_of
from limelight.formats.columns import RunColumns
from limelight.formats.problems import FormatError, errors, total, warnings
from limelight.formats.runs.ranking import by_score
from limelight.formats.runs.reading import read_run
from limelight.formats.stored import OtherFormat
from limelight.rules.headings import SHOWN_PROBLEMS, quotes

logger = logging.getLogger(__name__)


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
        "problem_counts": counts_by_rule(problems),
    }
    if columns is not None:
        outcome |= {
            "result_count": len(columns),
            "answered_topics": len(columns.topics),
            "result_type": columns.result_type,
        }
    return outcome


def full_report(run):
    """Return every problem of a run's check."""
    if not run.report_file:
        return run.problems
    with open_stored(run.report_file) as stream:
        return json.load(stream)


def as_report(problems):
    """Return all problems as a report lists them, errors first."""
    return [problem.as_dict() for problem in errors(problems) + warnings(problems)]


def counts_by_rule(problems):
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


def load_columns(run):
    """Return the parsed columns of a valid run; where they are not whole, they are made again from its file."""
    if proves_itself(run.columns_file):
        with suppress(Damaged, OtherFormat), open_stored(run.columns_file) as stream:
            return RunColumns.load(stream)
    return make_columns_again(run)


def make_columns_again(run):
    """Read a valid run's file anew, store its columns and return them; raises Damaged where that cannot be done."""
    try:
        with open_stored(run.stored_file) as stream:
            columns, _ = read_run(stream)
    except FormatError:
        raise Damaged(run.columns_file, "cannot be made again from its run") from None
    logger.warning("The columns of run %s were made again from its file.", run.pk)
    name = store_columns(columns)
    if name != run.columns_file:
        Run.objects.filter(pk=run.pk, columns_file=run.columns_file).update(columns_file=name)
        run.columns_file = name
    return columns


def load_ranked(run):
    """Return the parsed columns of a valid run, its results in the order in which its task ranks them."""
    columns = load_columns(run)
    return by_score(columns) if rules_of(run.task).by_score else columns
