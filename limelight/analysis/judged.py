"""How much of what a run puts first was judged at all.

A document is judged for a topic when the assessments have a line for it. Where the lines of a topic name relevant
documents only, nobody can know what else was read: such a topic is taken as fully judged, and where all topics are so,
nothing is said.
"""

from collections.abc import Iterable

import numpy as np

from limelight.arrays import Flags, Reals
from limelight.formats.assessments.columns import UNKNOWN, JudgementColumns
from limelight.kinds import kind_of
from limelight.scoring.articles import articles_of
from limelight.scoring.spans import Highlights, LaidRun
from limelight.scoring.topicwise import at_rank, cumulative, ratio

DEPTH = 10
NOT_KNOWN = "These assessments list only relevant documents; which others were read is not known."


def lists_only_relevant(highlights: Highlights) -> Flags:
    """Tell of each topic whether its assessments have no line for a document without relevant text."""
    read_in_vain = highlights.key[highlights.relevant == 0] // max(len(highlights.documents), 1)
    return np.bincount(read_in_vain, minlength=len(highlights.topics)) == 0


def knows_what_was_read(highlights: Highlights) -> bool:
    """Return whether at least one topic tells which documents were read in vain."""
    return not lists_only_relevant(highlights).all()


def are_judged(laid: LaidRun) -> Flags:
    """Tell of each result whether its document was judged for its topic."""
    return (laid.judgement >= 0) | lists_only_relevant(laid.highlights)[laid.topic]


def counts_characters(kind: str) -> bool:
    """Return whether results of a kind of task are counted by their text, and not by their documents."""
    return kind_of(kind).has_places and not kind_of(kind).in_context


def judged_shares(laid: LaidRun, kind: str, depth: int = DEPTH) -> Reals:
    """Return for each topic which share of the first documents was judged.

    Where text is ranked rather than documents (Focused, Thorough), it is the share of the characters of the first
    results. A topic that the run leaves out has a share of 0.
    """
    judged = are_judged(laid)
    if counts_characters(kind):
        sizes, bounds = np.where(laid.unmapped, 0, laid.length), laid.bounds
    else:
        articles = articles_of(laid)
        judged, bounds = judged[articles.first], articles.bounds
        sizes = np.ones(len(judged), dtype=np.int64)
    known = at_rank(cumulative(np.where(judged, sizes, 0), bounds), bounds, depth)
    return ratio(known, at_rank(cumulative(sizes, bounds), bounds, depth))


def judged_share(laid: LaidRun, kind: str, depth: int = DEPTH) -> float | None:
    """Return the mean share over the topics, as the board shows it; None where nobody knows what was read."""
    return float(judged_shares(laid, kind, depth).mean()) if knows_what_was_read(laid.highlights) else None


def not_known_sentence(highlights: Highlights) -> str:
    """Say of how many topics nobody knows what else was read; nothing where that is known of all."""
    alone = lists_only_relevant(highlights)
    if alone.all():
        return NOT_KNOWN
    if not alone.any():
        return ""
    which = "1 topic lists" if alone.sum() == 1 else f"{alone.sum()} topics list"
    return f"{which} only relevant documents and {'is' if alone.sum() == 1 else 'are'} taken as fully judged."


def with_read_documents(judgements: JudgementColumns, read: Iterable[tuple[str, str]]) -> JudgementColumns:
    """Return assessments with a line without highlighting for each (topic, document) that was read and has no line.

    A pool tells what assessors read; scores do not change by it.
    """
    topics = {name: number for number, name in enumerate(judgements.topics)}
    documents = {name: number for number, name in enumerate(judgements.documents)}
    judged = set(zip(judgements.topic.tolist(), judgements.document.tolist(), strict=True))
    added = [
        pair
        for pair in dict.fromkeys(
            (topics[topic], documents.setdefault(document, len(documents)))
            for topic, document in read
            if topic in topics
        )
        if pair not in judged
    ]
    new_topic, new_document = np.array(added, dtype=np.int64).reshape(-1, 2).T
    topic = np.concatenate((judgements.topic, new_topic))
    order = np.argsort(topic, kind="stable")
    moved = np.empty_like(order)
    moved[order] = np.arange(len(order))
    owner = moved[judgements.judgement]
    by_owner = np.argsort(owner, kind="stable")
    nothing = np.full(len(added), UNKNOWN, dtype=np.int64)
    return JudgementColumns(
        topics=judgements.topics,
        documents=tuple(documents),
        topic=topic[order],
        document=np.concatenate((judgements.document, new_document))[order],
        document_length=np.concatenate((judgements.document_length, nothing))[order],
        entry_point=np.concatenate((judgements.entry_point, nothing))[order],
        line=np.concatenate((judgements.line, nothing))[order],
        judgement=owner[by_owner],
        offset=judgements.offset[by_owner],
        length=judgements.length[by_owner],
        axis=judgements.axis,
    )
