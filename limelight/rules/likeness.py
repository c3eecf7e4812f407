"""Runs that were made for another kind of task: what their header and their results give away."""

import re

from limelight.formats import fields
from limelight.formats.problems import WARNING
from limelight.kinds import KINDS

NAMES_OF_KINDS = tuple(
    (kind.name, re.compile(kind.header)) for kind in sorted(KINDS, key=lambda kind: not kind.in_context) if kind.header
)
"""How the headers of runs name the kinds of tasks; the longer names first, since a header may say more than one."""


def check_header(sight, rules, problems):
    """The header of a run names the task that it is submitted to."""
    said = sight.columns.header.task
    kind = kind_named(said)
    if kind in (None, rules.kind) or _letters(said) == _letters(rules.name):
        return
    message = (
        f"The header names the task {fields.shown(said)}, but this is a {rules.words} task. "
        "Make sure that this is the right file for it."
    )
    problems.add(message, "other-task", severity=WARNING)


def kind_named(words):
    """Return the kind of task that a header names, in any of the forms that real writers used; None for no kind.

    >>> kind_named("CO.Focussed "), kind_named("RelevantInContext"), kind_named("VVCAS")
    ('focused', 'relevant-in-context', None)
    """
    words = re.sub(r"[\s_-]+", "", words).lower()
    return next((kind for kind, name in NAMES_OF_KINDS if name.search(words)), None)


def _letters(words):
    return re.sub(r"[\W_]+", "", words).lower()


def check_text(sight, rules, problems, is_placed):
    """A task about text needs some text: a run of which no result has any was made for another task."""
    columns = sight.columns
    if not rules.traits.needs_text or columns.result_type not in ("passage", "element"):
        return
    if sight.length.any() or (not is_placed and (columns.path >= 0).any()):
        return
    unplaced = int(columns.unmapped.sum())
    empty = len(columns) - unplaced
    results = "1 result" if len(columns) == 1 else f"{len(columns):,} results"
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
