"""Files made ready for scoring: assessments compiled, runs placed in the text and checked."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar

from limelight.face.collection import Collection
from limelight.face.files import File, assessments_with_warnings, given_collection, opened
from limelight.face.refusals import Refusal, Sentence, Spoken, argument, folded, located, shortened
from limelight.formats.assessments.reading import Assessments
from limelight.formats.columns import RunColumns
from limelight.formats.problems import WARNING, Problem, errors
from limelight.kinds import GRADES, kind_of
from limelight.rules.checking import laid_and_checked, read_and_check
from limelight.rules.task_rules import Rules
from limelight.scoring.evaluators import Evaluator, compiled, evaluator_of
from limelight.scoring.profiles import ParameterError, Parameters, resolve
from limelight.scoring.spans import Highlights
from limelight.text.documents import Span, Spans
from limelight.text.placing import APART, OTHER_AXIS, OnAnotherAxis, placed

RESULT_LIMIT = 1_500

Item = TypeVar("Item")


class Watched(Protocol):
    """Hands out items one by one, telling whoever waits how far it is."""

    def __call__(self, items: Sequence[Item], words: str, /) -> Iterable[Item]:
        """Yield the items; the words say what is done with them."""
        ...


def unwatched(items: Sequence[Item], words: str, /) -> Sequence[Item]:
    """Return the items as they are: nobody waits."""
    return items


@dataclass(frozen=True, slots=True)
class Reference:
    """What runs are scored against: the compiled assessments, and where element paths lead."""

    highlights: Highlights
    collection: Collection | None
    element_spans: Mapping[str, Mapping[str, Span]] | None
    assessed_lengths: Mapping[str, int] | None

    def lookup(self, document: str) -> Spans | None:
        """Return a document's places for element paths."""
        if self.collection is not None:
            return self.collection.places(document)
        return None if self.element_spans is None else self.element_spans.get(document, {})


@dataclass(frozen=True, slots=True)
class ReadRun:
    """A run that may be scored: by which name it was given, its placed columns, and the warnings about it."""

    file: str
    columns: RunColumns
    problems: tuple[Problem, ...]


def known_kind(kind: str) -> Evaluator:
    """Return the evaluator of a kind of task, or refuse the kind."""
    try:
        return evaluator_of(kind)
    except ParameterError as error:
        raise Refusal([str(error)]) from None


def resolved_for(kind: str, profile: str, parameters: Mapping[str, Any] | None) -> Parameters:
    """Return all parameters of a kind of task under a profile, or refuse the kind, the profile or a parameter."""
    known_kind(kind)
    try:
        return resolve(kind, profile, parameters)
    except ParameterError as error:
        raise Refusal([str(error)]) from None


def rules_for(
    kind: str,
    profile: str,
    parameters: Mapping[str, Any] | None,
    *,
    result_limit: int | None = RESULT_LIMIT,
    topic_budget: int | None = None,
    article_budget: int | None = None,
) -> Rules:
    """Return the rules that are asked for."""
    budgets = {"result_limit": result_limit, "topic_budget": topic_budget, "article_budget": article_budget}
    for name, value in budgets.items():
        if value is not None and value < 1:
            raise Refusal([(argument(name), f" must be at least 1, not {value}.")])
    resolved = resolved_for(kind, profile, parameters)
    order = resolved.get("order", "lines")
    return Rules(kind, result_limit, topic_budget, article_budget, order)


def reference_from(
    assessments: File | Assessments, collection: File | Collection | None, kind: str, name: str = "assessments"
) -> Reference:
    """Read the assessments, and the collection if there is one; take those that were read before as they are."""
    collection = given_collection(collection)
    if not isinstance(assessments, Assessments):
        name = str(assessments)
        assessments, _ = assessments_with_warnings(assessments, collection)
    judged = assessments.judgements if assessments.judgements is not None else assessments.grades
    if judged is None:
        message = f"{name}: grades elements. These are scored by measures that are not part of "
        raise Refusal([(message, Spoken("this library", "this command"), ".")])
    if assessments.judgements is None and GRADES not in kind_of(kind).judged_by:
        raise Refusal([f"{name}: grades whole documents. A {kind} task needs highlighted text."])
    highlights = compiled(judged)
    if not highlights.topics:
        raise Refusal([f"{name}: no topic has relevant text, so there is nothing to score."])
    return Reference(highlights, collection, assessments.element_spans, lengths_in(assessments))


def lengths_in(assessments: Assessments) -> Mapping[str, int] | None:
    """Return the lengths of documents that assessments tell, None where they tell none in characters."""
    return None if assessments.judgements is None else assessments.judgements.document_lengths


def checked_run(name: str, run: File | RunColumns, rules: Rules, reference: Reference, *, as_is: bool) -> ReadRun:
    """Read a run for scoring; one that breaks its task's rules raises a Refusal, or is taken as it is if so chosen."""
    columns, problems = laid_run(run, rules, reference)
    if columns is None:
        raise Refusal(shortened([located(name, problem) for problem in problems]), problems={name: problems})
    wrong = errors(problems)
    if any(problem.rule == OTHER_AXIS for problem in wrong):
        raise Refusal(advised(name, wrong), problems={name: problems})
    if wrong and not as_is:
        told = [*folded(name, wrong), f"{name}: breaks the rules of its task and is not scored."]
        raise Refusal(told, problems={name: problems}, breaks_rules=True)
    warnings = [replace(problem, severity=WARNING) for problem in problems]
    return ReadRun(name, columns, (*warnings, *missing_topics(columns, reference)))


def laid_run(run: File | RunColumns, rules: Rules, reference: Reference) -> tuple[RunColumns | None, list[Problem]]:
    """Return a run laid on text, None where its file can't be read, and every problem of its format and its rules."""

    def known(columns: RunColumns) -> dict[str, Mapping[str, int] | None]:
        return {"document_lengths": reference.collection, "assessed_lengths": reference.assessed_lengths}

    def laid(columns: RunColumns) -> tuple[RunColumns, list[Problem]]:
        try:
            return placed(columns, reference.lookup, axis=reference.highlights.axis, kind=rules.kind)
        except OnAnotherAxis:
            return columns, [Problem(APART, OTHER_AXIS)]

    if isinstance(run, RunColumns):
        return laid_and_checked(run, rules, known, laid)
    return opened(run, lambda stream: read_and_check(stream, rules, known, laid))


def advised(name: str, problems: Iterable[Problem]) -> Iterator[Sentence]:
    """Yield problems as lines, and where a run lies on another axis than the assessments, what brings them together."""
    for line in folded(name, problems):
        is_apart = isinstance(line, str) and line.endswith(APART)
        yield (f"{line} Give the documents with ", argument("collection"), ".") if is_apart else line


def checked_runs(
    runs: Iterable[tuple[str, File | RunColumns]], rules: Rules, reference: Reference, *, as_is: bool
) -> list[ReadRun]:
    """Read all runs; refuse them together, so that one report tells everything."""
    checked, refusals = [], []
    for name, run in runs:
        try:
            checked.append(checked_run(name, run, rules, reference, as_is=as_is))
        except Refusal as refusal:
            refusals.append(refusal)
    if refusals:
        raise Refusal.together(refusals)
    return checked


def missing_topics(columns: RunColumns, reference: Reference) -> list[Problem]:
    """Tell how many judged topics a run leaves out."""
    answered = len(set(columns.topics) & set(reference.highlights.topics))
    total = len(reference.highlights.topics)
    if answered == total:
        return []
    message = f"answers {answered} of {total} judged topics; missing ones score 0."
    return [Problem(message, "missing-topics", severity=WARNING)]
