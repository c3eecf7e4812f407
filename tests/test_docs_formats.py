"""docs/formats.md can't fall behind: its examples are read, its messages exist, and no rule is left out."""

import ast
import gzip
import io
import re

import pytest

from limelight.formats.assessments.reading import read_assessments
from limelight.formats.collections import read_document_lengths
from limelight.formats.pools import read_pools
from limelight.formats.runs.reading import read_run
from limelight.formats.topics.inex import read_topics
from limelight.text.documents import read_document
from tests.folders import ROOT

PAGE = (ROOT / "docs" / "formats.md").read_text()
SOURCES = [
    *sorted((ROOT / "limelight" / "formats").rglob("*.py")),
    *(
        ROOT / "limelight" / name
        for name in ("rules/checking.py", "rules/likeness.py", "text/documents.py", "text/placing.py")
    ),
]
READERS = {
    "FOL text": read_run,
    "Element paths in text": read_run,
    "Ranges of elements in text": read_run,
    "Entry points in text": read_run,
    "Whole documents (TREC)": read_run,
    "XML submission": read_run,
    "XML submission with spans": read_run,
    "XML submission with passages": read_run,
    "Run metadata": read_run,
    "Highlights, text form": read_assessments,
    "Highlights, XML form": read_assessments,
    "Graded elements": read_assessments,
    "TREC qrels": read_assessments,
    "Topics of 2009 and later": read_topics,
    "Topics of 2003 to 2008": read_topics,
    "TREC topics": read_topics,
    "Pool": read_pools,
    "Document": lambda stream: read_document(stream, "salt"),
    "List of ids and lengths": read_document_lengths,
}
SHORTEST_SENTENCE = 15


def sections():
    """Return the text under each heading of the third level."""
    pieces = re.split(r"^### (.+)$", PAGE, flags=re.MULTILINE)
    return dict(zip(pieces[1::2], pieces[2::2], strict=True))


def examples(section):
    return re.findall(r"^```\w*\n(.*?)^```$", section, flags=re.MULTILINE | re.DOTALL)


def documented_messages():
    """Return the rules and messages in the tables of the page."""
    return re.findall(r"^\| `([a-z0-9-]+)` \| `(.+?)` \|", PAGE, flags=re.MULTILINE)


def rules_in_code():
    """Return every rule that the readers and the checker can name."""
    rules = set()
    for source in SOURCES:
        for node in ast.walk(ast.parse(source.read_text())):
            if isinstance(node, ast.Call):
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                if name in ("refuse", "FieldError", "add", "Problem", "note", "_note"):
                    arguments = [*node.args[1:], *(k.value for k in node.keywords if k.arg == "rule")]
                    rules |= {a.value for a in arguments if isinstance(a, ast.Constant) and is_rule(a.value)}
            elif isinstance(node, ast.Tuple) and len(node.elts) in (2, 3) and isinstance(node.elts[-1], ast.Constant):
                rules |= {node.elts[-1].value} if str(node.elts[-1].value).startswith("xml-") else set()
    return rules


def is_rule(value):
    return (
        isinstance(value, str) and re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", value) and value not in ("error", "warning")
    )


def templates_in_code():
    """Return an expression for every sentence in the code, its gaps left open."""
    for source in SOURCES:
        for node in ast.walk(ast.parse(source.read_text())):
            if isinstance(node, ast.JoinedStr):
                parts = [part.value if isinstance(part, ast.Constant) else None for part in node.values]
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                parts = [node.value]
            else:
                continue
            if sum(len(part) for part in parts if part) >= SHORTEST_SENTENCE:
                yield re.compile("".join(".+" if part is None else re.escape(part) for part in parts))


def test_every_format_has_a_heading_and_every_heading_a_reader():
    described = {heading for heading, section in sections().items() if examples(section)}

    assert described == READERS.keys()


@pytest.mark.parametrize("heading", READERS)
def test_the_examples_on_the_page_can_be_read(heading):
    for example in examples(sections()[heading]):
        READERS[heading](io.BytesIO(example.encode()))
        READERS[heading](io.BytesIO(gzip.compress(example.encode())))


@pytest.mark.parametrize("reader", ["read_run", "read_assessments", "read_topics", "read_document"])
def test_what_the_page_promises_is_read_by_the_site_and_the_command_line(reader):
    assert called_from("campaign/services", reader) or called_from("assessments/services", reader)
    faces = [source.read_text() for source in (ROOT / "limelight" / "face").glob("*.py")]
    assert any(re.search(rf"^from limelight\.(formats|text)\S* import .*\b{reader}\b", face, re.M) for face in faces)


def called_from(folder, reader):
    pure = [ROOT / "limelight" / "rules" / "checking.py"] if folder == "campaign/services" else []
    sources = [*(ROOT / folder).rglob("*.py"), *pure]
    return any(re.search(rf"\b{reader}\(|, {reader}\)", source.read_text()) for source in sources)


def test_no_reader_that_nothing_calls_is_promised():
    promised = {getattr(reader, "__name__", "") for reader in READERS.values()}

    assert promised.isdisjoint({"read_trels", "read_text_run"})
    assert "t-rel" not in PAGE


def test_every_rule_is_on_the_page():
    assert {rule for rule, _ in documented_messages()} == rules_in_code()


def test_every_message_on_the_page_is_one_that_the_code_says():
    templates = list(templates_in_code())

    unknown = [message for _, message in documented_messages() if not any(t.fullmatch(message) for t in templates)]

    assert unknown == []
