"""Runs that were made for another kind of task: what their header and their results give away."""

import re

from limelight.formats import fields
from limelight.formats.columns import RunColumns
from limelight.formats.problems import WARNING, Problem, ProblemList
from limelight.kinds import BEST_IN_CONTEXT, DOCUMENT, KINDS, kind_of
from limelight.rules.run_view import CheckedRun
from limelight.rules.task_rules import Rules
from limelight.text.placing import APART, is_apart
from limelight.wording import counted

NAMES_OF_KINDS = tuple(
    (kind.name, re.compile(kind.header)) for kind in sorted(KINDS, key=lambda kind: not kind.in_context) if kind.header
)
"""How the headers of runs name the kinds of tasks; the longer names first, since a header may say more than one."""

PLACELESS = {
    "document": ("6 columns: no offset and length", DOCUMENT),
    "entry-point": ("7 columns: an entry point and no length", BEST_IN_CONTEXT),
}
"""Results that are no stretch of text: what their lines lack, and the kind of run that has such lines."""


def check_header(run: CheckedRun, rules: Rules, problems: ProblemList) -> None:
    """The header of a run names the task that it is submitted to."""
    said = run.columns.header.task
    kind = kind_named(said)
    if kind in (None, rules.kind) or _letters(said) == _letters(rules.name):
        return
    message = (
        f"The header names the task {fields.shown(said)}, but this is a {rules.words} task. "
        "Make sure that this is the right file for it."
    )
    problems.add(message, "other-task", severity=WARNING)


def without_places(columns: RunColumns, rules: Rules) -> Problem | None:
    """Return the problem of a run whose lines don't say which text they return, where its task is about text."""
    if not rules.traits.needs_text or columns.result_type not in PLACELESS:
        return None
    lacking, likeness = PLACELESS[columns.result_type]
    message = (
        f"{lacking}. A {rules.words} run needs 8 (topic Q0 file rank rsv run_id offset length), or an element path in "
        f"column 7. This looks like a {kind_of(likeness).words} run."
    )
    return Problem(message, "result-type")


def check_axis(columns: RunColumns, rules: Rules, axis: str, problems: ProblemList) -> None:
    """The results of a run can be laid on the text as the assessments count it."""
    if is_apart(columns, axis=axis, kind=rules.kind):
        problems.add(f"The run {APART} Return elements, or passages from element to element, by paths.", "other-axis")


def kind_named(words: str) -> str | None:
    """Return the kind of task that a header names, in any of the forms that real writers used; None for no kind.

    >>> kind_named("CO.Focussed "), kind_named("RelevantInContext"), kind_named("VVCAS")
    ('focused', 'relevant-in-context', None)
    """
    words = re.sub(r"[\s_-]+", "", words).lower()
    return next((kind for kind, name in NAMES_OF_KINDS if name.search(words)), None)


def _letters(words: str) -> str:
    return re.sub(r"[\W_]+", "", words).lower()


def check_text(run: CheckedRun, rules: Rules, problems: ProblemList, is_placed: bool) -> None:
    """A task about text needs some text: a run of which no result has any was made for another task."""
    columns = run.columns
    if not rules.traits.needs_text or columns.result_type not in ("passage", "element"):
        return
    if run.length.any() or (not is_placed and (columns.path >= 0).any()):
        return
    unplaced = int(columns.unmapped.sum())
    empty = len(columns) - unplaced
    results = counted(len(columns), "result")
    if (columns.path >= 0).any():
        message = (
            f"{results} without text: none of the elements has a known place with text in it. This looks like a run "
            "over other documents. Return elements of this collection."
        )
    elif not unplaced:
        message = (
            f"{results} of length 0: this looks like a Best in Context run. A {rules.words} run returns text: write "
            "the length of each passage."
        )
    elif not empty:
        message = (
            f"{results} without an offset (X or -1): this looks like an element run that was not mapped to text. "
            f"A {rules.words} run returns text: write offset and length, or element paths."
        )
    else:
        message = (
            f"{results} without text, {empty:,} of length 0 and {unplaced:,} without an offset: this looks like a Best "
            f"in Context run. A {rules.words} run returns text: write offset and length of each passage."
        )
    problems.add(message, "no-text")
