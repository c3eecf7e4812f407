"""Files with too much of one construct, for every reader: what a test of growing time and memory feeds them."""

import io
import zipfile
from functools import partial

from limelight.formats.assessments.reading import read_assessments
from limelight.formats.assessments.trels import read_trels
from limelight.formats.collections import collection_files, read_document_lengths
from limelight.formats.pools import read_pools
from limelight.formats.runs.beginning import read_beginning
from limelight.formats.runs.reading import read_run
from limelight.formats.runs.text_runs import read_text_run
from limelight.formats.topics.inex import read_topics
from limelight.rules.checking import read_and_check
from limelight.rules.headings import quotes
from limelight.rules.task_rules import Rules
from limelight.text.documents import read_document

PLACES = {"prolog": b"", "attributes": b"", "root": b"", "inside": b"", "value": b"1", "path": b"/a[1]"}
SUBMISSION = (
    b'%(prolog)s<inex-submission run-id="R" %(attributes)s><topic-fields %(attributes)s/><description>%(inside)s'
    b'</description>%(root)s<topic topic-id="7" %(attributes)s>%(inside)s<result %(attributes)s><file>d</file>%(place)s'
    b"<rank>%(value)s</rank><rsv>%(value)s</rsv>%(inside)s</result></topic></inex-submission>"
)
TIDY_SUBMISSION = (
    b'%(prolog)s<inex-submission run-id="R" %(attributes)s><topic-fields %(attributes)s/><description>%(inside)s'
    b'</description>%(root)s<topic topic-id="7"><result><file>d</file><path>/a[1]</path></result></topic>'
    b"</inex-submission>"
)
HIGHLIGHTS = (
    b'%(prolog)s<assessments topic="7" %(attributes)s>%(root)s<file name="d" %(attributes)s>%(inside)s'
    b'<best-entry-point path="%(path)s"/><passage start="%(path)s" end="%(path)s" size="%(value)s" %(attributes)s/>'
    b'<element path="%(path)s" exhaustivity="%(value)s" size="%(value)s" rsize="%(value)s" %(attributes)s/>'
    b"</file></assessments>"
)
GRADED = (
    b'%(prolog)s<assessments topic="7" %(attributes)s>%(root)s<file file="d" %(attributes)s>%(inside)s'
    b'<path path="%(path)s" exhaustiveness="%(value)s" specificity="%(value)s" %(attributes)s/></file></assessments>'
)
TOPICS = (
    b'%(prolog)s<inex-topic-file %(attributes)s>%(root)s<topic id="7" %(attributes)s>%(inside)s<title>%(inside)s'
    b"%(value)s</title></topic></inex-topic-file>"
)
POOL = (
    b'%(prolog)s<pool topic="7" %(attributes)s>%(root)s<file file="d" %(attributes)s>%(inside)s'
    b'<path path="%(path)s" %(attributes)s/></file></pool>'
)
ARTICLE = (
    b"%(prolog)s<article %(attributes)s>%(root)s<title>%(inside)s</title>%(value)s"
    b"<p %(attributes)s>%(inside)s%(path)s</p></article>"
)


def with_place(place):
    return SUBMISSION.replace(b"%(place)s", place)


def zipped(payload):
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("7.xml", payload)
    return target.getvalue()


def beginning(stream):
    return read_beginning(stream.read())


def collection(stream):
    return [read_document(file, name) for name, file in collection_files(stream)]


def run_with_quotes(stream):
    _, problems = read_and_check(stream, Rules("focused"))
    stream.seek(0)
    quotes(stream, [problem.line for problem in problems])


ELEMENT, SPAN = b"<path>%(path)s</path>", b'<fol offset="%(value)s" length="%(value)s" %(attributes)s/>'
PASSAGE = b'<passage start="%(path)s" end="%(path)s" %(attributes)s/>'
XML = {
    "tidy run": (read_run, TIDY_SUBMISSION),
    "run of elements": (read_run, with_place(ELEMENT)),
    "run of spans": (read_run, with_place(SPAN)),
    "run and its report": (run_with_quotes, with_place(SPAN)),
    "run of passages": (read_run, with_place(PASSAGE)),
    "beginning": (beginning, with_place(ELEMENT)),
    "assessments": (read_assessments, HIGHLIGHTS),
    "assessments without a place": (partial(read_assessments, lookup=lambda _: None), HIGHLIGHTS),
    "assessments in an archive": (lambda stream: read_assessments(io.BytesIO(zipped(stream.read()))), HIGHLIGHTS),
    "graded": (read_assessments, GRADED),
    "graded by content": (partial(read_assessments, lookup=lambda _: {}), GRADED),
    "topics": (read_topics, TOPICS),
    "pool": (read_pools, POOL),
    "document": (lambda stream: read_document(stream, "d"), ARTICLE),
    "collection": (lambda stream: collection(io.BytesIO(zipped(stream.read()))), ARTICLE),
    "run to every other slot": (
        lambda stream: _to_each(stream, read_assessments, read_topics, read_pools, read_document_lengths),
        with_place(ELEMENT),
    ),
}


def _to_each(stream, *readers):
    payload = stream.read()
    for read in readers:
        try:
            read(io.BytesIO(payload))
        except ValueError:
            continue


def names(pattern, count, between=b" "):
    return between.join(pattern % number for number in range(count))


def pairs(pattern, count):
    return b"".join(pattern % (number, number) for number in range(count))


def doctype(subset):
    return b"<!DOCTYPE r [" + subset + b"]>"


XML_CONSTRUCTS = {
    "attributes on one element": lambda n: {"attributes": names(b'a%d="1"', n)},
    "attributes over many elements": lambda n: {"inside": b'<x a="1" b="2" c="3"/>' * n},
    "prefixed attributes": lambda n: {"attributes": b'xmlns:p="u" ' + names(b'p:a%d="1"', n)},
    "the same attribute": lambda n: {"attributes": b'a="1" ' * n},
    "namespaces on one element": lambda n: {"attributes": names(b'xmlns:p%d="u"', n)},
    "namespaces over many elements": lambda n: {
        "inside": b"".join(b'<p%d:x xmlns:p%d="u%d"/>' % (i, i, i) for i in range(n))
    },
    "unknown namespaces": lambda n: {"root": b"<p:x/>" * n, "inside": b"<p:x/>" * n},
    "elements": lambda n: {"root": b"<x/>" * n, "inside": b"<x/>" * n},
    "elements of many names": lambda n: {"root": names(b"<x%d/>", n, b""), "inside": names(b"<x%d/>", n, b"")},
    "elements that readers look for": lambda n: {
        "root": b"<topic/><description/><file/><path/><title/>" * (n // 4),
        "inside": b"<result/><rank/><file/><passage/><path/><title/>" * (n // 4),
    },
    "descriptions": lambda n: {"root": b"<description>x</description>" * n},
    "nested": lambda n: {"root": b"<x>" * n + b"</x>" * n},
    "deep": lambda n: {"inside": (b"<x>" * 200 + b"</x>" * 200) * (n // 200)},
    "deep descriptions": lambda n: {
        "root": b"<description>" * 200 + b"x" * 20 * n + b"</description>" * 200,
        "inside": b"<title>" * 200 + b"x" * 20 * n + b"</title>" * 200,
    },
    "many at the bottom": lambda n: {"inside": b"<x>" * 200 + b"<y/>" * n + b"</x>" * 200},
    "entities declared": lambda n: {"prolog": doctype(names(b'<!ENTITY e%d "x">', n, b""))},
    "entities used": lambda n: {"prolog": doctype(b'<!ENTITY e "x">'), "inside": b"&e;" * n},
    "entities in an attribute": lambda n: {
        "prolog": doctype(b'<!ENTITY e "x">'),
        "attributes": b'a="' + b"&e;" * n + b'"',
    },
    "entities that nobody declared": lambda n: {"prolog": b'<!DOCTYPE r SYSTEM "x">', "inside": b"&e;" * n},
    "entities after a long prolog": lambda n: {
        "prolog": b"\n" * 50 * n + doctype(names(b'<!ENTITY e%d "x">', 290, b""))
    },
    "attributes by default": lambda n: {
        "prolog": doctype(b"<!ATTLIST x " + names(b'a%d CDATA ""', 100) + b">"),
        "inside": b"<x/>" * n,
    },
    "declarations of attributes": lambda n: {"prolog": doctype(b"<!ATTLIST r " + names(b'a%d CDATA "x"', n) + b">")},
    "declarations of elements": lambda n: {"prolog": doctype(names(b"<!ELEMENT e%d (x)>", n, b""))},
    "character references": lambda n: {"inside": b"&#65;" * n},
    "comments": lambda n: {"prolog": b"<!---->" * n, "root": b"<!---->" * n, "inside": b"<!---->" * n},
    "instructions": lambda n: {"prolog": b"<?x?>" * n, "root": b"<?x?>" * n, "inside": b"<?x?>" * n},
    "CDATA sections": lambda n: {"inside": b"<![CDATA[x]]>" * n, "root": b"<![CDATA[x]]>" * n},
    "CDATA sections between entities": lambda n: {
        "prolog": b'<!DOCTYPE r SYSTEM "x">',
        "inside": b"<![CDATA[x]]>&e;" * n,
    },
    "lines": lambda n: {"prolog": b"\n" * n, "root": b"\n" * n, "inside": b"x\n" * n},
    "tags in comments": lambda n: {"root": b"<!--" + b"<x " * n + b"-->", "inside": b"<!-- <x a='1' -->" * n},
    "open comments": lambda n: {"root": b"<!--" * n},
    "open comments in the prolog": lambda n: {"prolog": b"<!--" * n},
    "open instructions": lambda n: {"root": b"<?" * n},
    "open CDATA": lambda n: {"root": b"<![CDATA[" * n},
    "open tags": lambda n: {"root": b"<x " * n},
    "open attributes": lambda n: {"root": b"<x a='" * n},
    "open quotes": lambda n: {"attributes": b'"' * n},
    "signs": lambda n: {"attributes": b"=" * n},
    "open elements": lambda n: {"root": b"<x>" * n},
    "open declarations": lambda n: {"prolog": b"<!DOCTYPE r [" + b"<!ENTITY " * n},
    "open DOCTYPEs": lambda n: {"prolog": b"<!DOCTYPE " * n},
    "quotes in a DOCTYPE": lambda n: {"prolog": b"<!DOCTYPE r [<!x " + b"\"'" * n + b">]>"},
    "ampersands": lambda n: {"inside": b"&" * n},
    "digits": lambda n: {"value": b"9" * n + b"x"},
    "dots": lambda n: {"value": b"." * n},
    "blanks": lambda n: {"value": b" " * n + b"x", "path": b" " * n + b"/a[1]"},
    "commas": lambda n: {"value": b"1," * n},
    "steps": lambda n: {"path": b"/a[1]" * n},
    "short steps": lambda n: {"path": b"/a" * n},
    "slashes": lambda n: {"path": b"/" * n},
    "points": lambda n: {"path": b"/a" + b"/text()[1].5" * n},
    "brackets": lambda n: {"path": b"/" + b"[" * n},
}
"""What a construct puts into the places of a file, by how many of them."""


def xml_file(frame, construct, count):
    """Return a file with so many of a construct in every place where it can stand."""
    payload = frame
    for place, filling in (PLACES | XML_CONSTRUCTS[construct](count)).items():
        payload = payload.replace(b"%%(%s)s" % place.encode(), filling)
    return payload


TEXTS = {
    "run of spans": (run_with_quotes, b"7 Q0 d 1 0.5 R 0 5"),
    "run of elements": (read_run, b"7 Q0 d 1 0.5 R /a[1]"),
    "run of ranges": (read_run, b"7 Q0 d 1 0.5 R /a[1] /a[2]"),
    "run of entry points": (read_run, b"7 Q0 d 1 0.5 R 12"),
    "run of documents": (run_with_quotes, b"7 Q0 d 1 0.5 R"),
    "run with text": (read_text_run, b"7 Q0 d 1 0.5 R some text"),
    "beginning": (beginning, b"7 Q0 d 1 0.5 R 0 5"),
    "assessments": (read_assessments, b"7 Q0 d 5 60 1 1:5"),
    "grades": (read_assessments, b"7 0 d 1"),
    "lengths": (read_document_lengths, b"d 1"),
    "topics": (read_topics, b"<top> <num> 7 <title> x </top>"),
    "text of a topic": (lambda stream: read_trels(stream, "7"), b"some text"),
    "run to every other slot": (
        lambda stream: _to_each(stream, read_assessments, read_topics, read_pools, read_document_lengths),
        b"7 Q0 d 1 0.5 R 0 5",
    ),
}


def with_every_field(line, make):
    """Return a line for each field, in which that field is another."""
    parts = line.split()
    return b"\n".join(b" ".join([*parts[:place], make(part), *parts[place + 1 :]]) for place, part in enumerate(parts))


def numbered_lines(line, count, place):
    """Return lines in which one field is different every time."""
    parts = line.split()
    return b"\n".join(b" ".join([*parts[:place], b"%d" % n, *parts[place + 1 :]]) for n in range(count))


METADATA = b"# ir_metadata.start\n%s\n# ir_metadata.end\n"
TEXT_CONSTRUCTS = {
    "the same line": lambda line, n: (line + b"\n") * n,
    "topics": lambda line, n: numbered_lines(line, n, 0),
    "documents": lambda line, n: numbered_lines(line, n, min(2, len(line.split()) - 1)),
    "topics that come back": lambda line, n: b"\n".join([line, b"8" + line[1:]] * n),
    "run ids": lambda line, n: numbered_lines(line, n, min(5, len(line.split()) - 1)),
    "wrong lines": lambda line, n: b"\n".join([line + b" x y z", line[:1]] * n),
    "columns": lambda line, n: line + b" 1:1" * n,
    "empty columns": lambda line, n: line + b" x" * n,
    "blank lines": lambda line, n: b"\n" * n + line + b"\n" * n,
    "lines of blanks": lambda line, n: b" \t \n" * n + line,
    "carriage returns": lambda line, n: (line + b"\r\n\r") * n,
    "a long line": lambda line, n: line + b" " + b"x" * n,
    "long blanks": lambda line, n: line + b" " * n + b"1",
    "long digits": lambda line, n: with_every_field(line, lambda _: b"9" * n + b"x"),
    "long numbers": lambda line, n: with_every_field(line, lambda _: b"9" * n),
    "long fractions": lambda line, n: with_every_field(line, lambda _: b"0." + b"0" * n + b"x"),
    "long decimals": lambda line, n: with_every_field(line, lambda _: b"0." + b"1" * n),
    "long exponents": lambda line, n: with_every_field(line, lambda _: b"1e" + b"9" * n),
    "signs": lambda line, n: with_every_field(line, lambda _: b"+-" * n),
    "colons": lambda line, n: with_every_field(line, lambda _: b"1:" * n),
    "slashes": lambda line, n: with_every_field(line, lambda _: b"/" * n),
    "short steps": lambda line, n: with_every_field(line, lambda _: b"/a" * n),
    "commas": lambda line, n: b"\n".join([b",".join(line.split())] * n),
    "a comma for every letter": lambda line, n: with_every_field(line, lambda _: b"1," * n),
    "header lines": lambda line, n: b"# x\n" * n + line,
    "metadata keys": lambda line, n: METADATA % names(b"# k%d: v", n, b"\n") + line,
    "metadata in metadata": lambda line, n: (
        METADATA % b"\n".join(b"#" + b" " * (i % 2000) + b"k: v" for i in range(n)) + line
    ),
    "metadata items": lambda line, n: METADATA % (b"# k:\n" + b"#   - x\n" * n) + line,
    "metadata items in a line": lambda line, n: METADATA % (b"# k:\n#   " + b"- " * n + b"x") + line,
    "a metadata block": lambda line, n: METADATA % (b"# k: |\n" + b"#   xxxxxxxxx\n" * n) + line,
    "a long metadata line": lambda line, n: METADATA % (b"# " + b"k" * n + b": " + b"v" * n) + line,
    "metadata brackets": lambda line, n: METADATA % (b"# k: " + b"[" * n) + line,
    "metadata brackets in lines": lambda line, n: METADATA % (b"# k:\n" + b"# - [{k: [\n" * n) + line,
    "metadata in brackets": lambda line, n: METADATA % (b"# k: [" + b"{k: v}, " * n + b"]") + line,
    "metadata quotes": lambda line, n: METADATA % (b'# k: "v\n' * n) + line,
    "metadata anchors": lambda line, n: METADATA % (names(b"# k%d: &a v", n, b"\n") + b"\n" + b"# - *a\n" * n) + line,
    "metadata directives": lambda line, n: METADATA % (names(b"# %%TAG !a%d! b", n, b"\n") + b"\n# --- v") + line,
    "metadata marks": lambda line, n: METADATA % (b"# " + b"k:" * n) + line,
    "open comments": lambda line, n: b"<!--" * n + line,
    "comments": lambda line, n: b"<!---->" * n + line,
    "blocks": lambda line, n: b"<top><num>1</num>" * n + line,
    "tags": lambda line, n: b"<top><num>1" + b"<a>" * n + line,
}
"""What a construct makes of a reader's good line, by how many of them."""


def text_file(line, construct, count):
    """Return a text file with so many of a construct."""
    return TEXT_CONSTRUCTS[construct](line, count) + b"\n"
