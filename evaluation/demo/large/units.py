"""What systems can return: the articles cut into units in several ways, and how much of each is about a theme."""

import re
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

CANDIDATES = 2_200
"""Units that come into question for a topic: all that tell of it, and others that happen to."""

WINDOW = 700
SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


@dataclass(frozen=True)
class Cut:
    """All units of one way to cut: the articles they are in, where they begin and end, and their paths if elements."""

    article: np.ndarray
    start: np.ndarray
    end: np.ndarray
    paths: tuple[str, ...]

    @property
    def is_of_elements(self):
        """Return whether the units are elements."""
        return bool(self.paths)


@dataclass(frozen=True)
class Field:
    """The units of a cut that come into question for each topic, with the share of each that is about it."""

    cut: Cut
    unit: np.ndarray
    share: np.ndarray


def _tag(element):
    return element.path.rpartition("/")[2].partition("[")[0]


def _depth(element):
    return element.path.count("/section[")


def _paragraphs(article):
    return [(element.offset, element.offset + element.length, element.path) for element in article.paragraphs]


def _sections(article):
    """Cut into outermost sections, and the paragraphs before the first."""
    outermost = [element for element in article.text.elements if _tag(element) == "section" and _depth(element) == 1]
    before = [element for element in article.paragraphs if not _depth(element)]
    return [(element.offset, element.offset + element.length, element.path) for element in before + outermost]


def _whole(article):
    return [(0, len(article.text), "/article[1]")]


def _mixed(article):
    """Cut every other article into sections, the rest into paragraphs."""
    return _sections(article) if int(article.identifier[1:]) % 2 else _paragraphs(article)


def _everything(article):
    return _paragraphs(article) + _sections(article) + _whole(article)


def _windows(article):
    """Cut into passages of about equal length that begin with a word."""
    text = article.text.text
    begins = [text.find(" ", place) + 1 for place in range(WINDOW, len(text) - WINDOW // 2, WINDOW)]
    bounds = [0, *sorted({begin for begin in begins if begin}), len(text)]
    return [(start, end, "") for start, end in pairwise(bounds)]


def _sentences(article):
    """Cut each paragraph into pairs of sentences."""
    units = []
    for element in article.paragraphs:
        inside = article.text.text[element.offset : element.offset + element.length]
        ends = [found.end() for found in SENTENCE_END.finditer(inside)][1::2]
        bounds = [0, *ends, len(inside)]
        units += [(element.offset + start, element.offset + end, "") for start, end in pairwise(bounds)]
    return units


CUTS = {
    "par": _paragraphs,
    "sec": _sections,
    "art": _whole,
    "mix": _mixed,
    "all": _everything,
    "win": _windows,
    "sent": _sentences,
}
"""The ways to cut by their short names; units of one cut don't overlap, except where it has `all` elements."""


def cut(name, articles):
    """Cut all articles in one way."""
    units = [
        (place, *unit) for place, article in enumerate(articles) for unit in CUTS[name](article) if unit[1] > unit[0]
    ]
    article, start, end, paths = zip(*units, strict=True)
    return Cut(np.array(article), np.array(start), np.array(end), paths if any(paths) else ())


def field(seed, units, truth, theme_count):
    """Choose for each topic the units that come into question."""
    generator = np.random.default_rng([seed, len(units.article)])
    shares = np.stack([_shares(units, truth[theme]) for theme in range(theme_count)])
    # What tells of the theme comes first, what else comes in is drawn.
    luck = generator.random(shares.shape, dtype=np.float32) + 2 * (shares > 0)
    count = min(CANDIDATES, shares.shape[1])
    chosen = np.sort(np.argpartition(-luck, count - 1, axis=1)[:, :count], axis=1)
    return Field(units, chosen, np.take_along_axis(shares, chosen, axis=1))


def _shares(units, told):
    """Return for each unit the share of its text that is about one theme."""
    covered = np.zeros(len(units.start), dtype=np.float32)
    bounds = np.searchsorted(units.article, np.arange(units.article[-1] + 2))
    for place, spans in told.items():
        inside = slice(bounds[place], bounds[place + 1])
        for start, end in spans:
            both = np.minimum(units.end[inside], end) - np.maximum(units.start[inside], start)
            covered[inside] += np.maximum(both, 0)
    return covered / (units.end - units.start)
