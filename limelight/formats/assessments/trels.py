"""Textual relevance: for each topic the text that a good answer should say, one passage a line."""

from pathlib import PurePosixPath
from typing import BinaryIO

from limelight.formats import fields
from limelight.formats.archives import archive_files, is_archive
from limelight.formats.fields import FieldError
from limelight.formats.opening import Limits, read_payload, refuse


def read_trels(stream: BinaryIO, topic: str | None = None, *, limits: Limits = Limits()) -> dict[str, tuple[str, ...]]:
    """Return the lines of text of each topic.

    The file is an archive with a text file a topic, named by its number, or the text of one topic, which must be given.
    """
    if is_archive(stream):
        found = {}
        for name, payload in archive_files(stream, limits):
            number = _topic_of(name, limits)
            if number in found:
                refuse(f"The archive holds the text of topic {number} twice. Remove one of the two.", "duplicate-topic")
            found[number] = _lines(payload)
        if not any(found.values()):
            refuse("The archive holds no text.", "empty-file")
        return found
    if topic is None:
        refuse("The file is one text. Pack a file a topic, named by its number, into a zip archive.", "file-kind")
    return {topic: _lines(read_payload(stream, limits))}


def _topic_of(name: str, limits: Limits) -> str:
    stem = PurePosixPath(name).name.removesuffix(".txt")
    try:
        return fields.name(stem, "topic", limits.name_size)
    except FieldError as error:
        refuse(f"In the archive {error}", error.rule)


def _lines(payload: bytes) -> tuple[str, ...]:
    try:
        text = payload.decode()
    except UnicodeDecodeError:
        refuse("The text isn't valid UTF-8. Save the file as UTF-8.", "encoding")
    return tuple(line for line in map(str.strip, text.splitlines()) if line)
