"""The fast way to read the results of a topic in an XML submission: column by column instead of result by result.

It takes only topics whose results are all of one shape with plain numbers; others are left to the exact reader.
"""

import math
import re
from dataclasses import dataclass

from lxml import etree

from campaign.formats.columns import UNMAPPED

SHAPES = {
    kind: etree.XPath(
        f"not(result[count(file) != 1 or count(file/node()) != 1 or count({kind}) != 1 or count(path|fol|passage) != 1"
        " or count(rank) > 1 or count(rsv) > 1])"
    )
    for kind in ("path", "fol", "passage")
}
LINES_OF_INTEGERS = re.compile(r"(?:[0-9]{1,9}\n)*")
LINES_OF_REALS = re.compile(r"(?:-?[0-9]{1,20}(?:\.[0-9]{1,30})?(?:[eE][+-]?[0-9]{1,3})?\n)*")
LINES_OF_PATHS = re.compile(r"(?:/[^\s]*\n)*")


def _strings(expression):
    return etree.XPath(expression, smart_strings=False)


FILES, PATHS, RANKS, RSVS = (_strings(f"result/{tag}/text()") for tag in ("file", "path", "rank", "rsv"))
OFFSETS, LENGTHS = _strings("result/fol/@offset"), _strings("result/fol/@length")
STARTS, ENDS = _strings("result/passage/@start"), _strings("result/passage/@end")


@dataclass(frozen=True, slots=True)
class TidyResults:
    """The results of one topic as columns; `paths` is empty where spans are given."""

    kind: str
    files: list
    ranks: list
    rsvs: list
    offsets: list
    lengths: list
    paths: list
    lines: list


def tidy_results(topic):
    """Return the results of a topic as columns, or None when the exact reader has to look at them."""
    lines = [result.sourceline for result in topic.iterchildren("result")]
    count = len(lines)
    first = next(topic.iterfind("result/*"), None) if count else None
    kind = first is not None and next((child.tag for child in first.getparent() if child.tag in SHAPES), None)
    if not kind or not SHAPES[kind](topic):
        return None
    files = stripped(FILES(topic), count)
    ranks = integers(RANKS(topic) or [str(number) for number in range(1, count + 1)], count)
    rsvs = reals(RSVS(topic) or ["0"] * count, count)
    offsets, lengths, paths = [UNMAPPED] * count, [0] * count, []
    if kind == "fol":
        offsets, lengths = integers(OFFSETS(topic), count), integers(LENGTHS(topic), count)
    elif kind == "path":
        paths = element_paths(PATHS(topic), count)
    else:
        starts, ends = element_paths(STARTS(topic), count), element_paths(ENDS(topic), count)
        paths = starts and ends and [f"{start} {end}" for start, end in zip(starts, ends, strict=True)]
    if None in (files, ranks, rsvs, offsets, lengths, paths):
        return None
    return TidyResults(kind, files, ranks, rsvs, offsets, lengths, paths, lines)


def stripped(texts, count):
    """Return texts without the white space around them, or None unless there are so many that say something."""
    texts = [text.strip() for text in texts]
    return texts if len(texts) == count and all(texts) else None


def integers(texts, count):
    """Return texts as whole numbers, or None when one of them isn't plainly one."""
    texts = stripped(texts, count)
    return list(map(int, texts)) if texts and LINES_OF_INTEGERS.fullmatch("\n".join(texts) + "\n") else None


def reals(texts, count):
    """Return texts as finite numbers, or None when one of them isn't plainly one."""
    texts = stripped(texts, count)
    if not texts or not LINES_OF_REALS.fullmatch("\n".join(texts) + "\n"):
        return None
    numbers = list(map(float, texts))
    return numbers if all(map(math.isfinite, numbers)) else None


def element_paths(texts, count):
    """Return texts as element paths, or None when one of them isn't plainly one."""
    texts = stripped(texts, count)
    return texts if texts and LINES_OF_PATHS.fullmatch("\n".join(texts) + "\n") else None
