"""Writing topics again: as one XML file in the form of 2009 and later, so that reading it gives the same topics."""

import re
from collections.abc import Iterable
from typing import BinaryIO
from xml.sax.saxutils import escape, quoteattr

from limelight.formats.topics.inex import PARTS, TopicRecord

NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML cannot hold; TREC topics may."""

KEPT = {"\r": "&#13;"}
"""What a reader of XML would take for something else."""


def write_topics(topics: Iterable[TopicRecord], target: BinaryIO) -> None:
    """Write topics to a binary file; a part that is empty is left out."""
    target.write(b'<?xml version="1.0" encoding="UTF-8"?>\n<inex-topic-file>\n')
    for topic in topics:
        target.write(f"<topic id={quoteattr(topic.identifier)}>\n".encode())
        for part in PARTS:
            if text := getattr(topic, part):
                target.write(f"  <{part}>{_escaped(text)}</{part}>\n".encode())
        target.write(b"</topic>\n")
    target.write(b"</inex-topic-file>\n")


def _escaped(text: str) -> str:
    return escape(NOT_IN_XML.sub(" ", text), KEPT)
