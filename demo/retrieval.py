"""Small but real retrieval: documents cut into units, units indexed by their terms, terms weighed by a model."""

import math
import re
from bisect import bisect_left
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from typing import NamedTuple

import Stemmer

WORD = re.compile(r"[^\W_]+")
SENTENCE_END = re.compile(r"(?:(?<=[.!?])|(?<=[.!?][”’)]))\s+(?=[“‘(]?[A-Z0-9])")
STEP = re.compile(r"([^/\[]+)\[\d+\]\Z")
BLOCKS = ("p", "item", "note", "table", "figure")
DECIMALS = 4
STOP_WORDS = frozenset(
    WORD.findall(
        """
        a about above after again all also an and any are as at be because been before being below between both but by
        can could did do does done down each either every few find for from had has have he her here him his how i if
        in into is it its itself less like made make many may me more most much must my neither no nor not now of off
        on once one only or other our out over own put same she should so some such than that the their them
        themselves then there these they this those through to too under until up upon us very was we were what when
        where whether which while who whom whose why will with without would you your
        """
    )
)


class Unit(NamedTuple):
    """A retrievable stretch of one document's text; the path is empty where it isn't one element."""

    document: str
    offset: int
    length: int
    path: str = ""

    @property
    def end(self):
        """Return the place after the last character."""
        return self.offset + self.length


class Scored(NamedTuple):
    """A unit with the number that its system gave it."""

    rsv: float
    unit: Unit


def tag(path):
    """Return the name of the element that a path leads to.

    >>> tag("/article[1]/body[1]/section[2]")
    'section'
    """
    return STEP.search(path)[1]


def articles(document):
    """Yield the whole document as one unit."""
    yield Unit(document.identifier, 0, len(document), document.elements[0].path)


def elements(document, tags):
    """Yield every element of the given kinds, also those inside one another."""
    for element in document.elements:
        if tag(element.path) in tags and document.text[element.offset :][: element.length].strip():
            yield Unit(document.identifier, element.offset, element.length, element.path)


def retrievable_elements(document):
    """Yield sections and all that reads like a paragraph."""
    return elements(document, ("section", *BLOCKS))


def outermost(units):
    """Yield units in document order without those that lie inside an earlier one."""
    reached = 0
    for unit in units:
        if unit.offset >= reached:
            reached = unit.end
            yield unit


def paragraphs(document):
    """Yield paragraphs and what stands in their place: list items, notes, tables and figures."""
    return outermost(elements(document, BLOCKS))


def sections(document):
    """Yield the text before the first section, and then the outermost sections."""
    outer = list(outermost(elements(document, ("section",))))
    opening = [unit for unit in paragraphs(document) if not outer or unit.end <= outer[0].offset]
    if opening:
        yield Unit(document.identifier, opening[0].offset, opening[-1].end - opening[0].offset)
    yield from outer


def sentences(document):
    """Yield the sentences of the paragraphs."""
    for paragraph in paragraphs(document):
        text = document.text[paragraph.offset : paragraph.end]
        breaks = [(0, 0), *(match.span() for match in SENTENCE_END.finditer(text)), (len(text), len(text))]
        for (_, start), (end, _) in pairwise(breaks):
            if sentence := text[start:end].strip():
                start += text[start:end].index(sentence)
                yield Unit(document.identifier, paragraph.offset + start, len(sentence))


def windows(document, words, step):
    """Yield passages of so many words, each beginning a step after the one before."""
    spans = [match.span() for match in WORD.finditer(document.text)]
    for first in range(0, max(len(spans) - words + step, 1), step):
        inside = spans[first : first + words]
        yield Unit(document.identifier, inside[0][0], inside[-1][1] - inside[0][0])


@dataclass(frozen=True)
class Analyser:
    """How words become terms."""

    stems: bool = True
    stops: bool = True

    def terms(self, text):
        """Yield the terms of a text with the places where their words begin."""
        for match in WORD.finditer(text):
            word = match[0].lower()
            if len(word) > 1 and not (self.stops and word in STOP_WORDS):
                yield stem(word) if self.stems else word, match.start()

    def query(self, text):
        """Return the terms of a query with how often each occurs."""
        return Counter(term for term, _ in self.terms(text))


@cache
def stem(word):
    """Return the Snowball stem of an English word.

    >>> stem("theatres")
    'theatr'
    """
    return Stemmer.Stemmer("english").stemWord(word)


class Index:
    """Which terms occur in which units, and how often."""

    def __init__(self, documents, units_of, analyser):
        """Count the terms of every unit that the documents are cut into."""
        self.units = []
        self.lengths = []
        self.postings = defaultdict(dict)
        for document in documents:
            terms = list(analyser.terms(document.text))
            places = [place for _, place in terms]
            for unit in units_of(document):
                inside = terms[bisect_left(places, unit.offset) : bisect_left(places, unit.end)]
                number = len(self.units)
                self.units.append(unit)
                self.lengths.append(len(inside))
                for term, frequency in Counter(term for term, _ in inside).items():
                    self.postings[term][number] = frequency

    @cached_property
    def total_length(self):
        """Return the number of terms in all units."""
        return sum(self.lengths)

    def idf(self, term):
        """Return how rare a term is: log(1 + (N - n + 0.5) / (n + 0.5))."""
        containing = len(self.postings.get(term, ()))
        return math.log(1 + (len(self.units) - containing + 0.5) / (containing + 0.5))

    def ranked(self, scores):
        """Return scored units, best first; rounding comes before sorting, so that ties are the same everywhere."""
        scored = [Scored(round(score, DECIMALS), self.units[number]) for number, score in scores.items()]
        return sorted(scored, key=lambda one: (-one.rsv, one.unit))


def bm25(index, query, k1=1.2, b=0.75):
    """Score the units with a query term: sum of weight idf tf (k1 + 1) / (tf + k1 (1 - b + b length / mean))."""
    mean = index.total_length / len(index.units)
    scores = defaultdict(float)
    for term, weight in query.items():
        for number, frequency in index.postings.get(term, {}).items():
            norm = k1 * (1 - b + b * index.lengths[number] / mean)
            scores[number] += weight * index.idf(term) * frequency * (k1 + 1) / (frequency + norm)
    return scores


def dirichlet(index, query, mu=100):
    """Score the units with a query term: sum of weight log((tf + mu p) / (length + mu)), p the collection's share."""
    known = {term: weight for term, weight in query.items() if term in index.postings}
    shares = {term: sum(index.postings[term].values()) / index.total_length for term in known}
    matching = dict.fromkeys(number for term in known for number in index.postings[term])
    return {
        number: sum(
            weight * math.log((index.postings[term].get(number, 0) + mu * shares[term]) / (index.lengths[number] + mu))
            for term, weight in known.items()
        )
        for number in matching
    }


def term_count(index, query):
    """Score the units by how many of their words are query words, rare or not, repeated or not."""
    scores = Counter()
    for term in query:
        scores.update(index.postings.get(term, {}))
    return scores


def density(index, query):
    """Score the units with a query term: sum of weight idf min(tf, 2), divided by the root of the length."""
    scores = defaultdict(float)
    for term, weight in query.items():
        for number, frequency in index.postings.get(term, {}).items():
            scores[number] += weight * index.idf(term) * min(frequency, 2) / math.sqrt(index.lengths[number])
    return scores


def expanded(index, query, scores, units=8, terms=12, share=0.4):
    """Return the query with the weightiest terms of the best units added, as pseudo relevance feedback."""
    best = sorted(scores, key=lambda number: (-round(scores[number], DECIMALS), number))[:units]
    weights = {}
    for term, postings in index.postings.items():
        frequencies = [postings[number] / index.lengths[number] for number in best if number in postings]
        if len(frequencies) > 1 and term not in query:
            weights[term] = round(sum(frequencies) * index.idf(term), DECIMALS)
    added = sorted(weights, key=lambda term: (-weights[term], term))[:terms]
    heaviest = max((weights[term] for term in added), default=1)
    return {**query, **{term: share * weights[term] / heaviest for term in added}}


def without_overlap(ranked):
    """Yield the scored units that share no text with a better one."""
    taken = defaultdict(list)
    for one in ranked:
        spans = taken[one.unit.document]
        if all(one.unit.end <= other.offset or other.end <= one.unit.offset for other in spans):
            spans.append(one.unit)
            yield one
