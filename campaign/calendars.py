"""Moments as calendars read them, by RFC 5545; without Django."""

from dataclasses import dataclass
from datetime import UTC, datetime

from limelight.wording import one_line

LINE = 75
"""Octets of a line; what is longer goes on in the next one, which begins with a blank."""
BEFORE = (
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Limelight//Deadlines//EN",
    "CALSCALE:GREGORIAN",
    "METHOD:PUBLISH",
    "REFRESH-INTERVAL;VALUE=DURATION:PT6H",
    "X-PUBLISHED-TTL:PT6H",
)


@dataclass(frozen=True, slots=True)
class Moment:
    """One moment in a calendar; its key never changes and is nobody else's, and `since` is when it was first told."""

    key: str
    at: datetime
    title: str
    text: str
    address: str
    since: datetime


def as_calendar(name, moments):
    """Return a calendar of moments."""
    lines = [*BEFORE, f"X-WR-CALNAME:{escaped(name)}"]
    for moment in moments:
        lines += [
            "BEGIN:VEVENT",
            f"UID:{escaped(moment.key)}",
            f"DTSTAMP:{in_utc(moment.since)}",
            f"DTSTART:{in_utc(moment.at)}",
            f"SUMMARY:{escaped(moment.title)}",
            f"DESCRIPTION:{escaped(moment.text)}",
            f"URL:{moment.address}",
            "TRANSP:TRANSPARENT",
            "END:VEVENT",
        ]
    return "".join(f"{folded(line)}\r\n" for line in [*lines, "END:VCALENDAR"])


def in_utc(moment):
    """Write a moment.

    >>> from datetime import timedelta, timezone
    >>> in_utc(datetime(2026, 11, 30, 23, 59, tzinfo=timezone(timedelta(hours=-12))))
    '20261201T115900Z'
    """
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def escaped(text):
    r"""Return a text as a value: in one line, with a stroke before what would end it.

    >>> escaped("a;b,c\\d\ne")
    'a\\;b\\,c\\\\d e'
    """
    text = one_line(text).replace("\\", "\\\\")
    return text.replace(";", "\\;").replace(",", "\\,")


def folded(line):
    r"""Return a line in pieces of at most 75 octets, none of which ends within a letter.

    >>> [len(piece.encode()) for piece in folded("SUMMARY:" + 50 * "é").split("\r\n")]
    [74, 35]
    """
    pieces, piece, size = [], "", 0
    for letter in line:
        octets = len(letter.encode())
        if size + octets > LINE:
            pieces.append(piece)
            piece, size = " ", 1
        piece, size = piece + letter, size + octets
    return "\r\n".join([*pieces, piece])
