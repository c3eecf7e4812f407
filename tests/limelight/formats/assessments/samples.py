"""Assessments in every form, and what of two readings must be the same."""

from dataclasses import replace

GRADED = b"""<assessments pool='12' topic='91'>
<file file='co/2000/r7108'>
<path path='/article[1]' exhaustiveness='2' specificity='1' inferred='true' inpool='false' inconsistant='false'/>
<path path='/article[1]/bdy[1]' exhaustiveness='2' specificity='3' inferred='false' inpool='true'/>
<path path='/article[1]/fm[1]' exhaustiveness='U' specificity='U'/>
<path path='/article[1]/bm[1]' exhaustiveness='0' specificity='0'/>
</file>
<file file='co/2000/r7109'/>
</assessments>"""


ARTICLE = b"<article><body><p>one two</p><p>three</p>four</body></article>"


JUDGED = """<assessments pool="217" topic="{topic}" version="2">
 <file collection="wikipedia" name="996300">
   <best-entry-point path="/article[1]/body[1]/p[1]/text()[1].4"/>
   <passage start="/article[1]/body[1]/p[1]/text()[1].4" end="/article[1]/body[1]/p[2]/text()[1].2" size="5"/>
   <element path="/article[1]" exhaustivity="2" size="16" rsize="5"/>
   <element path="/article[1]/body[1]" exhaustivity="2" size="16" rsize="5"/>
   <element path="/article[1]/body[1]/p[1]" exhaustivity="1" size="7" rsize="3"/>
   <element path="/article[1]/body[1]/p[2]" exhaustivity="?" size="5" rsize="2"/>
 </file>
 <file collection="wikipedia" name="12345"></file>
</assessments>"""


def judgements_of(columns):
    """Return what highlights say, without the numbers by which they say it."""
    passages = [[] for _ in range(len(columns))]
    for index, offset, length in zip(columns.judgement, columns.offset, columns.length, strict=True):
        passages[index].append((int(offset), int(length)))
    return columns.axis, [
        (columns.topics[topic], columns.documents[document], int(length), int(entry_point), spans)
        for topic, document, length, entry_point, spans in zip(
            columns.topic, columns.document, columns.document_length, columns.entry_point, passages, strict=True
        )
    ]


def elements_of(columns):
    """Return what judged elements say, and which documents were judged."""
    names = ("exhaustivity", "specificity", "size", "highlighted_size", "inferred")
    judged = zip(columns.judged_topic, columns.judged_document, strict=True)
    elements = zip(columns.topic, columns.document, columns.path, *(getattr(columns, n) for n in names), strict=True)
    return [(columns.topics[topic], columns.documents[document]) for topic, document in judged], [
        (columns.topics[topic], columns.documents[document], columns.paths[path], *map(int, numbers))
        for topic, document, path, *numbers in elements
    ]


def points_of(highlights):
    """Return what XML highlights say, apart from the lines where they say it."""
    files = [
        replace(file, line=0, member=None, passages=[replace(passage, line=0) for passage in file.passages])
        for file in highlights.files
    ]
    return files, elements_of(highlights.elements)
