"""The beginning of a run file: what it says about itself, read before the whole of it has arrived."""

import re
import zlib
from dataclasses import dataclass
from itertools import islice

from lxml import etree

from campaign.formats.fol import LINES_TO_KNOW_THE_LAYOUT, common_layout
from campaign.formats.inex_xml import ROOT
from campaign.formats.ir_metadata import read_metadata
from campaign.formats.lines import content_lines
from campaign.formats.opening import GZIP_MAGIC, Limits, checked_text
from campaign.formats.problems import FormatError
from campaign.formats.safe_xml import PARSER_OPTIONS, check_prolog, text_of

BEGINNING_SIZE = 256 * 1024
FIRST_TOPIC = re.compile(rb"<topic[\s>]")
TOPIC_FIELDS = ("title", "castitle", "phrasetitle", "description", "narrative")
RETRIEVAL = re.compile(r"method\.retrieval\.\d+\.(?:name|method)")
QUERIES = {"true": "automatic", "yes": "automatic", "false": "manual", "no": "manual"}
RUN_ID_FIELD = 5


@dataclass(frozen=True, slots=True)
class Beginning:
    """What the first part of a run file tells; every field may be empty."""

    run_id: str = ""
    query: str = ""
    topic_fields: tuple[str, ...] = ()
    result_type: str = ""
    description: str = ""


def read_beginning(payload):
    r"""Return what the first bytes of a run file say about the run; of what cannot be read, nothing.

    >>> read_beginning(b"7 Q0 d1 1 0.5 BM25 0 90\n")
    Beginning(run_id='BM25', query='', topic_fields=(), result_type='passage', description='')
    """
    try:
        payload = checked_text(_unpacked(payload[:BEGINNING_SIZE]))
        return _of_xml(payload) if payload.lstrip()[:1] == b"<" else _of_text(payload)
    except (FormatError, etree.XMLSyntaxError, zlib.error):
        return Beginning()


def _unpacked(payload):
    if not payload.startswith(GZIP_MAGIC):
        return payload
    return zlib.decompressobj(wbits=31).decompress(payload, BEGINNING_SIZE)


def _of_xml(payload):
    check_prolog(payload)
    cut = FIRST_TOPIC.search(payload)
    parser = etree.XMLParser(recover=True, **PARSER_OPTIONS)  # the head alone closes nothing it opened
    root = etree.fromstring(payload[: cut.start()] if cut else payload, parser)
    if root is None or root.tag != ROOT:
        return Beginning()
    fields, description = root.find("topic-fields"), root.find("description")
    said = {name: value.strip() for name, value in root.attrib.items()}
    return Beginning(
        run_id=said.get("run-id", ""),
        query=said.get("query", "").lower() if said.get("query", "").lower() in QUERIES.values() else "",
        topic_fields=() if fields is None else _topic_fields(fields.attrib),
        result_type=said.get("result-type", ""),
        description="" if description is None else text_of(description, {}).strip(),
    )


def _topic_fields(answers):
    """Return the fields that were used; INEX shortened some of their names over the years."""
    used = {name.lower() for name, answer in answers.items() if answer.strip().lower() == "yes"}
    long_names = {"mmtitle": "title", "descr": "description", "desc": "description", "narr": "narrative"}
    used = {long_names.get(name, name) for name in used}
    return tuple(name for name in TOPIC_FIELDS if name in used)


def _of_text(payload):
    whole_lines = payload[: payload.rfind(b"\n") + 1] or payload
    lines = list(islice(content_lines(whole_lines, Limits()), LINES_TO_KNOW_THE_LAYOUT))
    layout = common_layout(lines)
    first = next((line.split() for _, line in lines), [])
    metadata = read_metadata(whole_lines)[0] if payload.startswith(b"#") else ()
    said = dict(metadata)
    used = [value for name, value in metadata if RETRIEVAL.fullmatch(name)]
    return Beginning(
        run_id=first[RUN_ID_FIELD].decode("utf-8", "replace") if len(first) > RUN_ID_FIELD else "",
        query=QUERIES.get(said.get("method.automatic", "").lower(), ""),
        result_type=("passage" if layout == "range" else layout) if len(first) > RUN_ID_FIELD else "",
        description=f"Retrieval: {', '.join(dict.fromkeys(used))}." if used else "",
    )
