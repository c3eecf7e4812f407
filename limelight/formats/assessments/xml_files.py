"""What the XML forms of assessments have in common: topics, judged files, attributes with their lines."""

from limelight.formats import fields
from limelight.formats.fields import FieldError
from limelight.formats.opening import refuse
from limelight.formats.safe_xml import parse

ROOT = "assessments"
HIGHLIGHT_TAGS = ("passage", "element", "best-entry-point")


def assessed_topics(payload):
    """Return the <assessments> elements of a file, one a topic."""
    root, _ = parse(payload)
    found = [root] if root.tag == ROOT else list(root.iterchildren(ROOT))
    if not found:
        message = f"the root element is <{root.tag}>, not <{ROOT}>. These aren't assessments."
        refuse(message, "root-element", root.sourceline)
    return found


def is_graded(topics):
    """Tell whether elements have grades (2002 to 2004) or are highlighted (2005 to 2008); None if nothing tells."""
    for topic in topics:
        for judged in topic.iterchildren("file"):
            for child in judged.iterchildren("path", *HIGHLIGHT_TAGS):
                return child.tag == "path"
    return None


def attribute(element, *names):
    """Return the first of some attributes that an element has."""
    for name in names:
        if (value := element.get(name)) is not None:
            return value.strip()
    raise FieldError(f'the <{element.tag}> has no {names[0]}. Write {names[0]}="…".', "missing-field")


def size(element, name, words):
    """Return an attribute that counts characters."""
    return fields.natural(attribute(element, name).encode(), words)


class XmlReader:
    """Walks over judged files; what it meets goes to the builder, what is wrong to the problems."""

    foreign_tags = ()

    def __init__(self, builder, problems):
        self.builder = builder
        self.problems = problems
        self._files = {}

    def read(self, topics, member=None):
        """Take the topics of one XML file."""
        for element in topics:
            topic = self.attempt(element, member, None, self._topic, element)
            if topic is None:
                continue
            for judged in element.iterchildren("file"):
                document = self.attempt(judged, member, topic, self._document, topic, judged)
                if document is not None:
                    self.read_file(judged, topic, document, member)

    def attempt(self, element, member, topic, read, *arguments):
        """Return what a function reads from an element, or note why it could not and return None."""
        try:
            return read(*arguments)
        except FieldError as error:
            name = None if topic is None else self.builder.topics.texts[topic]
            self.problems.add(str(error), error.rule, line=element.sourceline, topic=name, member=member)
            return None

    def _topic(self, element):
        return self.builder.topics[attribute(element, "topic", "topic-id")]

    def _document(self, topic, judged):
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
        self._files[topic, document] = judged.sourceline
        self.builder.judge(topic, document)
        return document
