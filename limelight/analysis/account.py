"""A run's account of one topic: what it returns line by line, and the step that each line adds to the topic's score.

The step of a line is the score of the list that ends with it minus the score of the list that ends before it, so that
the steps of every measure add up to its score. A line is a result in focused and thorough tasks; in all others it is a
document with all that is returned of it, because there a document is scored as a whole.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from limelight.analysis.judged import lists_only_relevant
from limelight.arrays import Integers, Reals
from limelight.formats.assessments.columns import UNKNOWN
from limelight.formats.columns import COLUMNS, RunColumns
from limelight.formats.runs.ranking import by_score
from limelight.kinds import Kind, kind_of
from limelight.measures.measure import Measure
from limelight.scoring.articles import Articles, articles_of
from limelight.scoring.evaluators import Evaluator, Judgements, compiled, evaluator_of, official_measure, settled
from limelight.scoring.first_read import first_retrieved
from limelight.scoring.profiles import DEFAULT_PROFILE, Parameters, resolve
from limelight.scoring.spans import Highlights, LaidRun, lay, nothing_judged, spread_documents
from limelight.scoring.topicwise import places, ratio, spread


class UncountedTopic(ValueError):
    """A topic has no score: nobody judged it, or nothing is relevant to it."""

    def __init__(self, topic: str) -> None:
        super().__init__(f"Topic {topic} does not count: the assessments hold nothing relevant to it.")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a result lies in its document, as the run says; the offset is None where that is not known."""

    offset: int | None
    length: int
    path: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of an account: a result, or a document with all its results.

    `size` is how many characters are returned, `new` how many of them no line before returned; None where a result is
    no stretch of text. What needs the assessments is None in a listing: `judged` (None also where the assessments list
    only relevant documents, and not this one), `contained`, the highlighted characters of the document, `highlighted`,
    those of them that count as returned here, `grade`, `distance` from the assessor's entry point, `document_score`,
    precision and recall of the list that ends here, its point on the curve, and the step to the score.
    """

    rank: int
    document: str
    places: tuple[Place, ...]
    size: int | None
    new: int | None
    judged: bool | None = None
    contained: int | None = None
    highlighted: int | None = None
    grade: int | None = None
    distance: int | None = None
    document_score: float | None = None
    precision: float | None = None
    recall: float | None = None
    point: tuple[float, float] | None = None
    step: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """The lines of a run for a topic, with the score that their steps add up to.

    `lists_only_relevant` says that the topic's assessments don't tell which other documents were read.
    """

    topic: str
    measure: Measure[Any]
    lines: tuple[Line, ...]
    score: float
    relevant_documents: int
    relevant_characters: int
    lists_only_relevant: bool


def account(
    kind: str,
    judgements: Judgements | Highlights,
    run: RunColumns,
    topic: str,
    *,
    profile: str = DEFAULT_PROFILE,
    parameters: Mapping[str, Any] | None = None,
    measure: str = "",
    document_lengths: Mapping[str, int] | None = None,
) -> Account:
    """Account for the score that a run, laid on text, has on a topic; without a measure, for the official one.

    Raises UncountedTopic where the topic has no score.

    >>> from io import BytesIO
    >>> from limelight.formats.assessments.reading import read_assessments
    >>> from limelight.formats.runs.reading import read_run
    >>> judgements = read_assessments(BytesIO(b"1 Q0 a 100 400 0 0:100"))[0].judgements
    >>> run = read_run(BytesIO(b"1 Q0 a 1 2 me 0 50\\n1 Q0 a 2 1 me 50 50"))[0]
    >>> [round(line.step, 4) for line in account("focused", judgements, run, "1").lines]
    [0.505, 0.495]
    """
    evaluator, resolved = evaluator_of(kind), resolve(kind, profile, parameters)
    highlights = judgements if isinstance(judgements, Highlights) else compiled(judgements)
    if topic not in highlights.topics:
        raise UncountedTopic(topic)
    number = highlights.topics.index(topic)
    run = _in_order(run, topic, highlights, resolved, document_lengths)
    resolved = settled(resolved, highlights)
    laid = lay(highlights, run)
    scoring = evaluator.scoring(laid, resolved)
    (chosen,) = evaluator.chosen(resolved, [official_measure(kind, measure, profile, parameters)])
    columns = _judged_columns(evaluator, scoring, laid, number) | {
        "step": np.diff(chosen.running(scoring), prepend=0.0).tolist()
    }
    return Account(
        topic=topic,
        measure=chosen,
        lines=_lines(kind_of(kind), run, laid, resolved, columns),
        score=float(chosen.values(scoring)[number]),
        relevant_documents=int(highlights.relevant_documents[number]),
        relevant_characters=int(highlights.topic_relevant[number]),
        lists_only_relevant=bool(lists_only_relevant(highlights)[number]),
    )


def listing(
    kind: str,
    run: RunColumns,
    topic: str,
    *,
    profile: str = DEFAULT_PROFILE,
    parameters: Mapping[str, Any] | None = None,
    document_lengths: Mapping[str, int] | None = None,
) -> tuple[Line, ...]:
    """List what a run, laid on text, returns for a topic: documents, places and sizes, without any assessments."""
    resolved = resolve(kind, profile, parameters)
    nothing = nothing_judged(topic)
    run = _in_order(run, topic, nothing, resolved, document_lengths)
    return _lines(kind_of(kind), run, lay(nothing, run), resolved, {})


def of_topic(run: RunColumns, topic: str) -> RunColumns:
    """Return the part of a run that answers one topic, with only its own documents and paths."""
    topics = list(run.topics)
    rows = np.flatnonzero(run.topic == topics.index(topic)) if topic in topics else np.zeros(0, dtype=np.int64)
    documents, document = _renamed(run.documents, run.document[rows])
    paths, path = _renamed(run.paths, run.path[rows])
    columns: dict[str, Any] = {name: getattr(run, name)[rows] for name in COLUMNS}
    columns |= {"topic": np.zeros(len(rows), dtype=np.int64), "document": document, "path": path}
    return replace(run, topics=(topic,), documents=documents, paths=paths, **columns)


def _renamed(names: Sequence[str], numbers: Integers) -> tuple[tuple[str, ...], Integers]:
    """Number the names anew that are used; -1 stays what it is."""
    used, anew = np.unique(numbers[numbers >= 0], return_inverse=True)
    renumbered = np.full(len(numbers), -1, dtype=np.int64)
    renumbered[numbers >= 0] = anew
    return tuple(names[number] for number in used.tolist()), renumbered


def _in_order(
    run: RunColumns,
    topic: str,
    highlights: Highlights,
    resolved: Parameters,
    document_lengths: Mapping[str, int] | None,
) -> RunColumns:
    """Return a topic's results as the engine takes them: whole documents as spans, in the order that ranks them."""
    run = of_topic(run, topic)
    if run.result_type == "document":
        run = spread_documents(run, highlights, document_lengths)
    return by_score(run) if resolved.get("order") == "score" else run


def _lines(
    kind: Kind, run: RunColumns, laid: LaidRun, resolved: Parameters, columns: Mapping[str, Sequence[Any]]
) -> tuple[Line, ...]:
    articles = articles_of(laid)
    size, new = _sizes(kind, laid, articles, resolved)
    held: list[list[Place]] = [[] for _ in size]
    entries = articles.article if _by_document(kind) else np.arange(len(laid))
    for entry, place in zip(entries.tolist(), _places(run), strict=True):
        held[entry].append(place)
    first = articles.first if _by_document(kind) else np.arange(len(laid))
    documents = [run.documents[number] for number in laid.document[first].tolist()]
    told = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)] or [{}] * len(size)
    return tuple(
        Line(
            rank=place + 1,
            document=documents[place],
            places=tuple(held[place]),
            size=size[place],
            new=new[place],
            **told[place],
        )
        for place in range(len(size))
    )


def _by_document(kind: Kind) -> bool:
    return kind.in_context or not kind.has_places


def _places(run: RunColumns) -> list[Place]:
    rows = zip(run.offset.tolist(), run.length.tolist(), run.path.tolist(), strict=True)
    return [
        Place(None if offset < 0 else offset, length, run.paths[path] if path >= 0 else "")
        for offset, length, path in rows
    ]


def _sizes(
    kind: Kind, laid: LaidRun, articles: Articles, resolved: Parameters
) -> tuple[Sequence[int | None], Sequence[int | None]]:
    if not kind.needs_text:
        return (nothing := [None] * len(articles.first)), nothing
    unmapped = resolved.get("unmapped_size", 0)
    size = np.where(laid.unmapped, unmapped, laid.length)
    new = np.where(laid.unmapped, unmapped, first_retrieved(laid, articles.article)[0])
    if _by_document(kind):
        size, new = (_sums(values, articles) for values in (size, new))
    return size.tolist(), new.tolist()


def _sums(values: Integers, articles: Articles) -> Integers:
    return np.bincount(articles.article, weights=values, minlength=len(articles.first)).astype(np.int64)


def _judged_columns(evaluator: Evaluator, scoring: Any, laid: LaidRun, number: int) -> dict[str, list[Any]]:
    """Return what the assessments say about each line, a column each."""
    kind, highlights = kind_of(evaluator.kind), laid.highlights
    articles: Articles = scoring.articles
    judgement = articles.judgement if _by_document(kind) else laid.judgement
    is_judged = judgement >= 0
    unknown = None if lists_only_relevant(highlights)[number] else False
    precision, recall = _precision_and_recall(kind, scoring)
    across = places(articles.bounds).astype(float) if _by_document(kind) else recall
    columns: dict[str, list[Any]] = {
        "judged": [True if judged else unknown for judged in is_judged.tolist()],
        "precision": precision.tolist(),
        "recall": recall.tolist(),
        "point": list(zip(across.tolist(), precision.tolist(), strict=True)),
    }
    if highlights.grades_documents:
        return columns | {"grade": _or_none(highlights.grade, judgement)}
    columns["contained"] = np.where(is_judged, highlights.relevant[judgement], 0).tolist() if len(judgement) else []
    if kind.needs_text:
        columns["highlighted"] = (scoring.retrieved[1] if kind.in_context else scoring.relevant).tolist()
    if kind.in_context:
        columns["document_score"] = scoring.scores.tolist()
    if kind.returns_points:
        columns["distance"] = [None if far == UNKNOWN else far for far in scoring.distances.tolist()]
    return columns


def _precision_and_recall(kind: Kind, scoring: Any) -> tuple[Reals, Reals]:
    if kind.in_context:
        return scoring.precisions, scoring.recalls
    if kind.has_places:
        return scoring.running_character_precision, scoring.running_character_recall
    relevant_documents = spread(scoring.highlights.relevant_documents, scoring.bounds)
    return ratio(scoring.found, places(scoring.bounds)), ratio(scoring.found, relevant_documents)


def _or_none(values: Integers, judgement: Integers) -> list[int | None]:
    return [int(values[place]) if place >= 0 else None for place in judgement.tolist()]
