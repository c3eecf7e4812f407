"""What the XML forms of assessments have in common: topics, judged files, attributes with their lines."""

from collections.abc import Callable, Iterable
from typing import TypeVar, TypeVarTuple

from limelight.formats import fields
from limelight.formats.assessments.element_columns import ElementsBuilder
from limelight.formats.fields import FieldError
from limelight.formats.opening import refuse
from limelight.formats.problems import ProblemList
from limelight.formats.safe_xml import Element, line_of, parse

Given = TypeVarTuple("Given")
Read = TypeVar("Read")
XmlFile = tuple[str | None, list[Element]]
"""The name of a file inside its archive, if it is in one, and the topics that it assesses."""

ROOT = "assessments"
HIGHLIGHT_TAGS = ("passage", "element", "best-entry-point")


def assessed_topics(payload: bytes) -> list[Element]:
    """Return the <assessments> elements of a file, one a topic."""
    root, _ = parse(payload)
    found = [root] if root.tag == ROOT else list(root.iterchildren(ROOT))
    if not found:
        message = f"the root element is <{root.tag}>, not <{ROOT}>. These aren't assessments."
        refuse(message, "root-element", line_of(root))
    return found


def is_graded(topics: Iterable[Element]) -> bool | None:
    """Return whether elements have grades (2002 to 2004) or are highlighted (2005 to 2008); None if nothing tells."""
    for topic in topics:
        for judged in topic.iterchildren("file"):
            for child in judged.iterchildren("path", *HIGHLIGHT_TAGS):
                return child.tag == "path"
    return None


def attribute(element: Element, *names: str) -> str:
    """Return the first of some attributes that an element has."""
    for name in names:
        if (value := element.get(name)) is not None:
            return value.strip()
    raise FieldError(f'the <{element.tag}> has no {names[0]}. Write {names[0]}="…".', "missing-field")


def size(element: Element, name: str, words: str) -> int:
    """Return an attribute that counts characters."""
    return fields.natural(attribute(element, name).encode(), words)


class XmlReader:
    """Walks over judged files; what it meets goes to the builder, what is wrong to the problems."""

    foreign_tags: tuple[str, ...] = ()

    def __init__(self, builder: ElementsBuilder, problems: ProblemList) -> None:
        self.builder = builder
        self.problems = problems
        self._files: dict[tuple[int, int], int] = {}

    def read(self, topics: Iterable[Element], member: str | None = None) -> None:
        """Take the topics of one XML file."""
        for element in topics:
            topic = self.attempt(element, member, None, self._topic, element)
            if topic is None:
                continue
            for judged in element.iterchildren("file"):
                document = self.attempt(judged, member, topic, self._document, topic, judged)
                if document is not None:
                    self.read_file(judged, topic, document, member)

    def read_file(self, judged: Element, topic: int, document: int, member: str | None) -> None:
        """Take one judged document; each form of assessments does it in its own way."""
        raise NotImplementedError

    def attempt(
        self,
        element: Element,
        member: str | None,
        topic: int | None,
        read: Callable[[*Given], Read],
        *arguments: *Given,
    ) -> Read | None:
        """Return what a function reads from an element, or note why it could not and return None."""
        try:
            return read(*arguments)
        except FieldError as error:
            name = None if topic is None else self.builder.topics.texts[topic]
            self.problems.add(str(error), error.rule, line=line_of(element), topic=name, member=member)
            return None

    def _topic(self, element: Element) -> int:
        return self.builder.topics[attribute(element, "topic", "topic-id")]

    def _document(self, topic: int, judged: Element) -> int:
        name = attribute(judged, "name", "file")
        for child in judged.iterchildren(*self.foreign_tags):
            raise FieldError(
                f"<{child.tag}> doesn't belong to this form of assessments. Don't mix two forms.", "mixed-forms"
            )
        document = self.builder.documents[name]
        if earlier := self._files.get((topic, document)):
            raise FieldError(
                f"document {name} of topic {self.builder.topics.texts[topic]} was already judged in line {earlier}. "
                "Remove one of the two.",
                "duplicate-judgement",
            )
        self._files[topic, document] = line_of(judged)
        self.builder.judge(topic, document)
        return document
