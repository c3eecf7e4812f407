"""Assessments that Hypothesis makes up, in the words of their formats."""

import io
import re

from hypothesis import strategies as st

from limelight.formats.assessments.columns import UNKNOWN
from limelight.text.documents import read_document
from tests.documents import xml_documents

PRINTABLE = st.characters(codec="utf-8", categories=("L", "M", "N", "P", "S")).filter(str.isprintable)
NAMES = st.text(PRINTABLE, min_size=1, max_size=12).filter(lambda name: name[0] not in "#<")
PATHS = st.lists(st.tuples(st.sampled_from(("sec", "p", "x:b")), st.integers(1, 12)), max_size=4).map(
    lambda steps: "/article[1]" + "".join(f"/{tag}[{number}]" for tag, number in steps)
)
POINTS = st.tuples(PATHS, st.integers(1, 9), st.integers(0, 999)).map(lambda parts: "{}/text()[{}].{}".format(*parts))
GRADES = st.sampled_from("0123U")


def quoted(value):
    """Return text for an attribute, all that is odd in it as a character reference."""
    return '"' + re.sub(r"[^\w/()\[\].]", lambda found: f"&#{ord(found[0])};", value) + '"'


@st.composite
def judged_files(draw, attribute, content):
    """Return the source of several topics of XML assessments; `content` makes the inside of a judged document."""
    topics = draw(st.lists(NAMES, min_size=1, max_size=3, unique=True))
    source = []
    for topic in topics:
        documents = draw(st.lists(NAMES, min_size=1, max_size=3, unique=True))
        files = "".join(f"<file {attribute}={quoted(name)}>{draw(content)}</file>" for name in documents)
        source.append(f"<assessments topic={quoted(topic)}>{files}</assessments>")
    return f"<all>{''.join(source)}</all>".encode()


@st.composite
def highlighted_content(draw):
    """Return an entry point, passages and elements, each of which may be absent."""
    parts = [f"<best-entry-point path={quoted(point)}/>" for point in draw(st.lists(POINTS, max_size=1))]
    for start, end, size in draw(st.lists(st.tuples(POINTS, POINTS, st.integers(-1, 99)), max_size=3)):
        said = f' size="{size}"' if size >= 0 else ""
        parts.append(f"<passage start={quoted(start)} end={quoted(end)}{said}/>")
    for path in draw(st.lists(PATHS, max_size=3, unique=True)):
        size, grade = draw(st.integers(0, 99)), draw(st.sampled_from(("", "0", "1", "2", "?")))
        said = f' exhaustivity="{grade}"' if grade else ""
        parts.append(f'<element path={quoted(path)}{said} size="{size}" rsize="{draw(st.integers(0, size))}"/>')
    return "".join(parts)


@st.composite
def graded_content(draw):
    """Return graded paths that keep the rule of grades: both are 0, or neither is."""
    parts = []
    for path in draw(st.lists(PATHS, max_size=4, unique=True)):
        grade, other = draw(
            st.tuples(GRADES, GRADES).filter(lambda pair: "U" in pair or ("0" in pair) == (pair[0] == pair[1] == "0"))
        )
        inferred = draw(st.sampled_from(("", ' inferred="true"', ' inferred="false"')))
        parts.append(f'<path path={quoted(path)} exhaustiveness="{grade}" specificity="{other}"{inferred}/>')
    return "".join(parts)


@st.composite
def judged_collections(draw):
    """Return documents by id, and lines that highlight parts of them."""
    names = draw(st.lists(NAMES, min_size=1, max_size=3, unique=True))
    documents = {name: read_document(io.BytesIO(draw(xml_documents()).encode()), name) for name in names}
    lines = []
    for topic in draw(st.lists(NAMES, min_size=1, max_size=2, unique=True)):
        for name in draw(st.lists(st.sampled_from(names), min_size=1, unique=True)):
            length = len(documents[name])
            places = st.integers(0, length)
            cuts = sorted(draw(st.lists(places, max_size=8)))
            spans = [(start, end - start) for start, end in zip(cuts[::2], cuts[1::2], strict=False)]
            entry_point = draw(places | st.just(UNKNOWN))
            words = [topic, "Q0", name, sum(size for _, size in spans), length, entry_point]
            lines.append(" ".join([*map(str, words), *(f"{offset}:{size}" for offset, size in spans)]))
    return documents, ("\n".join(lines) + "\n").encode()
