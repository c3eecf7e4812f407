"""Files that are something else than what is asked for."""

import io
import random
import zipfile

PNG = b"\x89PNG\r\n\x1a\n" + random.Random(1).randbytes(5_000)


PROSE = b"This is the README of our runs.\n\nWe used BM25 and a stemmer. It was a lot of fun.\n" * 20


CODE = b"import sys\n\ndef rank(documents):\n    return sorted(documents)\n\nprint(rank(sys.argv))\n" * 10


FOL = b"".join(b"2009001 Q0 %d %d %.4f MyRun %d 50\n" % (n, n, 1 / n, n) for n in range(1, 40))


def packed(files):
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return target.getvalue()


TEXTS = {
    "UTF-16 without a mark": FOL.decode().encode("utf-16-le"),
    "CSV": FOL.replace(b" ", b","),
    "CSV with blanks": FOL.replace(b" ", b", "),
    "CSV with a head": b"topic,Q0,file,rank,rsv,run,offset,length\n" + FOL.replace(b" ", b","),
    "semicolons": FOL.replace(b" ", b";"),
    "JSON": b'{"runs": [{"topic": 1}]}\n',
    "JSON list": b'[\n {"topic": 1}\n]\n',
    "web page": b"<!DOCTYPE html>\n<html><head><title>x</title></head><body><p>x</body></html>",
    "old web page": b"<HTML><BODY BGCOLOR=white><P>x<BR></BODY></HTML>",
    "prose": PROSE,
    "program text": CODE,
    "Word": packed({"[Content_Types].xml": b"<Types/>", "word/document.xml": b"<w:document/>"}),
    "Excel": packed({"[Content_Types].xml": b"<Types/>", "xl/workbook.xml": b"<workbook/>"}),
    "OpenDocument": packed({"mimetype": b"application/vnd.oasis.opendocument.text", "content.xml": b"<x/>"}),
}
