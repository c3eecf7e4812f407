"""The beginning of a run file: what it says about itself, read before the whole of it has arrived."""

import re
import zlib
from dataclasses import dataclass
from itertools import islice

from lxml import etree

from limelight.formats.lines import content_lines
from limelight.formats.opening import GZIP_MAGIC, Limits, checked_text
from limelight.formats.problems import FormatError
from limelight.formats.recognising import RUN, begins_as_xml, keep_to_slot
from limelight.formats.runs.fol import LINES_TO_KNOW_THE_LAYOUT, common_layout
from limelight.formats.runs.inex_xml import ROOT, said, used_topic_fields
from limelight.formats.runs.ir_metadata import read_metadata
from limelight.formats.safe_xml import PARSER_OPTIONS, Element, checked_entities, text_of
from limelight.formats.topics.inex import TOPIC_FIELDS

BEGINNING_SIZE = 256 * 1024
FIRST_TOPIC = re.compile(rb"<topic[\s>]")
RETRIEVAL = re.compile(r"method\.retrieval\.\d+\.(?:name|method)")
QUERIES = {"true": "automatic", "yes": "automatic", "false": "manual", "no": "manual"}
RUN_ID_FIELD = 5


@dataclass(frozen=True, slots=True)
class Beginning:
    """What the first part of a run file tells; every field may be empty. `problem` says that it is no run at all."""

    run_id: str = ""
    query: str = ""
    topic_fields: tuple[str, ...] = ()
    result_type: str = ""
    description: str = ""
    problem: str = ""


def read_beginning(payload: bytes) -> Beginning:
    r"""Return what the first bytes of a run file say about the run; of what cannot be read, nothing.

    >>> read_beginning(b"7 Q0 d1 1 0.5 BM25 0 90\n")
    Beginning(run_id='BM25', query='', topic_fields=(), result_type='passage', description='', problem='')
    """
    try:
        payload = checked_text(_unpacked(payload[:BEGINNING_SIZE]))
        keep_to_slot(payload, RUN)
        return _of_xml(payload) if begins_as_xml(payload) else _of_text(payload)
    except FormatError as error:
        # Some faults, like an open end, belong to the beginning alone; what the file is stays true for the whole.
        telling = (problem for problem in error.problems if problem.rule in ("file-kind", "encoding", "markup"))
        return Beginning(problem=next(map(str, telling), ""))
    except (etree.XMLSyntaxError, zlib.error):
        return Beginning()


def _unpacked(payload: bytes) -> bytes:
    if not payload.startswith(GZIP_MAGIC):
        return payload
    return zlib.decompressobj(wbits=31).decompress(payload, BEGINNING_SIZE)


def _of_xml(payload: bytes) -> Beginning:
    checked_entities(payload)
    cut = FIRST_TOPIC.search(payload)
    parser = etree.XMLParser(recover=True, **PARSER_OPTIONS)  # the head alone closes nothing it opened
    root = etree.fromstring(payload[: cut.start()] if cut else payload, parser)
    if root is None or root.tag != ROOT:
        return Beginning()
    fields, description = root.find("topic-fields"), root.find("description")
    query = said(root, "query").lower()
    return Beginning(
        run_id=said(root, "run-id"),
        query=query if query in QUERIES.values() else "",
        topic_fields=() if fields is None else _topic_fields(fields),
        result_type=said(root, "result-type"),
        description="" if description is None else text_of(description, {}).strip(),
    )


def _topic_fields(element: Element) -> tuple[str, ...]:
    """Return the fields that were used; INEX shortened some of their names over the years."""
    long_names = {"mmtitle": "title", "descr": "description", "desc": "description", "narr": "narrative"}
    used = {long_names.get(name, name) for name in used_topic_fields(element)}
    return tuple(name for name in TOPIC_FIELDS if name in used)


def _of_text(payload: bytes) -> Beginning:
    whole_lines = payload[: payload.rfind(b"\n") + 1] or payload
    lines = list(islice(content_lines(whole_lines, Limits()), LINES_TO_KNOW_THE_LAYOUT))
    layout = common_layout(lines)
    first = next((line.split() for _, line in lines), [])
    metadata = read_metadata(whole_lines)[0] if payload.startswith(b"#") else ()
    told = dict(metadata)
    used = [value for name, value in metadata if RETRIEVAL.fullmatch(name)]
    return Beginning(
        run_id=first[RUN_ID_FIELD].decode("utf-8", "replace") if len(first) > RUN_ID_FIELD else "",
        query=QUERIES.get(told.get("method.automatic", "").lower(), ""),
        result_type=("passage" if layout == "range" else layout) if len(first) > RUN_ID_FIELD else "",
        description=f"Retrieval: {', '.join(dict.fromkeys(used))}." if used else "",
    )
