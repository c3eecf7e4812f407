"""Writing XML assessments again, one <assessments> element a topic."""

from xml.sax.saxutils import quoteattr

from assessments.formats.columns import UNKNOWN
from assessments.formats.elements import TOO_SMALL, UNASSESSED

WRAPPER = "all-assessments"


def write_xml_highlights(highlights, target):
    """Write highlights of 2005 to 2008 to a binary file; several topics stand in one root element."""
    elements = _elements_by_file(highlights.elements)
    target.write(f'<?xml version="1.0" encoding="UTF-8"?>\n<{WRAPPER}>\n'.encode())
    current = None
    for judged in highlights.files:
        if judged.topic != current:
            target.write(b"</assessments>\n" if current is not None else b"")
            target.write(f"<assessments topic={quoteattr(judged.topic)}>\n".encode())
            current = judged.topic
        lines = [f"<file name={quoteattr(judged.document)}>"]
        if judged.entry_point:
            lines.append(f"<best-entry-point path={quoteattr(judged.entry_point)}/>")
        for passage in judged.passages:
            size = "" if passage.size == UNKNOWN else f' size="{passage.size}"'
            lines.append(f"<passage start={quoteattr(passage.start)} end={quoteattr(passage.end)}{size}/>")
        for path, exhaustivity, _, size, highlighted, _ in elements.get((judged.topic, judged.document), ()):
            grade = {UNASSESSED: "", TOO_SMALL: ' exhaustivity="?"'}.get(
                exhaustivity, f' exhaustivity="{exhaustivity}"'
            )
            lines.append(f'<element path={quoteattr(path)}{grade} size="{size}" rsize="{highlighted}"/>')
        lines.append("</file>\n")
        target.write("\n".join(lines).encode())
    target.write(f"</assessments>\n</{WRAPPER}>\n".encode())


def write_graded(columns, target):
    """Write graded elements of 2002 to 2004 to a binary file; several topics stand in one root element."""
    elements = _elements_by_file(columns)
    target.write(f'<?xml version="1.0" encoding="UTF-8"?>\n<{WRAPPER}>\n'.encode())
    current = None
    for topic_number, document_number in zip(
        columns.judged_topic.tolist(), columns.judged_document.tolist(), strict=True
    ):
        topic, document = columns.topics[topic_number], columns.documents[document_number]
        if topic != current:
            target.write(b"</assessments>\n" if current is not None else b"")
            target.write(f"<assessments topic={quoteattr(topic)}>\n".encode())
            current = topic
        lines = [f"<file file={quoteattr(document)}>"]
        for path, exhaustivity, specificity, _, _, inferred in elements.get((topic, document), ()):
            grades = f'exhaustiveness="{_grade(exhaustivity)}" specificity="{_grade(specificity)}"'
            lines.append(f'<path path={quoteattr(path)} {grades} inferred="{str(bool(inferred)).lower()}"/>')
        lines.append("</file>\n")
        target.write("\n".join(lines).encode())
    target.write(f"</assessments>\n</{WRAPPER}>\n".encode())


def _grade(number):
    return "U" if number == UNASSESSED else str(number)


def _elements_by_file(columns):
    files = {}
    names = ("topic", "document", "path", "exhaustivity", "specificity", "size", "highlighted_size", "inferred")
    for topic, document, path, *rest in zip(*(getattr(columns, name).tolist() for name in names), strict=True):
        files.setdefault((columns.topics[topic], columns.documents[document]), []).append((columns.paths[path], *rest))
    return files
