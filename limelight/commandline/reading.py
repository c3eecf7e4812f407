"""Files as commands need them: assessments made ready for scoring, runs placed in the text and checked."""

import sys
from dataclasses import dataclass, replace
from pathlib import Path

from limelight.commandline.collection import Collection, open_collection
from limelight.commandline.refusals import BAD_INPUT, BROKEN_RULES, Refusal, folded, located, shortened
from limelight.formats.assessments.reading import read_assessments
from limelight.formats.problems import WARNING, FormatError, Problem, errors
from limelight.kinds import GRADES, kind_of
from limelight.rules.checking import Rules, read_and_check
from limelight.scoring.evaluators import compiled, evaluator_of
from limelight.scoring.profiles import ParameterError, resolve
from limelight.scoring.spans import Highlights
from limelight.text.placing import APART, OTHER_AXIS, OnAnotherAxis, placed


@dataclass(frozen=True, slots=True)
class Ground:
    """What runs are scored against: the compiled assessments, and where element paths lead."""

    highlights: Highlights
    collection: Collection | None
    element_spans: dict | None
    assessed_lengths: dict | None

    def lookup(self, document):
        """Return a document's places for element paths."""
        if self.collection is not None:
            return self.collection.places(document)
        return None if self.element_spans is None else self.element_spans.get(document, {})


def opened(name, read):
    """Open a file and read it; a file that can't be read ends the command."""
    try:
        with Path(name).open("rb") as stream:
            return read(stream)
    except FormatError as error:
        raise Refusal(shortened([located(name, problem) for problem in error.problems]), BAD_INPUT) from None
    except OSError as error:
        raise Refusal([f"{name}: can't be read ({error.strerror or error})."], BAD_INPUT) from None


def known_kind(kind):
    """Return the evaluator of a kind of task, or end the command."""
    try:
        return evaluator_of(kind)
    except ParameterError as error:
        raise Refusal([str(error)], BAD_INPUT) from None


def given_parameters(words):
    """Return NAME=VALUE words as a dictionary.

    >>> given_parameters(["beta=1/4", "cutoffs=5,10"])
    {'beta': '1/4', 'cutoffs': '5,10'}
    """
    pairs = [word.partition("=") for word in words]
    for word, (name, equals, value) in zip(words, pairs, strict=True):
        if not (name and equals and value):
            raise Refusal([f"--set takes NAME=VALUE, such as beta=0.25, not “{word}”."], BAD_INPUT)
    names = [name.strip() for name, _, _ in pairs]
    for name in names:
        if names.count(name) > 1:
            raise Refusal([f"--set gives {name} twice. Leave one of the two out."], BAD_INPUT)
    return {name.strip(): value.strip() for name, _, value in pairs}


def rules_from(chosen):
    """Return the rules that the arguments ask for."""
    for option in ("result_limit", "topic_budget", "article_budget"):
        value = getattr(chosen, option)
        if value is not None and value < 1:
            raise Refusal([f"--{option.replace('_', '-')} must be at least 1, not {value}."], BAD_INPUT)
    known_kind(chosen.task)
    try:
        resolved = resolve(chosen.task, chosen.profile, given_parameters(chosen.settings))
    except ParameterError as error:
        raise Refusal([str(error)], BAD_INPUT) from None
    budgets = (chosen.result_limit, chosen.topic_budget, chosen.article_budget)
    return Rules(chosen.task, *budgets, order=resolved.get("order", "lines"))


def ground_from(chosen):
    """Read the assessments, and the collection if there is one."""
    collection = open_collection(chosen.collection) if chosen.collection else None
    lookup = collection.places if collection is not None else None
    read, _ = opened(chosen.assessments, lambda stream: read_assessments(stream, lookup=lookup))
    if read.judgements is None and read.grades is None:
        raise Refusal(
            [f"{chosen.assessments}: grades elements. These are scored by measures that are not part of this command."],
            BAD_INPUT,
        )
    if read.judgements is None and GRADES not in kind_of(chosen.task).judged_by:
        message = f"grades whole documents. A {chosen.task} task needs highlighted text."
        raise Refusal([f"{chosen.assessments}: {message}"], BAD_INPUT)
    highlights = compiled(read.judgements if read.judgements is not None else read.grades)
    if not highlights.topics:
        raise Refusal([f"{chosen.assessments}: no topic has relevant text, so there is nothing to score."], BAD_INPUT)
    return Ground(highlights, collection, read.element_spans, lengths_in(read))


def lengths_in(assessments):
    """Return the lengths of documents that assessments tell, None where they tell none in characters."""
    return None if assessments.judgements is None else assessments.judgements.document_lengths


def checked_run(name, chosen, ground):
    """Read a run for scoring; one that breaks its task's rules raises a Refusal, or is taken as it is if so chosen."""
    rules = rules_from(chosen)
    known = {"document_lengths": ground.collection, "assessed_lengths": ground.assessed_lengths}
    columns, problems = opened(
        name,
        lambda stream: read_and_check(
            stream, rules, lambda columns: known, lambda columns: laid(columns, rules, ground)
        ),
    )
    if columns is None:
        raise Refusal(shortened([located(name, problem) for problem in problems]), BAD_INPUT)
    wrong = errors(problems)
    if any(problem.rule == OTHER_AXIS for problem in wrong):
        raise Refusal(folded(name, wrong), BAD_INPUT)
    if wrong and not chosen.as_is:
        raise Refusal([*folded(name, wrong), f"{name}: breaks the rules of its task and is not scored."], BROKEN_RULES)
    return columns, list(folded(name, [replace(problem, severity=WARNING) for problem in problems]))


def laid(columns, rules, ground):
    """Lay a run on text, as far as the collection or the sizes in the assessments allow; returns the problems too."""
    try:
        return placed(columns, ground.lookup, axis=ground.highlights.axis, kind=rules.kind)
    except OnAnotherAxis:
        return columns, [Problem(f"{APART} Give the documents with --collection.", OTHER_AXIS)]


def checked_runs(names, chosen, ground):
    """Read all runs; refuse them together, so that one report tells everything."""
    runs, notes, refusals = [], [], []
    for name in names:
        try:
            columns, found = checked_run(name, chosen, ground)
        except Refusal as refusal:
            refusals.append(refusal)
        else:
            runs.append((name, columns))
            notes += found + missing_topics(name, columns, ground)
    if refusals:
        lines = [line for refusal in refusals for line in refusal.lines]
        raise Refusal(lines, max(refusal.exit_code for refusal in refusals))
    return runs, notes


def missing_topics(name, columns, ground):
    """Tell how many judged topics a run leaves out."""
    answered = len(set(columns.topics) & set(ground.highlights.topics))
    total = len(ground.highlights.topics)
    if answered == total:
        return []
    return [f"{name}: warning: answers {answered} of {total} judged topics; missing ones score 0."]


def tell(notes):
    """Print warnings beside the output, not into it."""
    for note in notes:
        print(note, file=sys.stderr)  # noqa: T201
