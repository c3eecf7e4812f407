"""Small real-looking files of every format, for the fuzzing of the readers."""

import gzip
import io
import tarfile
import zipfile

FOL = b"7 Q0 d1 1 0.5 RUN 0 5\n7 Q0 d2 2 -4.5e-3 RUN 9760 1848\n8 Q0 d1 1 3 RUN X X\n"
ELEMENTS = b"7 Q0 d1 1 0.5 RUN /article[1]/body[1]/p[2]\n7 Q0 d1 2 0.4 RUN /article[1]/body[1]\n"
RANGES = b"7 Q0 d1 1 0.5 RUN /article[1]/p[1] /article[1]/p[3]\n"
ENTRY_POINTS = b"7 Q0 d1 1 0.5 RUN 126\n7 Q0 d2 2 0.4 RUN -1\n"
DOCUMENTS = b"7\tQ0\td1\t1\t0.5\tRUN\r\n8\tQ0\td1\t1\t0.5\tRUN\r\n7\tQ0\td2\t2\t0.5\tRUN\r\n"
METADATA = (
    b"# ir_metadata.start\n# actor:\n#   team: 'Sea'\n#   list:\n#   - a: 1\n#     b: |\n#       c\n# ir_metadata.end\n"
    + FOL
)
SUBMISSION = b"""<?xml version="1.0" encoding="UTF-8"?>
<inex-submission participant-id="19" run-id="R" task="Focused" query="automatic" result-type="element">
<topic-fields title="yes" castitle="no"/><description>x</description>
<topic topic-id="7"><result><file>d1</file><path>/article[1]/p[1]</path><rank>1</rank><rsv>0.9</rsv></result>
<result><file>d1</file><path>/article[1]/p[2]</path></result></topic></inex-submission>"""
SPANS = b"""<inex-submission run-id="R" result-type="fol"><topic topic-id="7">
<result><file>d1</file><fol offset="0" length="3120"/></result></topic></inex-submission>"""
POINTS = b"""<inex-submission run-id="R"><topic topic-id="7"><result><file>d1</file>
<passage start="/article[1]/p[1]/text()[1].0" end="/article[1]/p[2]/text()[2].120"/>
</result></topic></inex-submission>"""
HIGHLIGHTS = b"7 Q0 d1 15 60 1 1:5 8:10\n7 Q0 d2 0 4210\n8 Q0 d1 0 60 -1\n8 Q0 d3 3 60 0 4:0 4:3\n"
QRELS = b"7 0 d1 1\n7 0 d2 0\n8 0 d1 -1\n"
XML_HIGHLIGHTS = b"""<assessments pool="217" topic="7" version="2"><file collection="wikipedia" name="d1">
<best-entry-point path="/article[1]/p[1]/text()[1].0"/>
<passage start="/article[1]/p[1]/text()[1].0" end="/article[1]/p[2]/text()[1].8" size="43"/>
<element path="/article[1]" exhaustivity="2" size="345" rsize="43"/>
<element path="/article[1]/p[1]" exhaustivity="?" size="34" rsize="30"/></file><file name="d2"></file></assessments>"""
GRADED = b"""<assessments pool='12' topic='7'><file file='co/2000/r7108'>
<path path='/article[1]' exhaustiveness='2' specificity='1' inferred='true' inpool='true'/>
<path path='/article[1]/bdy[1]' exhaustiveness='U' specificity='U'/></file></assessments>"""
TOPICS = b"""<?xml version="1.0"?>
<!DOCTYPE inex-topic-file [
<!ENTITY  amp     "ampersand">
<!ENTITY dash "&#8211;">
<!ELEMENT topic (title)>
]>
<inex-topic-file><topic id="7" ct_no="186"><title>a &amp; b &dash; c</title><castitle>//article</castitle></topic>
<topic id="8"><title/></topic></inex-topic-file>"""
ONE_TOPIC = b'<inex_topic topic_id="7" query_type="CO+S"><title>x</title><keywords>y</keywords></inex_topic>'
TREC_TOPICS = b"<top>\n<num> Number: 401\n<title> x\n<desc> Description:\ny\n</top>\n<top><num>402</num></top>"
POOL = b'<pool topic="7"><file file="d1"><path path="/article[1]"/><passage start="/a[1]" end="/b[1]"/></file></pool>'
ARTICLE = b"""<!DOCTYPE article SYSTEM "a.dtd"><article><title>T&eacute;</title><body>x<!--c--><p>one</p><p>two<i/></p>
</body></article>"""
LENGTHS = b"d1 58542\nd2\t12\n"


def _zip(files):
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, payload in files.items():
            archive.writestr(zipfile.ZipInfo(name), payload)
    return target.getvalue()


def _tar(files):
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w") as archive:
        for name, payload in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(payload)
            archive.addfile(entry, io.BytesIO(payload))
    return target.getvalue()


TEXTS = (
    *(FOL, ELEMENTS, RANGES, ENTRY_POINTS, DOCUMENTS, METADATA, SUBMISSION, SPANS, POINTS, HIGHLIGHTS, QRELS),
    *(XML_HIGHLIGHTS, GRADED, TOPICS, ONE_TOPIC, TREC_TOPICS, POOL, ARTICLE, LENGTHS),
)
SEEDS = (
    *TEXTS,
    gzip.compress(FOL, mtime=0),
    _zip({"a/7.xml": XML_HIGHLIGHTS, "README": b"x"}),
    _tar({"a/7.xml": XML_HIGHLIGHTS, "b/8.xml": ARTICLE}),
    gzip.compress(_tar({"a/7.xml": GRADED}), mtime=0),
)
