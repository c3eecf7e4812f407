"""Bytes of a text file as machine words: fields cut out, compared and turned into numbers for all lines at once."""

from collections.abc import Sequence

import numpy as np

from limelight.arrays import Array, Flags, Integers, Words

WORD = 8
BLANK = 32
NEWLINE = 10
LAST_OF_CONTROLS = 32
SEVEN_BLANKS_AND_A_NEWLINE = np.frombuffer(b"       \n", dtype="<u8")[0]
ZEROS = np.uint64(0x3030303030303030)
ABOVE_NINE = np.uint64(0x7676767676767676)
HIGH_BITS = np.uint64(0x8080808080808080)
EVERY_SECOND = np.uint64(0x00FF00FF00FF00FF)
EVERY_FOURTH = np.uint64(0x0000FFFF0000FFFF)
TENS, HUNDREDS, TEN_THOUSANDS = np.uint64(2561), np.uint64(6553601), np.uint64(42949672960001)


class Text:
    """Some lines of a text file, read through words that may begin at any byte."""

    def __init__(self, payload: bytes) -> None:
        self.payload = payload
        padded = np.empty(len(payload) + 2 * WORD, dtype=np.uint8)
        padded[:WORD] = padded[-WORD:] = NEWLINE
        padded[WORD:-WORD] = np.frombuffer(payload, dtype=np.uint8)
        self._bytes = padded[WORD:-WORD]
        self._words = np.ndarray((len(padded) - WORD + 1,), dtype="<u8", buffer=padded, strides=(1,))

    def bytes_at(self, places: Integers) -> Array:
        """Return the bytes at some places."""
        return self._bytes[places]

    def dots(self) -> Integers:
        """Return the places of all dots."""
        return np.flatnonzero(self._bytes == ord("."))

    def separators(self, fields: int) -> Integers | None:
        """Return the places of the blanks and the line end of each line, or None unless all have just these.

        A row has as many places as a line has fields.
        """
        places = np.flatnonzero(self._bytes <= LAST_OF_CONTROLS)
        if not len(places) or len(places) % fields or places[0] == 0 or (places[1:] - places[:-1]).min() < 2:
            return None
        found = self._bytes[places]
        if fields == WORD:  # a whole line in one comparison
            strange = found.view("<u8") != SEVEN_BLANKS_AND_A_NEWLINE
        else:
            strange = found.reshape(-1, fields) != np.array([BLANK] * (fields - 1) + [NEWLINE], dtype=np.uint8)
        return None if strange.any() else places.reshape(-1, fields)

    def numbers_before(self, ends: Integers, lengths: Integers) -> tuple[Integers, Flags]:
        r"""Return fields of at most eight digits as numbers, and whether each has nothing but digits.

        >>> Text(b"9760 1848\n").numbers_before(np.array([4, 9, 5]), np.array([4, 3, 1]))
        (array([9760,  848,   16]), array([ True,  True, False]))
        """
        spare = bits_to_spare(lengths)
        digits = self._words[ends]
        digits ^= ZEROS
        digits >>= spare  # shifting out all bits leaves 0
        digits <<= spare
        strange = digits + ABOVE_NINE
        strange |= digits
        strange &= HIGH_BITS
        digits *= TENS
        digits >>= np.uint64(8)
        digits &= EVERY_SECOND
        digits *= HUNDREDS
        digits >>= np.uint64(16)
        digits &= EVERY_FOURTH
        digits *= TEN_THOUSANDS
        digits >>= np.uint64(32)
        return digits.view(np.int64), strange == 0

    def names_at(self, starts: Integers, lengths: Integers) -> Words:
        r"""Return fields as rows of words, filled up with zeros.

        >>> Text(b"ab abcdefghi\n").names_at(np.array([0, 3]), np.array([2, 9])).tobytes().replace(b"\0", b"-")
        b'ab--------------abcdefghi-------'
        """
        count = max(1, -(-int(lengths.max()) // WORD))
        rows = np.empty((len(starts), count), dtype="<u8")
        last = len(self._words) - 1
        for column in range(count):
            first = column * WORD
            spare = bits_to_spare(np.clip(lengths - first, 0, WORD) if count > 1 else lengths)
            words = self._words[np.minimum(starts + (first + WORD), last)]
            words <<= spare
            np.right_shift(words, spare, out=rows[:, column])
        return rows


def bits_to_spare(lengths: Integers) -> Words:
    """Return how many bits of a word fields of so many bytes leave free."""
    spare = WORD - lengths
    spare <<= 3
    return spare.view(np.uint64)


def texts_of(rows: Words) -> list[str]:
    """Return names as strings, given as the rows of words that `names_at` makes."""
    return b"\n".join(rows.view(f"S{rows.shape[1] * WORD}").ravel().tolist()).decode().split("\n")


def stacked(tables: Sequence[Words]) -> Words:
    """Put rows of words from several tables under each other, filled up to the widest."""
    width = max(table.shape[1] for table in tables)
    rows = np.zeros((sum(map(len, tables)), width), dtype="<u8")
    done = 0
    for table in tables:
        rows[done : done + len(table), : table.shape[1]] = table
        done += len(table)
    return rows


def numbered(rows: Words) -> tuple[Integers, Integers]:
    """Number rows in the order of their first appearance; return the numbers and each one's first place.

    >>> numbered(np.array([[7], [3], [7]], dtype="<u8"))
    (array([0, 1, 0]), array([0, 1]))
    """
    keys = rows[:, 0] if rows.shape[1] == 1 else rows.view([("", rows.dtype)] * rows.shape[1]).ravel()
    order = np.argsort(keys)
    ordered = keys[order]
    begins = np.ones(len(keys), dtype=bool)
    begins[1:] = ordered[1:] != ordered[:-1]
    first = np.minimum.reduceat(order, np.flatnonzero(begins))
    by_appearance = np.argsort(first)
    renumbering = np.empty_like(by_appearance)
    renumbering[by_appearance] = np.arange(len(first))
    numbers = np.empty_like(order)
    numbers[order] = renumbering[np.cumsum(begins) - 1]
    return numbers, first[by_appearance]
