"""Text read for the first time: what is left of results that overlap, and how far a patient reader comes.

The results of all documents are cut at every point where one begins or ends. Each piece belongs to the earliest result
that covers it; a table over powers of two finds that result for all pieces at once.
"""

from typing import TYPE_CHECKING

import numpy as np

from limelight.arrays import Flags, Integers
from limelight.scoring.spans import Highlights, LaidRun
from limelight.scoring.topicwise import cumulative, totals

if TYPE_CHECKING:
    from limelight.scoring.articles import Articles

NOBODY = np.iinfo(np.int64).max
"""Reader of a piece of text that no result covers."""


def first_retrieved(laid: LaidRun, article: Integers) -> tuple[Integers, Integers]:
    """Count for each result the characters, and the highlighted ones, that no earlier result of its article holds.

    A result without a known place retrieves nothing here.
    """
    sizes = np.where(laid.unmapped, 0, laid.length)
    tangled = _tangled(laid, article)
    spans = np.flatnonzero(tangled & (sizes > 0))
    if not len(spans):
        return sizes, laid.relevant
    relevant = laid.relevant.copy()
    sizes[spans] = relevant[spans] = 0
    base = _bases(article[spans], laid.offset[spans] + laid.length[spans], article.max() + 1)[article[spans]]
    start = base + laid.offset[spans]
    end = start + laid.length[spans]
    cuts = np.unique(np.concatenate((start, end)))
    owner = earliest_covering(np.searchsorted(cuts, start), np.searchsorted(cuts, end), len(cuts) - 1)
    pieces = np.flatnonzero(owner != NOBODY)
    owner = owner[pieces]
    np.add.at(sizes, spans[owner], cuts[pieces + 1] - cuts[pieces])

    judgement = laid.judgement[spans[owner]]
    judged = judgement >= 0
    pieces, owner, judgement = pieces[judged], owner[judged], judgement[judged]
    highlighted = laid.highlights.overlap(judgement, cuts[pieces] - base[owner], cuts[pieces + 1] - base[owner])
    np.add.at(relevant, spans[owner], highlighted)
    return sizes, relevant


def reading_effort(laid: LaidRun, articles: "Articles", tolerance: int) -> tuple[Integers, Integers]:
    """Count the characters a reader takes in from each relevant article before giving up: relevant and irrelevant.

    The reader takes the retrieved passages in the order of the run, then the rest of the document, never reads the same
    text twice, and stops at the irrelevant character that fills the tolerance. A document of unknown length ends
    with its last highlighted or retrieved character.
    """
    highlights = laid.highlights
    wanted = np.flatnonzero(articles.relevant)
    read = np.zeros(len(articles.first), dtype=np.int64)
    wasted = np.zeros(len(articles.first), dtype=np.int64)
    if not len(wanted):
        return read, wasted
    number = np.full(len(articles.first), -1, dtype=np.int64)
    number[wanted] = np.arange(len(wanted))
    judgement = articles.judgement[wanted]

    spans = np.flatnonzero((laid.length > 0) & ~laid.unmapped & articles.relevant[articles.article])
    owner = number[articles.article[spans]]
    text_end = np.maximum(highlights.document_length[judgement], highlights.extent[judgement])
    reach = text_end.copy()
    np.maximum.at(reach, owner, laid.offset[spans] + laid.length[spans])
    base = np.concatenate(([0], np.cumsum(reach + 1)))[:-1]
    start = base[owner] + laid.offset[spans]
    end = start + laid.length[spans]

    passage, passage_owner = _passages(highlights, judgement)
    passage_start = base[passage_owner] + highlights.start[passage] - highlights.base[judgement[passage_owner]]
    passage_end = passage_start + highlights.length[passage]
    cuts = np.unique(np.concatenate((start, end, passage_start, passage_end, base, base + text_end)))
    reader = earliest_covering(np.searchsorted(cuts, start), np.searchsorted(cuts, end), len(cuts) - 1)
    document = np.searchsorted(base, cuts[:-1], side="right") - 1
    inside = (reader != NOBODY) | (cuts[:-1] < (base + text_end)[document])
    reader, document, place = reader[inside], document[inside], cuts[:-1][inside]
    length = np.diff(cuts)[inside]

    order = np.lexsort((place, reader, document))
    document, place, length = document[order], place[order], length[order]
    offset = place - base[document]
    is_relevant = highlights.overlap(judgement[document], offset, offset + length) > 0
    bounds = np.searchsorted(document, np.arange(len(wanted) + 1))
    irrelevant = np.where(is_relevant, 0, length)
    patience = cumulative(irrelevant, bounds) - irrelevant < tolerance
    read[wanted] = totals(np.where(is_relevant & patience, length, 0), bounds)
    wasted[wanted] = np.minimum(totals(irrelevant, bounds), tolerance)
    return read, wasted


def earliest_covering(left: Integers, right: Integers, piece_count: int) -> Integers:
    """Return for each piece the first of the ranges [left, right) that covers it, NOBODY where none does."""
    order = np.arange(len(left))
    power = np.frexp((right - left).astype(np.float64))[1] - 1
    above = np.full(piece_count, NOBODY, dtype=np.int64)
    for exponent in range(int(power.max(initial=0)), -1, -1):
        width = 1 << exponent
        level = above.copy()
        if width < piece_count:
            np.minimum(level[width:], above[:-width], out=level[width:])
        chosen = power == exponent
        np.minimum.at(level, left[chosen], order[chosen])
        np.minimum.at(level, right[chosen] - width, order[chosen])
        above = level
    return above


def smallest_within(values: Integers, left: Integers, right: Integers) -> Integers:
    """Return the smallest value of each of the ranges [left, right), none of them empty, however they overlap.

    >>> smallest_within(np.array([3, 1, 4, 2]), np.array([0, 2, 0]), np.array([1, 4, 4])).tolist()
    [3, 2, 1]
    """
    power = np.frexp((right - left).astype(np.float64))[1] - 1
    smallest = np.empty(len(left), dtype=values.dtype)
    for exponent in range(int(power.max(initial=-1)) + 1):
        width = 1 << exponent
        chosen = power == exponent
        smallest[chosen] = np.minimum(values[left[chosen]], values[right[chosen] - width])
        values = np.minimum(values[:-width], values[width:])
    return smallest


def _tangled(laid: LaidRun, article: Integers) -> Flags:
    # Tell for each result whether results of its article overlap: the others need no cutting up.
    position = article * (1 << 33) + laid.offset
    end = position + laid.length
    if (position[1:] < position[:-1]).any():
        order = np.argsort(position, kind="stable")
        position, end, owner = position[order], end[order], article[order]
    else:
        owner = article
    overlapping = np.zeros(article.max(initial=-1) + 1, dtype=bool)
    overlapping[owner[1:][(owner[1:] == owner[:-1]) & (position[1:] < end[:-1])]] = True
    return overlapping[article]


def _passages(highlights: Highlights, judgement: Integers) -> tuple[Integers, Integers]:
    # The passages of each judgement stand together on the axis; entry 0 is the empty one before them all.
    begin = np.searchsorted(highlights.start, highlights.base[judgement])
    begin = np.maximum(begin, 1)
    finish = np.searchsorted(highlights.start, highlights.base[judgement] + highlights.extent[judgement])
    counts = finish - begin
    owner = np.repeat(np.arange(len(judgement)), counts)
    within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    return begin[owner] + within, owner


def _bases(article: Integers, end: Integers, article_count: int) -> Integers:
    # One free position between two articles keeps a piece from reaching across.
    extent = np.zeros(article_count, dtype=np.int64)
    np.maximum.at(extent, article, end)
    return np.concatenate(([0], np.cumsum(extent + 1)))[:-1]
