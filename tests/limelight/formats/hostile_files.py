"""Files made to hurt, each built where it is read: in a child process whose time and memory are measured."""

import gzip
import io
import resource
import struct
import tarfile
import time
import zipfile
import zlib

from limelight.formats.assessments.reading import read_assessments
from limelight.formats.collections import collection_files
from limelight.formats.pools import read_pools
from limelight.formats.problems import FormatError
from limelight.formats.runs.reading import read_run
from limelight.formats.topics.inex import read_topics
from limelight.text.documents import read_document

GOOD_LINE = b"7 Q0 d1 1 0.5 RUN 0 5\n"
RESULT = b"<result><file>d</file><path>/article[1]</path></result>"
TOPIC_OF_A_THOUSAND = b'<topic topic-id="7">' + RESULT * 1000 + b"</topic>"
MEGABYTE = 1_000_000


class Endless:
    """A stream of the same bytes over and over, up to a size, that takes no memory itself."""

    def __init__(self, piece, size, head=b"", tail=b""):
        self._piece = piece * max(1, 65_536 // len(piece))
        self._beginning = (size, head, tail)
        self.seek(0)

    def seek(self, _position):
        self._left, self._head, self._tail = self._beginning

    def tell(self):
        return 0

    def read(self, size=-1):
        if self._head:
            chunk, self._head = self._head[:size], self._head[size:]
            return chunk
        if self._left > 0:
            chunk = self._piece[: self._left]
            self._left -= len(chunk)
            return chunk
        chunk, self._tail = self._tail[:size], self._tail[size:]
        return chunk


def submission(inside, prolog=b""):
    return io.BytesIO(
        prolog + b'<inex-submission run-id="R"><topic topic-id="7">' + inside + b"</topic></inex-submission>"
    )


def topics(prolog, title=b"x"):
    return io.BytesIO(
        prolog + b'<inex-topic-file><topic id="1"><title>' + title + b"</title></topic></inex-topic-file>"
    )


def doctype(declarations):
    return b"<!DOCTYPE inex-topic-file [" + declarations + b"]>"


def billion_laughs():
    nested = b"".join(b'<!ENTITY l%d "%s">' % (n, b"&l%d;" % (n - 1) * 10) for n in range(1, 12))
    return doctype(b'<!ENTITY l0 "ha">' + nested)


def gzip_bomb(size):
    packer = zlib.compressobj(9, wbits=31)
    pieces = [packer.compress(GOOD_LINE * 50_000) for _ in range(size // (len(GOOD_LINE) * 50_000))]
    return io.BytesIO(b"".join(pieces) + packer.flush())


def zip_of(*files, compression=zipfile.ZIP_DEFLATED):
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", compression) as archive:
        for name, payload in files:
            archive.writestr(name, payload)
    target.seek(0)
    return target


def zip_with_lying_sizes():
    payload = zip_of(("a.xml", b"<a>" + b"x" * 60 * MEGABYTE + b"</a>")).getvalue()
    end = payload.rfind(b"PK\x01\x02")
    return io.BytesIO(payload[: end + 24] + struct.pack("<L", 10) + payload[end + 28 :])


def zip_of_many():
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for number in range(100_001):
            archive.writestr(f"{number}.xml", b"")
    target.seek(0)
    return target


def zip_with_password():
    payload = bytearray(zip_of(("a.xml", b"<a/>"), compression=zipfile.ZIP_STORED).getvalue())
    payload[6] |= 1
    payload[payload.rfind(b"PK\x01\x02") + 8] |= 1
    return io.BytesIO(bytes(payload))


def tar_of(*entries, mode="w"):
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode=mode) as archive:
        for entry, payload in entries:
            entry.size = len(payload)
            archive.addfile(entry, io.BytesIO(payload))
    target.seek(0)
    return target


def tar_link():
    entry = tarfile.TarInfo("a.xml")
    entry.type = tarfile.SYMTYPE
    entry.linkname = "/etc/passwd"
    return tar_of((entry, b""))


def tar_with_holes():
    entry = tarfile.TarInfo("a.xml")
    entry.pax_headers = {"GNU.sparse.major": "0", "GNU.sparse.minor": "1", "GNU.sparse.map": "0,4,40000000,0"}
    entry.pax_headers |= {"GNU.sparse.size": "40000000"}
    return tar_of((entry, b"<a/>"))


def tar_with_a_long_header():
    packer = zlib.compressobj(1, wbits=31)
    entry = tarfile.TarInfo("././@LongLink")
    entry.type, entry.size = tarfile.GNUTYPE_LONGNAME, 500 * MEGABYTE
    pieces = [packer.compress(entry.tobuf()), *(packer.compress(bytes(MEGABYTE)) for _ in range(500))]
    return io.BytesIO(b"".join(pieces) + packer.flush())


def document(stream):
    return read_document(stream, "d")


def collection(stream):
    return list(collection_files(stream))


FILES = {
    "external entity": (read_topics, lambda: topics(doctype(b'<!ENTITY x SYSTEM "file:///etc/passwd">'), b"&x;")),
    "network entity": (read_topics, lambda: topics(doctype(b'<!ENTITY x SYSTEM "http://127.0.0.1:9/">'), b"&x;")),
    "parameter entity": (read_topics, lambda: topics(doctype(b'<!ENTITY % x SYSTEM "http://127.0.0.1:9/"> %x;'))),
    "billion laughs": (read_topics, lambda: topics(billion_laughs(), b"&l11;")),
    "quadratic blow-up": (
        read_topics,
        lambda: topics(doctype(b'<!ENTITY x "' + b"x" * 100_000 + b'">'), b"&x;" * 10_000),
    ),
    "entities in attributes": (
        read_assessments,
        lambda: io.BytesIO(
            b'<!DOCTYPE a [<!ENTITY x "'
            + b"x" * 190
            + b'">]><assessments topic="7"><file name="'
            + b"&x;" * 500_000
            + b'"/></assessments>'
        ),
    ),
    "unread external DTD": (
        read_topics,
        lambda: topics(b'<!DOCTYPE x SYSTEM "http://127.0.0.1:9/x.dtd">', b"&nowhere;"),
    ),
    "entity without DOCTYPE": (read_topics, lambda: topics(b"", b"&nowhere;")),
    "broken DOCTYPE": (read_topics, lambda: topics(b"<!DOCTYPE [")),
    "endless DOCTYPE": (read_topics, lambda: topics(b"<!DOCTYPE x [" + b"<!ELEMENT a (b)>" * 100_000)),
    "hidden in UTF-7": (read_topics, lambda: topics(b'<?xml version="1.0" encoding="UTF-7"?>+ADw-!DOCTYPE')),
    "gzip bomb": (read_run, lambda: gzip_bomb(300 * MEGABYTE)),
    "gzip of zeros": (read_run, lambda: io.BytesIO(gzip.compress(bytes(90 * MEGABYTE)))),
    "gzip cut short": (read_run, lambda: io.BytesIO(gzip.compress(GOOD_LINE * 1000)[:-20])),
    "gzip damaged": (read_run, lambda: io.BytesIO(gzip.compress(GOOD_LINE)[:-8] + bytes(8))),
    "gzip bomb as XML": (document, lambda: io.BytesIO(gzip.compress(b"<a>" + b" " * 90 * MEGABYTE + b"</a>"))),
    "zip bomb": (
        collection,
        lambda: zip_of(*[(f"{n}.xml", b"<a>" + b"x" * 40 * MEGABYTE + b"</a>") for n in range(3)]),
    ),
    "zip with one large file": (collection, lambda: zip_of(("a.xml", b"<a>" + b"x" * 60 * MEGABYTE + b"</a>"))),
    "zip with lying sizes": (collection, zip_with_lying_sizes),
    "zip of many files": (collection, zip_of_many),
    "zip with a password": (collection, zip_with_password),
    "zip damaged": (
        collection,
        lambda: io.BytesIO(zip_of(("a.xml", b"<a/>" * 100)).getvalue().replace(b"PK\x01\x02", b"PK\x01\x03")),
    ),
    "zip path traversal": (collection, lambda: zip_of(("../../etc/cron.d/x.xml", b"<a/>"))),
    "zip absolute path": (collection, lambda: zip_of(("/etc/x.xml", b"<a/>"))),
    "zip drive letter": (collection, lambda: zip_of(("C:\\x.xml", b"<a/>"))),
    "zip control character": (collection, lambda: zip_of(("a\x1b[2J.xml", b"<a/>"))),
    "tar path traversal": (collection, lambda: tar_of((tarfile.TarInfo("a/../../x.xml"), b"<a/>"))),
    "tar link": (collection, tar_link),
    "tar cut short": (
        collection,
        lambda: io.BytesIO(tar_of((tarfile.TarInfo("a.xml"), b"<a/>" * 1000)).getvalue()[:2000]),
    ),
    "tar.gz bomb": (
        collection,
        lambda: tar_of((tarfile.TarInfo("a.xml"), b"<a>" + b" " * 40 * MEGABYTE + b"</a>"), mode="w:gz"),
    ),
    "deep nesting": (document, lambda: Endless(b"<a>", 30 * MEGABYTE)),
    "deep nesting in a run": (read_run, lambda: submission(b"<result>" * 100_000)),
    "endless siblings": (document, lambda: Endless(b"<a/>", 50 * MEGABYTE, b"<r>", b"</r>")),
    "endless results": (read_run, lambda: Endless(RESULT, 80 * MEGABYTE, b'<inex-submission><topic topic-id="7">')),
    "endless topic": (
        read_run,
        lambda: Endless(
            RESULT, len(RESULT) * 10**6, b'<inex-submission><topic topic-id="7">', b"</topic></inex-submission>"
        ),
    ),
    "endless topics": (
        read_run,
        lambda: Endless(
            TOPIC_OF_A_THOUSAND, len(TOPIC_OF_A_THOUSAND) * 900, b"<inex-submission>", b"</inex-submission>"
        ),
    ),
    "endless attributes": (
        document,
        lambda: io.BytesIO(b"<a " + b" ".join(b'a%d=""' % n for n in range(600_000)) + b"/>"),
    ),
    "endless descriptions": (
        read_run,
        lambda: Endless(b"<description/>", 90 * MEGABYTE, b"<inex-submission>", TOPIC_OF_A_THOUSAND),
    ),
    "topics in endless wrappings": (
        read_run,
        lambda: Endless(b'<x><topic topic-id="7"/></x>', 90 * MEGABYTE, b"<inex-submission>", TOPIC_OF_A_THOUSAND),
    ),
    "endless paths": (
        document,
        lambda: io.BytesIO(
            b"<%s>" % (b"a" * 1000) * 200 + b"<b/>" * 200_000 + b"</%s>" % (b"a" * 1000) * 200,
        ),
    ),
    "many comments before topics": (read_topics, lambda: topics(b"<!---->" * 1000)),
    "a number of 90,000 digits": (read_run, lambda: io.BytesIO(b"7 Q0 d 1 " + b"9" * 90_000 + b"x R 0 5\n")),
    "90,000 items in a line of metadata": (
        read_run,
        lambda: io.BytesIO(b"# ir_metadata.start\n# " + b"- " * 45_000 + b"\n# ir_metadata.end\n" + GOOD_LINE),
    ),
    "tar with holes": (collection, tar_with_holes),
    "tar with a long header": (collection, tar_with_a_long_header),
    "10 MB attribute": (read_run, lambda: submission(b'<result x="' + b"x" * 11 * MEGABYTE + b'"/>')),
    "10 MB text": (document, lambda: io.BytesIO(b"<a>" + b"x" * 11 * MEGABYTE + b"</a>")),
    "10 MB name": (document, lambda: io.BytesIO(b"<" + b"a" * 11 * MEGABYTE + b"/>")),
    "10 MB comment": (document, lambda: io.BytesIO(b"<a><!--" + b"x" * 11 * MEGABYTE + b"--></a>")),
    "NUL in text": (read_run, lambda: io.BytesIO(GOOD_LINE + b"7 Q0 d\x002 1 0.5 RUN 0 5\n")),
    "NUL in XML": (read_run, lambda: submission(b"<result><file>d\x00</file></result>")),
    "only NULs": (read_run, lambda: io.BytesIO(bytes(5000))),
    "random bytes": (read_run, lambda: io.BytesIO(bytes(range(1, 256)))),
    "bad UTF-8": (read_run, lambda: io.BytesIO(GOOD_LINE + b"7 Q0 d\xff 2 0.5 R\xc3 0 5\n")),
    "bad UTF-8 in XML": (read_run, lambda: submission(b"<result><file>caf\xe9</file></result>")),
    "lying encoding": (
        read_run,
        lambda: submission(b"<result><file>caf\xe9</file></result>", b'<?xml version="1.0" encoding="UTF-8"?>'),
    ),
    "UTF-8 that says UTF-16": (read_run, lambda: submission(RESULT, b'<?xml version="1.0" encoding="UTF-16"?>')),
    "UTF-16": (read_run, lambda: io.BytesIO(GOOD_LINE.decode().encode("utf-16"))),
    "UTF-16 without a mark": (read_run, lambda: io.BytesIO("<inex-submission/>".encode("utf-16-le"))),
    "UTF-32": (read_run, lambda: io.BytesIO(GOOD_LINE.decode().encode("utf-32"))),
    "line of 100 MB": (read_run, lambda: Endless(b"x", 99 * MEGABYTE, GOOD_LINE)),
    "line of 100 MB of blanks": (read_run, lambda: Endless(b" ", 99 * MEGABYTE, GOOD_LINE)),
    "line of 100 MB of fields": (
        read_assessments,
        lambda: Endless(b"1:1 ", 99 * MEGABYTE, b"7 Q0 d 5 9 0 0:5\n7 Q0 e 1 9 0 "),
    ),
    "too many bytes": (read_run, lambda: Endless(GOOD_LINE, 101 * MEGABYTE)),
    "too many lines": (read_run, lambda: Endless(b"\n", 2 * MEGABYTE)),
    "half a million wrong lines": (read_run, lambda: Endless(b"7 Q0 d1 1 high RUN 0 5 \n", 24 * 500_000)),
    "half a million documents": (
        read_run,
        lambda: io.BytesIO(b"".join(b"7 Q0 document%d 1 0 R 0 5\n" % n for n in range(499_999)) + b"7 Q0 d 1 x R 0 5"),
    ),
    "numbers out of range": (
        read_run,
        lambda: io.BytesIO(b"7 Q0 d " + b"9" * 30 + b" 0 R " + b"9" * 5000 + b" 4294967296\n"),
    ),
    "NaN and infinities": (
        read_run,
        lambda: io.BytesIO(b"7 Q0 d 1 nan R 0 5\n7 Q0 e 2 -Infinity R 0 5\n7 Q0 f 3 1e400 R 0 5\n"),
    ),
    "control characters in ids": (
        read_run,
        lambda: io.BytesIO("7\x1b[2J Q0 d\u202e1 1 1 R\x7f 0 5\n".encode()),
    ),
    "control characters in a pool": (
        read_pools,
        lambda: io.BytesIO(b'<pool topic="7&#x85;1"><file file="a&#x2028;b"/></pool>'),
    ),
    "bell in XML": (read_topics, lambda: topics(b"", b"\x07")),
}


def measure(name, answers):
    """Read a hostile file; answer with the messages, the seconds and the megabytes it took at most."""
    read, build = FILES[name]
    stream = build()
    begun = time.process_time()
    try:
        read(stream)
        messages = ["accepted"]
    except FormatError as error:
        messages = [str(problem) for problem in error.problems[:5]]
        messages += [f"and {len(error.problems) - 5:,} more"] if len(error.problems) > 5 else []
    seconds = time.process_time() - begun
    answers.put((messages, seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000))
