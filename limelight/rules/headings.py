"""Problem reports as people read them: a heading for each rule, and the line that is meant."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, BinaryIO

from limelight.formats.opening import Limits, read_payload
from limelight.formats.problems import FormatError

HEADINGS = {
    "archive": "Archive",
    "archive-path": "Names in the archive",
    "article-budget": "Too much text of an article",
    "blank-in-name": "Blanks in a name",
    "control-character": "Control characters",
    "doctype": "Document type declaration",
    "document-length": "Documents of another length in the collection",
    "document-order": "Documents that come back",
    "duplicate-document": "A document twice",
    "duplicate-judgement": "A judgement twice",
    "duplicate-topic": "A topic twice",
    "element-path": "Elements that a document doesn’t have",
    "element-size": "Sizes that don’t fit",
    "empty-file": "Nothing in the file",
    "encoding": "Characters that can’t be read",
    "end-as-length": "Ends written as lengths",
    "entry-points-alike": "Entry points all alike",
    "field-count": "Too few or too many fields",
    "file-kind": "Kind of file",
    "grade": "Grades",
    "grade-of-parent": "Grades of parents and parts",
    "grade-pair": "Pairs of grades",
    "gzip": "Packed file",
    "infinity": "Numbers without end",
    "line-size": "Lines too long",
    "lines": "Too many lines",
    "markup": "Markup",
    "member-size": "Files too large",
    "members": "Too many files",
    "metadata": "Metadata",
    "missing-field": "Something is missing",
    "missing-topics": "Topics without an answer",
    "mixed-forms": "Two forms in one file",
    "mixed-results": "Two kinds of results",
    "name-size": "Names too long",
    "name": "Names",
    "no-text": "No text in the results",
    "no-rsv": "Results without a score",
    "not-scored": "Tasks that can’t be scored",
    "number": "Not a number",
    "number-range": "Numbers out of range",
    "one-a-document": "A document more than once",
    "other-task": "Another task in the header",
    "other-axis": "Runs that count differently",
    "overlap": "The same text twice",
    "passage": "Passages",
    "passage-overlap": "Passages that overlap",
    "passage-sum": "Sums that don’t agree",
    "past-the-end": "Past the end of a document",
    "path": "Element paths",
    "rank-order": "Ranks out of order",
    "result-limit": "Too many results",
    "result-type": "Kind of result",
    "root-element": "Kind of XML file",
    "rsv-order": "Scores that rise",
    "run-id": "Run id",
    "same-file": "Submitted before",
    "size": "File too large",
    "topic-blocks": "Topics in pieces",
    "topic-budget": "Too much text for a topic",
    "topic-fields": "Topic fields",
    "topic-id": "Topic number",
    "unknown-document": "Documents not in the collection",
    "unknown-place": "No place in the text",
    "unknown-topic": "Topics not in the track",
    "unmapped": "Results without an offset",
    "unpacked-ratio": "Packed too tightly",
    "unpacked-size": "Packed file too large",
    "xml-depth": "XML nested too deeply",
    "xml-entities": "XML entities",
    "xml-size": "XML too large",
    "xml-syntax": "Not well-formed XML",
}

Told = Mapping[str, Any]
"""A problem as a report keeps it: what `Problem.as_dict` gives."""

LONGEST_QUOTE = 160
SHOWN_OF_A_RULE = 5
"""Problems of a rule that stand open on a page; the others are folded away."""
SHOWN_PROBLEMS = 200
"""Problems of a file that are kept with its row."""


@dataclass(frozen=True, slots=True)
class RuleProblems:
    """The problems of one rule: how many there are, the first of them, those that are folded away, and the rest."""

    severity: str
    rule: str
    count: int
    first: list[Told]
    folded: list[Told]

    @property
    def untold(self) -> int:
        """Count those that only the whole report tells."""
        return self.count - len(self.first) - len(self.folded)

    @property
    def hidden(self) -> int:
        """Count all that a reader of the page doesn't see at once."""
        return self.count - len(self.first)

    @property
    def anchor(self) -> str:
        """Return the name of the place on the page."""
        return f"{self.severity}-{self.rule}"


def grouped(problems: Sequence[Told], counts: Mapping[str, int]) -> list[RuleProblems]:
    """Group the problems of a report by their rules, errors first, in the order of the lines."""
    first_line: dict[str, int] = {}
    for problem in problems:
        first_line.setdefault(problem["rule"], problem["line"] or 0)
    ordered = sorted(problems, key=lambda problem: (problem["severity"], first_line[problem["rule"]], problem["rule"]))
    groups = []
    for (severity, rule), listed in groupby(ordered, key=lambda problem: (problem["severity"], problem["rule"])):
        shown = list(listed)
        count = max(counts.get(rule, 0), len(shown))
        groups.append(RuleProblems(severity, rule, count, shown[:SHOWN_OF_A_RULE], shown[SHOWN_OF_A_RULE:]))
    return groups


def heading(rule: str) -> str:
    """Return the words above the problems of a rule.

    >>> heading("overlap"), heading("brand-new")
    ('The same text twice', 'Brand new')
    """
    return HEADINGS.get(rule) or rule.replace("-", " ").capitalize()


def quotes(stream: BinaryIO, numbers: Iterable[int | None], limits: Limits = Limits()) -> dict[int, str]:
    """Return the lines of a file by their numbers, cut to what fits on a page; nothing for what cannot be opened."""
    wanted = {number for number in numbers if number}
    if not wanted:
        return {}
    try:
        lines = read_payload(stream, limits).splitlines()
    except FormatError:
        return {}
    return {number: _shown(lines[number - 1]) for number in wanted if 0 < number <= len(lines)}


def _shown(line: bytes) -> str:
    text = line[: 4 * LONGEST_QUOTE].decode("utf-8", "replace").strip()
    text = "".join(character if character.isprintable() else " " for character in text)
    return text if len(text) <= LONGEST_QUOTE else text[:LONGEST_QUOTE] + " …"
