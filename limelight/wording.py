"""Words in sentences: people's own where no element can hold them, and how many there are of a thing."""

import re
import unicodedata

TURNS_TEXT_ROUND = set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Marks that change the direction of all text after them, whoever wrote it."""

WITHOUT_TURNS = dict.fromkeys(map(ord, TURNS_TEXT_ROUND))
JOINER = "\u200d"

LONGEST_REMARK = 2_000
"""Characters of a reason, a note or a description that somebody writes into a form."""


def without_direction_marks(text: str) -> str:
    r"""Return a text without the marks that turn the direction of others' text.

    >>> without_direction_marks("\u202eteam")
    'team'
    """
    return text.translate(WITHOUT_TURNS)


def one_line(text: str) -> str:
    r"""Return text as one line, without the characters that break lines or turn the direction of others' text.

    >>> one_line("Lund\r\nBcc: all@example.org\x00 \u202eteam")
    'Lund Bcc: all@example.org team'
    """
    kept = (" " if unicodedata.category(mark) in ("Cc", "Zl", "Zp") else mark for mark in without_direction_marks(text))
    return " ".join("".join(kept).split())


def shortened(text: str, longest: int) -> str:
    """Return a text, or its beginning where it is too long.

    >>> shortened("Argand", 10), shortened("Argand and Drummond", 10)
    ('Argand', 'Argand an…')
    """
    return text if len(text) <= longest else text[: longest - 1].rstrip(f"{JOINER} ") + "…"


def counted(count: int, noun: str) -> str:
    """Write how many there are of something.

    >>> counted(1, "problem"), counted(1200, "new run"), counted(2, "entry"), counted(0, "address")
    ('1 problem', '1,200 new runs', '2 entries', '0 addresses')
    """
    return f"{count:,} {noun if count == 1 else several(noun)}"


SPELLED = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def in_words(count: int) -> str:
    """Write a small number as a word.

    >>> in_words(5), in_words(72), in_words(1200)
    ('five', '72', '1,200')
    """
    return SPELLED[count] if count < len(SPELLED) else f"{count:,}"


def spelled(count: int, noun: str) -> str:
    """Write how many there are of something, small numbers as words.

    >>> spelled(1, "run"), spelled(5, "run"), spelled(0, "run"), spelled(13, "run")
    ('one run', 'five runs', 'no runs', '13 runs')
    """
    return f"{in_words(count)} {noun if count == 1 else several(noun)}"


ORDERED = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def ordinal(place: int) -> str:
    """Write a place, small ones as words.

    >>> ordinal(3), ordinal(11), ordinal(22), ordinal(112), ordinal(1203)
    ('third', '11th', '22nd', '112th', '1,203rd')
    """
    if place < len(ORDERED):
        return ORDERED[place]
    ending = "th" if place % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place:,}{ending}"


def several(noun: str) -> str:
    """Return the plural of a noun of ours."""
    if re.search("[^aeiou]y$", noun):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if re.search("(s|x|ch|sh)$", noun) else f"{noun}s"
