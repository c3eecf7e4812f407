"""Writing runs again: as FOL text or as an XML submission, so that reading them gives the same results."""

from collections.abc import Iterator
from dataclasses import replace
from typing import BinaryIO
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from limelight.arrays import Reals
from limelight.formats.columns import UNMAPPED, RunColumns

XML_RESULT_TYPES = ("passage", "element")
UNNAMED = "run"


def write_fol(columns: RunColumns, target: BinaryIO, *, spans: bool = False) -> None:
    """Write a run as text to a binary file; with `spans`, elements that have a place become offset and length.

    Text has a column for the rsv: numbers that keep the order stand in for absent ones.
    """
    columns = replace(columns, rsv=filled_rsv(columns))
    run_id = "_".join(columns.run_id.split()) or UNNAMED
    for topic, document, rank, rsv, offset, length, path in rows(columns):
        fields = [topic, "Q0", document, str(rank), repr(rsv), run_id]
        if path and not (spans and offset != UNMAPPED):
            fields.append(path)
        elif columns.result_type == "entry-point":
            fields.append("X" if offset == UNMAPPED else str(offset))
        elif columns.result_type != "document":
            fields += ["X", "X"] if offset == UNMAPPED else [str(offset), str(length)]
        target.write((" ".join(fields) + "\n").encode())


def write_inex_xml(columns: RunColumns, target: BinaryIO, *, spans: bool = False) -> None:
    """Write a run of passages or elements as an XML submission to a binary file."""
    if columns.result_type not in XML_RESULT_TYPES:
        raise ValueError(f"A run of {columns.result_type}s cannot be written as XML, only as text.")
    header = columns.header
    said = {
        "participant-id": header.participant,
        "run-id": columns.run_id,
        "task": header.task,
        "query": header.query,
        "result-type": header.result_type or columns.result_type,
    }
    attributes = "".join(f" {name}={quoteattr(value)}" for name, value in said.items())
    target.write(f'<?xml version="1.0" encoding="UTF-8"?>\n<inex-submission{attributes}>\n'.encode())
    if header.topic_fields:
        answers = "".join(f' {name}="yes"' for name in header.topic_fields)
        target.write(f"<topic-fields{answers}/>\n".encode())
    if header.description:
        target.write(f"<description>{escape(header.description)}</description>\n".encode())
    current = None
    for topic, document, rank, rsv, offset, length, path in rows(columns):
        if topic != current:
            target.write(b"</topic>\n" if current is not None else b"")
            target.write(f"<topic topic-id={quoteattr(topic)}>\n".encode())
            current = topic
        place = xml_place(path if not (spans and offset != UNMAPPED) else "", offset, length)
        numbers = f"<rank>{rank}</rank>" + ("" if np.isnan(rsv) else f"<rsv>{rsv!r}</rsv>")
        target.write(f"<result><file>{escape(document)}</file>{place}{numbers}</result>\n".encode())
    target.write(b"</topic>\n</inex-submission>\n")


def xml_place(path: str, offset: int, length: int) -> str:
    """Return the element that says where a result lies.

    >>> xml_place("", 5, 7), xml_place("/a[1] /b[2]", -1, 0)
    ('<fol offset="5" length="7"/>', '<passage start="/a[1]" end="/b[2]"/>')
    """
    if not path:
        return f'<fol offset="{offset}" length="{length}"/>'
    start, _, end = path.partition(" ")
    return f"<passage start={quoteattr(start)} end={quoteattr(end)}/>" if end else f"<path>{escape(start)}</path>"


def filled_rsv(columns: RunColumns) -> Reals:
    """Return the rsv of every result; absent ones fall in steps of 1 from the lowest of their topic, or from 0."""
    absent = np.isnan(columns.rsv)
    if not absent.any():
        return columns.rsv
    lowest = np.full(len(columns.topics), np.inf)
    np.minimum.at(lowest, columns.topic[~absent], columns.rsv[~absent])
    lowest[np.isinf(lowest)] = 0
    before = np.cumsum(absent) - absent
    topic_starts = np.searchsorted(columns.topic, np.arange(len(columns.topics)))
    step = before - before[topic_starts][columns.topic] + 1
    return np.where(absent, lowest[columns.topic] - step, columns.rsv)


def rows(columns: RunColumns) -> Iterator[tuple[str, str, int, float, int, int, str]]:
    """Yield the results of a run as plain tuples, names written out."""
    numbers = zip(
        *(getattr(columns, name).tolist() for name in ("topic", "document", "rank", "rsv", "offset", "length", "path")),
        strict=True,
    )
    for topic, document, rank, rsv, offset, length, path in numbers:
        written_path = columns.paths[path] if path >= 0 else ""
        yield columns.topics[topic], columns.documents[document], rank, rsv, offset, length, written_path
