"""How many attributes an element has, counted before anything is parsed: what handles them may take their square."""

import re

from limelight.formats.opening import refuse

MOST_ATTRIBUTES = 100
SHORTEST_ATTRIBUTE = len(b'a=""')
HIDDEN = {b"<!--": b"-->", b"<![CDATA[": b"]]>", b"<?": b"?>"}
"""What begins text in which nothing is a tag, and what ends it."""

DECLARATION = re.compile(rb"""<![A-Za-z](?:[^"'<>\[]|"[^"]*"|'[^']*')*+""")
"""A DOCTYPE or what stands in one; its literals may look like anything."""

HIDDEN_OR_LONG = re.compile(
    rb"<!--|<!\[CDATA\[|<\?|<![A-Za-z]|<[^<!?/][^<]{%d,}" % (MOST_ATTRIBUTES * SHORTEST_ATTRIBUTE), re.DOTALL
)
TAG_NAME = re.compile(rb"<[^\s<>/=]++")
ATTRIBUTE = re.compile(rb"""\s*+[^\s=<>"'/]++\s*+=\s*+(?:"[^"<]*+"|'[^'<]*+')""")


def keep_to_attributes(payload: bytes) -> None:
    r"""Refuse XML in which an element has too many attributes; declarations of namespaces are attributes, too.

    >>> keep_to_attributes(b"<a " + b" ".join(b'a%d="1"' % n for n in range(200)) + b"/>")
    Traceback (most recent call last):
    limelight.formats.problems.FormatError: Line 1: the <a> has more than 100 attributes, the most that is read.
    """
    position = 0
    while found := HIDDEN_OR_LONG.search(payload, position):
        if declaration := DECLARATION.match(payload, found.start()):
            position = declaration.end()
            continue
        end = HIDDEN.get(found[0])
        position = found.end() if end is None else payload.find(end, found.end())
        tag = TAG_NAME.match(payload, found.start())
        if end is None and tag and attributes_of(payload, *found.span()) > MOST_ATTRIBUTES:
            name = tag[0][1:201].decode("utf-8", "replace")
            line = payload.count(b"\n", 0, found.start()) + 1
            refuse(f"the <{name}> has more than {MOST_ATTRIBUTES} attributes, the most that is read.", "markup", line)
        if position < 0:
            return  # never closed: the parser knows how to complain


def attributes_of(payload: bytes, start: int, end: int) -> int:
    """Count the attributes of the tag at a place, no further than it takes to know that they are too many."""
    tag = TAG_NAME.match(payload, start, end)
    count, position = 0, tag.end() if tag else end
    while count <= MOST_ATTRIBUTES and (attribute := ATTRIBUTE.match(payload, position, end)):
        count, position = count + 1, attribute.end()
    return count
