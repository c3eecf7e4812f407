"""A run reduced to its articles: each document once a topic, at its first appearance."""

from dataclasses import dataclass

import numpy as np

from limelight.arrays import Flags, Integers
from limelight.formats.assessments.columns import UNKNOWN
from limelight.scoring.first_read import first_retrieved
from limelight.scoring.spans import LaidRun
from limelight.scoring.topicwise import bounds_of, cumulative


@dataclass(frozen=True, slots=True, eq=False)
class Articles:
    """The documents of a run in the order of their first results; topics end to end as `bounds` says.

    `article` has one entry a result: the article it belongs to. `first` is each article's first result, `contained` the
    highlighted characters it contains, `relevant` whether there are any.
    """

    bounds: Integers
    topic: Integers
    first: Integers
    judgement: Integers
    contained: Integers
    relevant: Flags
    article: Integers


def articles_of(laid: LaidRun) -> Articles:
    """Reduce a run to documents at their first appearance; results of a document that comes back later join it."""
    key = laid.document_key
    begins = np.ones(len(key), dtype=bool)
    begins[1:] = key[1:] != key[:-1]
    first = np.flatnonzero(begins)
    article = np.cumsum(begins) - 1
    in_order = np.sort(key[first])
    if (in_order[1:] == in_order[:-1]).any():
        _, earliest, same = np.unique(key[first], return_index=True, return_inverse=True)
        order = np.argsort(earliest, kind="stable")
        number = np.empty_like(order)
        number[order] = np.arange(len(order))
        article = number[same][article]
        first = first[earliest[order]]

    highlights = laid.highlights
    judgement = laid.judgement[first]
    contained = np.zeros(len(first), dtype=np.int64)
    contained[judgement >= 0] = highlights.relevant[judgement[judgement >= 0]]
    return Articles(
        bounds=bounds_of(laid.topic[first], len(highlights.topics)),
        topic=laid.topic[first],
        first=first,
        judgement=judgement,
        contained=contained,
        relevant=contained > 0,
        article=article,
    )


@dataclass(frozen=True, slots=True, eq=False)
class RunningArticles:
    """The articles of the list that ends at each result: how many, and how many of them relevant.

    `finds` marks the results that are the first of a relevant one.
    """

    retrieved: Integers
    found: Integers
    finds: Flags


def running_articles(articles: Articles, bounds: Integers) -> RunningArticles:
    """Count the articles of the lists that end at each result; `bounds` are those of the results."""
    opens, finds = np.zeros((2, bounds[-1]), dtype=bool)
    opens[articles.first] = True
    finds[articles.first] = articles.relevant
    return RunningArticles(
        retrieved=cumulative(opens, bounds),
        found=cumulative(finds, bounds),
        finds=finds,
    )


def retrieved_text(laid: LaidRun, articles: Articles, unmapped_size: int = 0) -> tuple[Integers, Integers]:
    """Count the characters that a run retrieves from each article, and the highlighted ones among them.

    Text retrieved twice counts once. A result without a known place adds `unmapped_size` characters, none of them
    highlighted.
    """
    sizes, relevant = first_retrieved(laid, articles.article)
    if laid.unmapped.any():
        sizes = np.where(laid.unmapped, unmapped_size, sizes)
    return _sums(sizes, articles), _sums(relevant, articles)


def entry_distances(laid: LaidRun, articles: Articles) -> Integers:
    """Return how far the entry point of each document is from the assessor's; UNKNOWN where one of them is not known.

    A document's first result is its entry point. A document without highlighting has no entry point that counts.
    """
    distances = np.full(len(articles.first), UNKNOWN, dtype=np.int64)
    placed = np.flatnonzero(articles.relevant & ~laid.unmapped[articles.first])
    entry_point = laid.highlights.entry_point[articles.judgement[placed]]
    placed, entry_point = placed[entry_point != UNKNOWN], entry_point[entry_point != UNKNOWN]
    distances[placed] = np.abs(laid.offset[articles.first[placed]] - entry_point)
    return distances


def _sums(values: Integers, articles: Articles) -> Integers:
    sums = np.zeros(len(articles.first), dtype=np.int64)
    np.add.at(sums, articles.article, values)
    return sums
