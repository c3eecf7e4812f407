"""The ir_metadata block at the head of a text run: simple YAML behind `#` lines, read into flat names."""

import re

START = "ir_metadata.start"
END = "ir_metadata.end"
LINE_COUNT = 2_000
VALUE_SIZE = 2_000
MOST_LEVELS = 20
BLOCK_MARKS = ("|", "|-", ">", ">-")
KEY = re.compile(r"(?P<key>[A-Za-z0-9_][^:#]{0,100}?|\"[^\"]{1,100}\"|'[^']{1,100}') *:(?: +(?P<value>.*))?")


def read_metadata(payload):
    r"""Return the names and values of a run's metadata block, and the numbers of lines that say nothing to us.

    >>> read_metadata(b"# ir_metadata.start\n# actor:\n#   team: Sea\n#   fields:\n#   - A\n# ir_metadata.end\n")
    ((('actor.team', 'Sea'), ('actor.fields.0', 'A')), [])
    """
    outline = Outline()
    for number, line in metadata_lines(payload):
        outline.read(number, line)
    return tuple((name, value.strip()[:VALUE_SIZE]) for name, value in outline.entries), outline.strange_lines


def metadata_lines(payload):
    """Yield the number and the text of the lines between the start and the end mark."""
    inside = False
    for number, raw in enumerate(payload[:1_000_000].splitlines()[:LINE_COUNT], 1):
        line = raw.decode("utf-8", "replace")
        if not line.startswith("#"):
            return
        text = line[1:].removeprefix(" ").rstrip().expandtabs()
        if text.strip() == END:
            return
        if inside:
            yield number, text
        inside = inside or text.strip() == START


class Outline:
    """Turns indented lines into names like `actor.team`."""

    def __init__(self):
        self.entries = []
        self.strange_lines = []
        self._open = []  # (indent, name, is an item), the outermost first
        self._counts = {}
        self._block_indent = None

    def read(self, number, line):
        """Take one line."""
        text = line.strip()
        indent = len(line) - len(line.lstrip())
        if self._block_indent is not None and (indent > self._block_indent or not text):
            name, value = self.entries[-1]
            if len(value) < VALUE_SIZE:
                self.entries[-1] = (name, f"{value} {text}")
            return
        self._block_indent = None
        if not text or text.startswith("#") or text == "---":
            return
        if self._is_too_deep(text, indent):
            self.strange_lines.append(number)
            return
        is_item = text == "-" or text.startswith("- ")
        while is_item:
            self._close(indent, keep_key=True)
            self._open_item(indent)
            text = text[1:].strip()
            indent += 2
            is_item = text.startswith("- ")
        found = KEY.fullmatch(text)
        if found:
            self._close(indent)
            self._open.append((indent, _plain(found["key"]).replace(".", "_"), False))
            self._take(found["value"] or "", indent)
        elif text and self._open and self._open[-1][2] and self._open[-1][0] == indent - 2:
            self._take(text, indent)
        elif text:
            self.strange_lines.append(number)

    def _is_too_deep(self, text, indent):
        below = len(self._open) >= MOST_LEVELS and indent > self._open[-1][0]
        return below or text.startswith("- " * MOST_LEVELS)

    def _take(self, value, indent):
        if value in BLOCK_MARKS:
            self._block_indent = indent
            value = ""
        elif not value:
            return
        self.entries.append((self._name(), _plain(value)))

    def _close(self, indent, keep_key=False):
        while self._open and (
            self._open[-1][0] > indent or (self._open[-1][0] == indent and not (keep_key and not self._open[-1][2]))
        ):
            self._open.pop()

    def _open_item(self, indent):
        above = self._name()
        count = self._counts[above] = self._counts.get(above, -1) + 1
        self._open.append((indent, str(count), True))

    def _name(self):
        return ".".join(name for _, name, _ in self._open)


def _plain(text):
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text
