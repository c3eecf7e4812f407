"""A progress bar for people; nothing at all when nobody is watching."""

import sys
from collections.abc import Iterable, Iterator
from typing import TextIO, TypeVar

Item = TypeVar("Item")

WIDTH = 30
LONG = 3
"""Fewer items than this are done before anybody looks."""


def watched(items: Iterable[Item], words: str, stream: TextIO | None = None) -> Iterator[Item]:
    """Yield the items, drawing a bar on the terminal as long as they last."""
    stream = sys.stderr if stream is None else stream
    items = list(items)
    if len(items) < LONG or not stream.isatty():
        yield from items
        return
    for done, item in enumerate(items):
        filled = WIDTH * done // len(items)
        stream.write(f"\r{words} [{'#' * filled}{'.' * (WIDTH - filled)}] {done}/{len(items)}")
        stream.flush()
        yield item
    stream.write("\r" + " " * (len(words) + WIDTH + 24) + "\r")
    stream.flush()
