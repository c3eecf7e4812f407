"""The ir_metadata block at the head of a text run: YAML behind `#` lines, read into flat names.

PyYAML takes the text apart; its events are read one by one, so that nothing is built of what a block claims to hold.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import Any

import yaml

START = "ir_metadata.start"
END = "ir_metadata.end"
DIRECTIVE = "%"
LINE_COUNT = 2_000
BLOCK_SIZE = 100_000
VALUE_SIZE = 2_000
NAME_SIZE = 100
MOST_LEVELS = 20
MOST_ENTRIES = 2_000
MOST_STRANGE_LINES = 10
NOT_FOR_YAML = re.compile("[^\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
"""Controls, which YAML refuses, and what it takes for ends of lines beside our own."""
LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
"""Takes every value as text, by a machine written in C wherever PyYAML has it."""


class StrangeLine(Exception):
    """A line keeps the block from being read; its place in the block is the argument."""


def read_metadata(payload: bytes) -> tuple[tuple[tuple[str, str], ...], list[int]]:
    r"""Return the names and values of a run's metadata block, and the numbers of lines that say nothing to us.

    >>> read_metadata(b"# ir_metadata.start\n# actor:\n#   team: Sea\n#   fields: [A]\n# ir_metadata.end\n")
    ((('actor.team', 'Sea'), ('actor.fields.0', 'A')), [])
    """
    numbers, lines = [], []
    for number, line in metadata_lines(payload):
        numbers.append(number)
        lines.append(NOT_FOR_YAML.sub("\ufffd", line))
    strange_lines = []
    while True:
        outline = Outline()
        try:
            outline.read("\n".join(lines))
        except StrangeLine as strange:
            (place,) = strange.args
            strange_lines.append(numbers[place])
            if len(strange_lines) < MOST_STRANGE_LINES:
                lines[place] = ""
                continue
            outline.forget_from(place)
        return tuple(outline.entries), sorted(strange_lines)


def metadata_lines(payload: bytes) -> Iterator[tuple[int, str]]:
    """Yield the number and the text of the lines between the start and the end mark."""
    inside = False
    for number, raw in enumerate(payload[:BLOCK_SIZE].splitlines()[:LINE_COUNT], 1):
        line = raw.decode("utf-8", "replace")
        if not line.startswith("#"):
            return
        text = line[1:].removeprefix(" ").rstrip().expandtabs()
        if text.strip() == END:
            return
        if inside and not text.startswith(DIRECTIVE):
            yield number, text
        inside = inside or text.strip() == START


class Outline:
    """Turns the events of a YAML document into names like `actor.team`."""

    def __init__(self) -> None:
        self.entries: list[tuple[str, str]] = []
        self._places: list[int] = []
        self._open: list[list[Any]] = []  # a level each, the outermost first: [is a list, name of the entry to come]
        self._anchored: dict[str | None, str] = {}

    def read(self, text: str) -> None:
        """Take the first document of a text."""
        try:
            for event in yaml.parse(text, Loader=LOADER):
                self._take(event)
                if isinstance(event, yaml.DocumentEndEvent) or len(self.entries) == MOST_ENTRIES:
                    return
        except yaml.MarkedYAMLError as error:
            raise StrangeLine(min(_place(error), text.count("\n"))) from None

    def forget_from(self, place: int) -> None:
        """Drop what was read from a line on."""
        del self.entries[bisect_left(self._places, place) :]

    def _take(self, event: yaml.Event) -> None:
        match event:
            case yaml.CollectionStartEvent():
                if len(self._open) == MOST_LEVELS or self._wants_a_name():
                    raise StrangeLine(_line(event.start_mark))
                self._open.append([isinstance(event, yaml.SequenceStartEvent), None])
                if self._open[-1][0]:
                    self._open[-1][1] = 0
            case yaml.CollectionEndEvent():
                self._open.pop()
                self._go_on()
            case yaml.ScalarEvent() | yaml.AliasEvent():
                self._take_text(event)

    def _take_text(self, event: yaml.ScalarEvent | yaml.AliasEvent) -> None:
        if isinstance(event, yaml.AliasEvent):
            text, is_said = self._anchored.get(event.anchor, ""), event.anchor in self._anchored
        else:
            text = " ".join(line.strip() for line in event.value.splitlines()).strip()[:VALUE_SIZE]
            is_said = bool(text) or not event.implicit[0]
            if event.anchor:
                self._anchored[event.anchor] = text
        if not self._open:
            if is_said:
                raise StrangeLine(_line(event.start_mark))
        elif self._wants_a_name():
            self._open[-1][1] = text[:NAME_SIZE].replace(".", "_")
        else:
            if is_said:
                self.entries.append((".".join(str(name) for _, name in self._open), text))
                self._places.append(_line(event.start_mark))
            self._go_on()

    def _wants_a_name(self) -> bool:
        return bool(self._open) and self._open[-1][1] is None

    def _go_on(self) -> None:
        if self._open:
            is_list, name = self._open[-1]
            self._open[-1][1] = name + 1 if is_list else None


def _place(error: yaml.MarkedYAMLError) -> int:
    # What a scanner gave up on, or a bracket that is never closed, began where the context is.
    began = error.context or ""
    mark = error.context_mark if "scanning" in began or "flow" in began else error.problem_mark
    return _line(mark or error.problem_mark)


def _line(mark: Any) -> int:
    # PyYAML's two machines have a kind of mark each; whatever they read bears one.
    return int(mark.line)
