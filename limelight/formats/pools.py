"""Pools: the documents, elements and passages of a topic that assessors are asked to judge."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any, BinaryIO, TypeVar, TypeVarTuple
from xml.sax.saxutils import quoteattr

from limelight.formats import fields
from limelight.formats.fields import FieldError
from limelight.formats.opening import Limits, read_payload, refuse
from limelight.formats.problems import FormatError, ProblemList
from limelight.formats.recognising import POOL, begins_as_xml, keep_to_slot
from limelight.formats.safe_xml import Element, line_of, parse

ROOT = "pool"
WRAPPER = "pools"
Given = TypeVarTuple("Given")
Read = TypeVar("Read")

DECLARATION = b'<?xml version="1.0" encoding="UTF-8"?>\n'


@dataclass(frozen=True, slots=True)
class PooledDocument:
    """A document to judge; its paths are element paths, or two points ("start end") for a passage."""

    topic: str
    document: str
    paths: tuple[str, ...] = ()


def read_pools(stream: BinaryIO, *, limits: Limits = Limits()) -> list[PooledDocument]:
    """Return the pooled documents of a file in its order; raise FormatError with every problem."""
    payload = read_payload(stream, limits)
    keep_to_slot(payload, POOL)
    if not begins_as_xml(payload):
        refuse("The file isn't XML. A pool is read from a file with <pool>.", "file-kind")
    root, _ = parse(payload)
    pools = [root] if root.tag == ROOT else list(root.iterchildren(ROOT))
    if not pools:
        refuse(f"the root element is <{root.tag}>, not <{ROOT}>. This isn't a pool.", "root-element", line_of(root))
    problems = ProblemList()
    pooled: dict[tuple[str, str], tuple[str, ...]] = {}
    for pool in pools:
        topic = _read(problems, pool, _name, pool, "topic", limits)
        for file in pool.iterchildren("file"):
            document = _read(problems, file, _document, file, topic, pooled, limits)
            paths = [_read(problems, child, _place, child, limits) for child in file.iterchildren("path", "passage")]
            pooled[topic, document] = tuple(paths)
    if problems.has_errors():
        raise FormatError(problems.in_order())
    if not pooled:
        refuse("The pool holds no documents.", "empty-file")
    return [PooledDocument(topic, document, paths) for (topic, document), paths in pooled.items()]


def _read(problems: ProblemList, element: Element, read: Callable[[*Given], Read], *arguments: *Given) -> Read | Any:
    try:
        return read(*arguments)
    except FieldError as error:
        problems.add(str(error), error.rule, line=line_of(element))
        return None


def _name(element: Element, attribute: str, limits: Limits) -> str:
    value = (element.get(attribute) or "").strip()
    if not value:
        raise FieldError(f'the <{element.tag}> has no {attribute}. Write {attribute}="…".', "missing-field")
    return fields.name(value, attribute, limits.name_size)


def _document(
    file: Element,
    topic: str,
    pooled: Mapping[tuple[str, str], tuple[str, ...]],
    limits: Limits,
) -> str:
    document = _name(file, "file", limits)
    if (topic, document) in pooled:
        message = f"document {document} stands twice in the pool of topic {topic}. Remove one of the two."
        raise FieldError(message, "duplicate-document")
    return document


def _place(child: Element, limits: Limits) -> str:
    names = ("path",) if child.tag == "path" else ("start", "end")
    places = [(child.get(name) or "").strip() for name in names]
    return " ".join(fields.path(fields.name(place, "path", limits.path_size)) for place in places)


def topic_chunks(rows: Sequence[PooledDocument]) -> Iterator[bytes]:
    """Yield the pool of one topic as the bytes of an XML document."""
    yield DECLARATION
    yield from _pool(rows)


def pool_chunks(pooled: Iterable[PooledDocument]) -> Iterator[bytes]:
    """Yield the pools of several topics, whose documents stand together, as the bytes of one XML document."""
    yield DECLARATION + f"<{WRAPPER}>\n".encode()
    for _, rows in groupby(pooled, key=attrgetter("topic")):
        yield from _pool(list(rows))
    yield f"</{WRAPPER}>\n".encode()


def _pool(rows: Sequence[PooledDocument]) -> Iterator[bytes]:
    yield f"<{ROOT} topic={quoteattr(rows[0].topic)}>\n".encode()
    for row in rows:
        places = "".join(map(_written_place, row.paths))
        yield f"  <file file={quoteattr(row.document)}>{places}</file>\n".encode()
    yield f"</{ROOT}>\n".encode()


def _written_place(path: str) -> str:
    start, _, end = path.partition(" ")
    if end:
        return f"<passage start={quoteattr(start)} end={quoteattr(end)}/>"
    return f"<path path={quoteattr(start)}/>"
