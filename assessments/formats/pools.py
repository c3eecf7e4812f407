"""Pools: the documents, elements and passages of a topic that assessors are asked to judge."""

from dataclasses import dataclass

from lxml import etree

from campaign.formats import fields
from campaign.formats.fields import FieldError
from campaign.formats.opening import Limits, read_payload, refuse
from campaign.formats.problems import FormatError, ProblemList
from campaign.formats.safe_xml import parse

ROOT = "pool"


@dataclass(frozen=True, slots=True)
class PooledDocument:
    """A document to judge; its paths are element paths, or two points ("start end") for a passage."""

    topic: str
    document: str
    paths: tuple[str, ...] = ()


def read_pools(stream, *, limits=Limits()):  # noqa: B008 - a frozen dataclass
    """Return the pooled documents of a file in its order; raise FormatError with every problem."""
    root, _ = parse(read_payload(stream, limits))
    pools = [root] if root.tag == ROOT else list(root.iterchildren(ROOT))
    if not pools:
        refuse(f"the root element is <{root.tag}>, not <{ROOT}>. This isn't a pool.", "root-element", root.sourceline)
    problems = ProblemList()
    pooled = {}
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


def _read(problems, element, read, *arguments):
    try:
        return read(*arguments)
    except FieldError as error:
        problems.add(str(error), error.rule, line=element.sourceline)
        return None


def _name(element, attribute, limits):
    value = (element.get(attribute) or "").strip()
    if not value:
        raise FieldError(f'the <{element.tag}> has no {attribute}. Write {attribute}="…".', "missing-field")
    return fields.name(value, attribute, limits.name_size)


def _document(file, topic, pooled, limits):
    document = _name(file, "file", limits)
    if (topic, document) in pooled:
        message = f"document {document} stands twice in the pool of topic {topic}. Remove one of the two."
        raise FieldError(message, "duplicate-document")
    return document


def _place(child, limits):
    names = ("path",) if child.tag == "path" else ("start", "end")
    places = [(child.get(name) or "").strip() for name in names]
    return " ".join(fields.path(fields.name(place, "path", limits.path_size)) for place in places)


def write_pool(pooled, target):
    """Write the pool of one topic to a binary file."""
    rows = list(pooled)
    root = etree.Element(ROOT, topic=rows[0].topic)
    for row in rows:
        file = etree.SubElement(root, "file", file=row.document)
        for path in row.paths:
            start, _, end = path.partition(" ")
            if end:
                etree.SubElement(file, "passage", start=start, end=end)
            else:
                etree.SubElement(file, "path", path=start)
    target.write(etree.tostring(root, encoding="utf-8", xml_declaration=True, pretty_print=True))
