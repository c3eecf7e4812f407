"""Single fields of text lines: numbers within bounds and names that can be printed, each fault a sentence."""

import math
import re

LARGEST = 2**31 - 1
SURELY_IN_RANGE = 10
WHOLE_NUMBER = re.compile(r"[0-9]{1,18}")
INTEGER = re.compile(rb"[+-]?[0-9]{1,20}")
NUMBER = re.compile(rb"[+-]?(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][+-]?[0-9]{1,6})?")
"""Possessive: digits that are given back one by one make the time grow with the square of their number."""

DECIMAL_COMMA = re.compile(rb"[+-]?[0-9]+,[0-9]+")
SHOWN = 40
MOST_STEPS = 256


class FieldError(ValueError):
    """A field cannot be read; the reader of the line adds where it stands."""

    def __init__(self, message: str, rule: str) -> None:
        super().__init__(message)
        self.rule = rule


def shown(field: bytes | str) -> str:
    r"""Quote a field for a message, shortened and with nothing in it that could harm a terminal.

    >>> shown(b"12x"), shown(b"a\x00b"), shown("9" * 50)
    ("'12x'", "'a\\x00b'", "'9999999999999999999999999999999999999999…'")
    """
    text = field.decode("utf-8", "backslashreplace") if isinstance(field, bytes) else field
    if len(text) <= SHOWN and text.isprintable():
        return f"'{text}'"
    printable = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text[:SHOWN])
    return f"'{printable}…'" if len(text) > SHOWN else f"'{printable}'"


def whole_number(text: str) -> int | None:
    """Return the whole number that a text writes in plain digits, or None; it fits the columns of every database.

    >>> whole_number("17"), whole_number("-1"), whole_number("٣"), whole_number("9" * 19)
    (17, None, None, None)
    """
    return int(text) if WHOLE_NUMBER.fullmatch(text) else None


def integer(field: bytes, name: str) -> int:
    """Return a whole number of at most 2147483647 in size."""
    if not INTEGER.fullmatch(field):
        if field.lstrip(b"+-").isdigit():
            raise FieldError(f"the {name} {shown(field)} is out of range. It is at most {LARGEST}.", "number-range")
        raise FieldError(f"the {name} {shown(field)} isn't a whole number. Write digits only.", "number")
    number = int(field)
    if abs(number) > LARGEST:
        raise FieldError(f"the {name} {shown(field)} is out of range. It is at most {LARGEST}.", "number-range")
    return number


def natural(field: bytes, name: str) -> int:
    """Return a whole number that isn't negative."""
    if len(field) < SURELY_IN_RANGE and field.isdigit():
        return int(field)
    number = integer(field, name)
    if number < 0:
        raise FieldError(f"the {name} {number} is negative. It is at least 0.", "number-range")
    return number


def real(field: bytes, name: str) -> float:
    """Return a finite number."""
    if not NUMBER.fullmatch(field):
        if field.lower().lstrip(b"+-") in (b"nan", b"inf", b"infinity"):
            raise FieldError(f"the {name} is {shown(field)}. Write a finite number.", "number-range")
        hint = "Write a point, not a comma." if DECIMAL_COMMA.fullmatch(field) else "Write it like 0.25."
        raise FieldError(f"the {name} {shown(field)} isn't a number. {hint}", "number")
    number = float(field)
    if not math.isfinite(number):
        raise FieldError(f"the {name} {shown(field)} is out of range. Write a finite number.", "number-range")
    return number


def name(field: bytes | str, kind: str, limit: int, *, blanks: bool = False) -> str:
    """Return an id or path as text that can be printed."""
    try:
        text = field.decode() if isinstance(field, bytes) else field
    except UnicodeDecodeError as error:
        raise FieldError(
            f"the {kind} {shown(field)} isn't valid UTF-8 (byte 0x{field[error.start]:02X}). Save the file as UTF-8.",
            "encoding",
        ) from None
    if not text.isprintable():
        culprit = next(c for c in text if not c.isprintable())
        raise FieldError(
            f"the {kind} {shown(text)} holds the character U+{ord(culprit):04X}, which cannot be printed. Remove it.",
            "control-character",
        )
    if " " in text and not blanks:
        raise FieldError(f"the {kind} {shown(text)} holds a blank. Ids are written without.", "blank-in-name")
    if len(text) > limit:
        raise FieldError(
            f"the {kind} {shown(text)} has {len(text):,} characters. At most {limit:,} are allowed.", "name-size"
        )
    return text


def path(field: bytes | str) -> str:
    """Return an element path or point, which begins with a slash and has no blanks."""
    text = field.decode("utf-8", "replace") if isinstance(field, bytes) else field
    if not text.startswith("/") or " " in text:
        message = f"the path {shown(text)} isn't an element path. Write it like /article[1]/body[1]/p[2]."
        raise FieldError(message, "path")
    if text.count("/") > MOST_STEPS:
        message = f"the path {shown(text)} has more than {MOST_STEPS} steps. Elements are not nested that deep."
        raise FieldError(message, "path")
    return text


def printable(field: bytes) -> str | None:
    """Return a field as text to show beside a message, or None when it cannot be shown."""
    text = field[:SHOWN].decode("utf-8", "replace")
    return text if text.isprintable() else None
