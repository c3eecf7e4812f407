"""Differences between two runs: of all topics computed by a worker when somebody asks, of one topic by a page."""

import time
from dataclasses import asdict, dataclass, replace

import numpy as np
from django.db import transaction

from campaign.machinery.limits import COMPARISONS
from campaign.machinery.queues import Queue
from campaign.services.generations import raise_generation
from campaign.services.refusals import Refused
from evaluation.models import Difference, Edition, Evaluation
from evaluation.services.material import compiled_judgements, lengths_of, placed_run
from limelight.analysis.found_text import FoundDifference, found_differences
from limelight.analysis.parts.difference import DifferenceParts, difference_parts, why_no_parts
from limelight.scoring.evaluators import ENGINE_VERSION, laid_for_scoring
from limelight.scoring.profiles import resolve
from limelight.wording import counted

MOST_KEPT = 100
"""So many pairs a board are kept; the oldest that are finished make room."""
MOST_TEXTS = 50
"""So many documents in which two runs differ most are kept; a topic's are all found when it is asked for."""
FINISHED = (Difference.State.DONE, Difference.State.FAILED)


@dataclass(frozen=True, slots=True, eq=False)
class ToldDifference:
    """What one run minus another is made of, and where they find different text.

    `parts` are None where the kind of task has no ingredients to exchange. `texts` are the documents that differ most,
    `text_count` says how many differ in all; `alone` has for each of the runs, topic by topic, the highlighted
    characters that it alone returns, and `documents` how many documents differ.
    """

    parts: DifferenceParts | None
    texts: tuple
    text_count: int
    alone: np.ndarray
    documents: np.ndarray
    engine: str

    def turned(self):
        """Return the same of the other run minus the one."""
        return replace(
            self,
            parts=self.parts and self.parts.turned(),
            texts=tuple(text.turned() for text in self.texts),
            alone=self.alone[::-1],
        )


def differ(key=None):
    """Compute one difference, without a key the first in line; returns it, or None where there is none."""
    return DIFFERING.work(key)


def request_difference(edition, *, by, one, other):
    """Queue the difference between two evaluations of a board; one that failed is tried again."""
    if edition.state not in (Edition.State.LIVE, Edition.State.SUPERSEDED):
        raise Refused("An edition that is being built is compared when it is live.")
    if seconds := COMPARISONS.seconds_to_wait(by.user.pk):
        raise Refused(f"You asked for many comparisons at once. Try again in {counted(seconds, 'second')}.")
    pair = edition.differences.between(one, other)
    if pair.exclude(state=Difference.State.FAILED).exists():
        return
    first, second = sorted((one, other), key=lambda evaluation: evaluation.pk)
    with transaction.atomic():
        raise_generation(edition.task)  # locks the task: two who ask at once ask one after the other
        if not pair.exists():
            _make_room(edition)
            Difference.objects.enqueue(edition=edition, one=first, other=second)
        pair.filter(state=Difference.State.FAILED).requeue()


def _make_room(edition):
    """Take away the oldest, so that one more is not too many."""
    rows = list(edition.differences.order_by("pk").values_list("pk", "state"))
    too_many = len(rows) + 1 - MOST_KEPT
    finished = [key for key, state in rows if state in FINISHED]
    if too_many > len(finished):
        raise Refused(f"{MOST_KEPT} differences of this board are waiting. Try again when some are computed.")
    edition.differences.filter(pk__in=finished[: max(too_many, 0)]).delete()


def told_by(row, edition):
    """Return what a computed row tells of its first evaluation minus its second."""
    found, topics = row.result, tuple(edition.topic_numbers)
    parts = None
    if row.scores is not None:
        halves = row.text_scores
        parts = DifferenceParts(
            kind=edition.task.kind,
            measure=edition.official_measure,
            topics=topics,
            scores=row.scores.reshape(2, 2, 2, len(topics)),
            text_scores=None if halves is None else halves.reshape(2, 2, 2, 2, len(topics)),
            returned=np.array(found["returned"]).reshape(2, len(topics)),
            shared=np.array(found["shared"]),
        )
    return ToldDifference(
        parts=parts,
        texts=tuple(_read(text) for text in found["texts"]),
        text_count=found["text_count"],
        alone=np.array(found["alone"]).reshape(2, len(topics)),
        documents=np.array(found["documents"]),
        engine=row.engine_version,
    )


def difference_of(edition, columns, topic=""):
    """Compute what one of two runs, laid on text, minus the other is made of; with a topic, of this one alone.

    Raises UncountedTopic where the topic has no score.
    """
    kind, assessments = edition.task.kind, edition.assessment_set
    highlights = compiled_judgements(assessments.columns_file, assessments.content)
    settings = {"profile": edition.profile, "parameters": edition.parameters}
    lengths = {}
    for run in columns:
        lengths |= lengths_of(run, edition.collection) or {}
    parts = None
    if not why_no_parts(kind):
        measure = edition.official_measure
        parts = difference_parts(
            kind, highlights, *columns, **settings, measure=measure, topic=topic, document_lengths=lengths
        )
    parameters = resolve(kind, **settings)
    texts = found_differences(kind, *(laid_for_scoring(highlights, run, parameters, lengths) for run in columns))
    alone, documents = _by_topic(texts, (topic,) if topic else highlights.topics)
    return ToldDifference(parts, tuple(texts), len(texts), alone, documents, ENGINE_VERSION)


def _by_topic(texts, topics):
    """Count for each topic the characters that one run alone returns, and the documents that differ."""
    place_of = {topic: place for place, topic in enumerate(topics)}
    alone, documents = np.zeros((2, len(topics)), dtype=np.int64), np.zeros(len(topics), dtype=np.int64)
    for text in texts:
        place = place_of[text.topic]
        alone[:, place] += text.alone
        documents[place] += 1
    return alone, documents


def _compute(row):
    """Compute a difference, and keep it unless somebody else has the row."""
    started = time.perf_counter()
    edition = Edition.objects.for_board().select_related("collection").get(pk=row.edition_id)
    evaluations = Evaluation.objects.select_related("run__task__track").in_bulk([row.one_id, row.other_id])
    columns = [placed_run(evaluations[key].run, edition) for key in (row.one_id, row.other_id)]
    found = difference_of(edition, columns)
    kept = _kept(found)
    with transaction.atomic():
        raise_generation(edition.task)
        seconds = time.perf_counter() - started
        Difference.objects.finish(row, Difference.State.DONE, **kept, engine_version=found.engine, seconds=seconds)


def _kept(found):
    """Return the columns of a row that tell what was found."""
    result = {
        "texts": [_written(text) for text in found.texts[:MOST_TEXTS]],
        "text_count": found.text_count,
        "alone": found.alone.tolist(),
        "documents": found.documents.tolist(),
    }
    parts = found.parts
    if parts is None:
        return {"scores": None, "text_scores": None, "result": result}
    result |= {"returned": parts.returned.tolist(), "shared": parts.shared.tolist()}
    halves = None if parts.text_scores is None else parts.text_scores.ravel()
    return {"scores": parts.scores.ravel(), "text_scores": halves, "result": result}


def _written(text):
    return [list(value) if isinstance(value, tuple) else value for value in asdict(text).values()]


def _read(written):
    values = (tuple(value) if isinstance(value, list) else value for value in written)
    return FoundDifference(**dict(zip(FoundDifference.__slots__, values, strict=True)))


def _give_up(row):
    """Leave a failed row as it is: the page says so, and whoever asks again has it tried anew."""


DIFFERING = Queue(Difference, _compute, at_the_end=_give_up)
