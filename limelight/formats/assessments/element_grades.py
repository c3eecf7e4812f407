"""Graded elements of 2002 to 2004: exhaustivity and specificity from 0 to 3 for every assessed path."""

from collections.abc import Iterable, Mapping

from limelight.formats import fields
from limelight.formats.assessments.element_columns import UNASSESSED, UNKNOWN_SIZE, ElementColumns, ElementsBuilder
from limelight.formats.assessments.xml_files import HIGHLIGHT_TAGS, XmlFile, XmlReader, attribute
from limelight.formats.fields import FieldError
from limelight.formats.opening import Limits, refuse
from limelight.formats.problems import WARNING, FormatError, Problem, ProblemList
from limelight.formats.safe_xml import Element, line_of
from limelight.text.documents import normal_path

GRADES = {"0": 0, "1": 1, "2": 2, "3": 3, "U": UNASSESSED, "u": UNASSESSED}


def read_graded_files(
    files: Iterable[XmlFile], limits: Limits, problems: ProblemList | None = None
) -> tuple[ElementColumns, list[Problem]]:
    """Return the graded elements of (member name, topics) pairs, and the warnings about them."""
    problems = ProblemList() if problems is None else problems
    reader = GradedReader(ElementsBuilder(limits), problems)
    for member, topics in files:
        reader.read(topics, member)
    if problems.has_errors():
        raise FormatError(problems.in_order())
    columns = reader.builder.columns()
    if not len(columns.judged_topic):
        refuse("The file holds no judgements.", "empty-file")
    return columns, problems.in_order()


class GradedReader(XmlReader):
    """Reads files whose paths have grades."""

    foreign_tags = HIGHLIGHT_TAGS

    def read_file(self, judged: Element, topic: int, document: int, member: str | None) -> None:
        """Take the graded paths of one document."""
        exhaustivities: dict[str, int] = {}
        lines: dict[str, int] = {}
        for element in judged.iterchildren("path"):
            row = self.attempt(element, member, topic, self._grades, element, exhaustivities)
            if row is None:
                continue
            path, exhaustivity, specificity = row
            exhaustivities[path] = exhaustivity
            lines[path] = line_of(element)
            number = self.builder.paths[path]
            inferred = int(element.get("inferred", "").strip().lower() == "true")
            grades = (exhaustivity, specificity, UNKNOWN_SIZE, UNKNOWN_SIZE)
            self.builder.add(topic, document, number, *grades, inferred, line_of(element))
        self._compare_with_parents(exhaustivities, lines, topic, document, member)

    def _grades(self, element: Element, known: Mapping[str, int]) -> tuple[str, int, int]:
        path = normal_path(fields.path(fields.name(attribute(element, "path"), "path", self.builder.paths.limit)))
        exhaustivity = grade(element, "exhaustiveness", "exhaustivity", "relevance")
        specificity = grade(element, "specificity", "coverage")
        if path in known:
            raise FieldError(
                f"the path {path} is graded twice in its file. Remove one of the two.", "duplicate-judgement"
            )
        if UNASSESSED not in (exhaustivity, specificity) and (exhaustivity == 0) != (specificity == 0):
            message = (
                f"{path} has exhaustivity {exhaustivity} and specificity {specificity}. Both are 0, or neither is."
            )
            raise FieldError(message, "grade-pair")
        return path, exhaustivity, specificity

    def _compare_with_parents(
        self,
        exhaustivities: Mapping[str, int],
        lines: Mapping[str, int],
        topic: int,
        document: int,
        member: str | None,
    ) -> None:
        for path, exhaustivity in exhaustivities.items():
            parent = path.rpartition("/")[0]
            above = exhaustivities.get(parent, UNASSESSED)
            if above != UNASSESSED and above < exhaustivity:
                self.problems.add(
                    f"{path} of document {self.builder.documents.texts[document]} has exhaustivity {exhaustivity}, "
                    f"its parent only {above}. An element says all that its parts say.",
                    "grade-of-parent",
                    line=lines[path],
                    topic=self.builder.topics.texts[topic],
                    severity=WARNING,
                    member=member,
                )


def grade(element: Element, *names: str) -> int:
    """Return a grade from 0 to 3, or UNASSESSED."""
    value = attribute(element, *names)
    if value not in GRADES:
        raise FieldError(f"the {names[0]} {fields.shown(value)} isn't a grade. It is 0, 1, 2, 3 or U.", "grade")
    return GRADES[value]
