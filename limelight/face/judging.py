"""What nobody judged, of a run that was scored: shares, bounds, ranges, and the list without it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from limelight.analysis.judged import judged_shares, knows_what_was_read, not_known_sentence, with_read_documents
from limelight.analysis.unjudged_runs import DEPTH, TopicRanges, highest_means, topic_ranges, without_unjudged
from limelight.face.collection import Collection
from limelight.face.files import File, assessments_with_warnings, given_collection
from limelight.face.pools import read_pools
from limelight.face.refusals import Refusal, argument
from limelight.face.scores import Scores
from limelight.formats.assessments.reading import Assessments
from limelight.scoring.evaluators import evaluate, laid_for_scoring


@dataclass(frozen=True, slots=True)
class Judged:
    """How much of a run's first results was judged, and what its scores could have been; by the measures' names.

    `bounds` are sharp, lowest is the score itself. `ranges` of the means and `topic_ranges`, by topic, hold where only
    text in unjudged documents that this run returned may be relevant. `condensed` are the means without unjudged
    results. All but the sentence is empty where nobody knows what was read.
    """

    share: float | None
    topic_shares: dict[str, float]
    bounds: dict[str, tuple[float, float]]
    ranges: dict[str, tuple[float, float]]
    topic_ranges: dict[str, dict[str, tuple[float, float]]]
    condensed: dict[str, float]
    sentence: str


def judged(scores: Scores, depth: int = DEPTH) -> Judged:
    """Tell of a scored run what of it was judged, and what that leaves open."""
    highlights, result = scores.reference.highlights, scores.result
    sentence = not_known_sentence(highlights)
    if not knows_what_was_read(highlights):
        return Judged(None, {}, {}, {}, {}, {}, sentence)
    laid = laid_for_scoring(highlights, scores.run, result.parameters, scores.reference.collection)
    shares = judged_shares(laid, result.kind)
    highest = highest_means(laid, result.kind, result.parameters, result.measures)
    ranges = topic_ranges(laid, result.kind, result.parameters, depth)
    return Judged(
        share=float(shares.mean()),
        topic_shares=dict(zip(result.topics, shares.tolist(), strict=True)),
        bounds={name: (result.means[name], high) for name, high in highest.items()},
        ranges={name: found.mean for name, found in ranges.items()},
        topic_ranges={name: _by_topic(result.topics, found) for name, found in ranges.items()},
        condensed=condensed_means(scores),
        sentence=sentence,
    )


def condensed_means(scores: Scores) -> dict[str, float]:
    """Score the run again without the results in unjudged documents."""
    result, reference = scores.result, scores.reference
    return evaluate(
        result.kind,
        reference.highlights,
        without_unjudged(scores.run, reference.highlights),
        profile=result.profile,
        parameters=result.parameters,
        measures=[measure.name for measure in result.measures],
        document_lengths=reference.collection,
    ).means


def pooled_assessments(assessments: File, pool: File, collection: File | Collection | None = None) -> Assessments:
    """Read assessments together with the pool that tells what else was read."""
    read, _ = assessments_with_warnings(assessments, given_collection(collection))
    if read.judgements is None:
        raise Refusal([(argument("pool"), f" is for highlighted text; {assessments} has grades.")])
    pairs = [(pooled.topic, pooled.document) for pooled in read_pools(pool)]
    return replace(read, judgements=with_read_documents(read.judgements, pairs))


def _by_topic(topics: Sequence[str], found: TopicRanges) -> dict[str, tuple[float, float]]:
    ends = zip(found.lowest.tolist(), found.ceiling.tolist(), strict=True)
    return dict(zip(topics, ends, strict=True))
