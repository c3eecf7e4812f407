"""Whole answers in the memory of a process, compressed and bounded: those longest not asked for go first."""

import gzip
import hashlib
import threading
from collections import OrderedDict
from dataclasses import dataclass

MOST_BYTES = 48 * 2**20
MOST_PAGES = 2_000
LARGEST = 4 * 2**20
LEVEL = 6


@dataclass(frozen=True, slots=True)
class StoredPage:
    """An answer as it was given, compressed, with its validator; `subject` is whatever it was made from."""

    subject: object
    mark: object
    made_at: float
    etag: str
    headers: tuple
    compressed: bytes

    def matches(self, if_none_match):
        """Return whether somebody who names validators has this very answer already."""
        wanted = self.etag.removeprefix("W/")
        return any(tag.strip().removeprefix("W/") in (wanted, "*") for tag in if_none_match.split(","))

    def plain(self):
        """Return the answer for those who cannot read it compressed."""
        return gzip.decompress(self.compressed)


def stored(subject, mark, made_at, headers, body):
    """Compress an answer; its validator is a hash of what it says, so that the same words have the same one.

    It is a weak one: the words are the same whether they come compressed or not.
    """
    etag = f'W/"{hashlib.sha256(body).hexdigest()[:32]}"'
    return StoredPage(subject, mark, made_at, etag, tuple(headers), gzip.compress(body, LEVEL, mtime=0))


class PageStore:
    """Answers by what was asked, for all threads of a process."""

    def __init__(self, most_bytes=MOST_BYTES, most_pages=MOST_PAGES):
        self.most_bytes, self.most_pages = most_bytes, most_pages
        self._pages, self._bytes, self._lock = OrderedDict(), 0, threading.Lock()

    def get(self, key):
        """Return the answer to a question, or None."""
        with self._lock:
            page = self._pages.get(key)
            if page is not None:
                self._pages.move_to_end(key)
            return page

    def put(self, key, page):
        """Keep an answer, and let go of those that nobody asked for longest."""
        with self._lock:
            self._drop(key)
            self._pages[key] = page
            self._bytes += len(page.compressed)
            while self._pages and (self._bytes > self.most_bytes or len(self._pages) > self.most_pages):
                self._drop(next(iter(self._pages)))

    def drop(self, key):
        """Forget an answer."""
        with self._lock:
            self._drop(key)

    def clear(self):
        """Forget all answers."""
        with self._lock:
            self._pages.clear()
            self._bytes = 0

    def __len__(self):
        return len(self._pages)

    def _drop(self, key):
        page = self._pages.pop(key, None)
        if page is not None:
            self._bytes -= len(page.compressed)
