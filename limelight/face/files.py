"""Files of campaigns, read by their paths: what each reader returns, or a refusal with every problem."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, TypeVar

from limelight.face.collection import Collection, read_collection
from limelight.face.refusals import Refusal, located, shortened, unreadable
from limelight.formats.assessments.reading import Assessments
from limelight.formats.assessments.reading import read_assessments as assessments_of
from limelight.formats.columns import RunColumns
from limelight.formats.problems import FormatError, Problem
from limelight.formats.runs.reading import read_run as run_of
from limelight.formats.topics.inex import TopicRecord
from limelight.formats.topics.inex import read_topics as topics_of
from limelight.text.documents import DocumentText
from limelight.text.documents import read_document as document_of

File = str | os.PathLike[str]
Read = TypeVar("Read")


def opened(file: File, read: Callable[[BinaryIO], Read]) -> Read:
    """Open a file and read it; one that can't be read raises a Refusal with every problem."""
    name = str(file)
    try:
        with Path(file).open("rb") as stream:
            return read(stream)
    except FormatError as error:
        told = shortened([located(name, problem) for problem in error.problems])
        raise Refusal(told, problems={name: error.problems}) from None
    except OSError as error:
        raise unreadable(name, error) from None


def read_run(file: File) -> RunColumns:
    """Read a run of any format."""
    return run_with_warnings(file)[0]


def run_with_warnings(file: File) -> tuple[RunColumns, list[Problem]]:
    """Read a run, and what is worth saying about its file."""
    return opened(file, run_of)


def read_assessments(file: File, *, collection: File | Collection | None = None) -> Assessments:
    """Read assessments of any format.

    XML names elements and points: with a collection they are laid on its characters, without one on the sizes that the
    file tells.
    """
    return assessments_with_warnings(file, given_collection(collection))[0]


def assessments_with_warnings(file: File, collection: Collection | None) -> tuple[Assessments, list[Problem]]:
    """Read assessments, and what is worth saying about their file."""
    lookup = None if collection is None else collection.places
    return opened(file, lambda stream: assessments_of(stream, lookup=lookup))


def read_topics(file: File) -> list[TopicRecord]:
    """Read the topics of a track, in the order of the file."""
    return opened(file, topics_of)


def read_document(file: File) -> DocumentText:
    """Read one XML document as text; its id is the file's name without `.xml`."""
    return opened(file, lambda stream: document_of(stream, Path(file).name.removesuffix(".xml")))


def given_collection(collection: File | Collection | None) -> Collection | None:
    """Return a collection that is given by its path or was read before."""
    return collection if collection is None or isinstance(collection, Collection) else read_collection(collection)
