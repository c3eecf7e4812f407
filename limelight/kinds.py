"""The one ordered table of the kinds of tasks: what each is called, and what it asks of its runs.

Choices of forms and rows, rules, parameters, measures, examples and pages read it; the order here is theirs.
"""

from dataclasses import dataclass

FOCUSED = "focused"
THOROUGH = "thorough"
RELEVANT_IN_CONTEXT = "relevant-in-context"
BEST_IN_CONTEXT = "best-in-context"
DOCUMENT = "document"
GRADED = "graded"
INFORMATIVENESS = "informativeness"

HIGHLIGHTS = "highlights"
GRADES = "grades"
ELEMENTS = "elements"
"""What assessments hold: highlighted text, grades of whole documents, grades of elements."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One kind of answer that a task can ask for.

    `name` stands in rows, addresses and commands, `label` in headings and `words` in sentences; `header` is how the
    headers of runs name it, in small letters and without blanks. `judged_by` says which assessments it is scored with;
    what has no measures yet can be set up, but takes no runs.
    """

    name: str
    label: str
    words: str
    header: str = ""
    judged_by: tuple[str, ...] = (HIGHLIGHTS,)
    is_scored: bool = True
    has_places: bool = True
    """Where in its document a result lies counts: a span, an element or a point."""
    needs_text: bool = False
    """A result is a stretch of text: whole documents and mere points are no answer."""
    returns_points: bool = False
    """A result is the point where a reader should begin; its length doesn't matter."""
    in_context: bool = False
    """Documents are ranked, and each is scored by what is returned of it."""
    forbids_overlap: bool = False
    groups_documents: bool = False
    one_a_document: bool = False
    ranks_by_score: bool = False
    """A run's own scores may rank its results, and not the order of its lines."""
    has_topic_budget: bool = False
    has_article_budget: bool = False


KINDS = (
    Kind(
        name=FOCUSED,
        label="Focused",
        words="focused",
        header=r"focuss?ed",
        needs_text=True,
        forbids_overlap=True,
        has_topic_budget=True,
    ),
    Kind(name=THOROUGH, label="Thorough", words="thorough", header=r"thorough", needs_text=True),
    Kind(
        name=RELEVANT_IN_CONTEXT,
        label="Relevant in Context",
        words="relevant in context",
        header=r"(relevan(t|ce)|all)incontext|\bric\b",
        needs_text=True,
        in_context=True,
        forbids_overlap=True,
        groups_documents=True,
        has_article_budget=True,
    ),
    Kind(
        name=BEST_IN_CONTEXT,
        label="Best in Context",
        words="best in context",
        header=r"bestincontext|bestentrypoint|\bbic\b|\bbep\b",
        returns_points=True,
        in_context=True,
        one_a_document=True,
    ),
    Kind(
        name=DOCUMENT,
        label="Document",
        words="document",
        header=r"document|article",
        judged_by=(HIGHLIGHTS, GRADES),
        has_places=False,
        one_a_document=True,
        ranks_by_score=True,
    ),
    Kind(name=GRADED, label="Graded elements", words="graded", judged_by=(ELEMENTS,), is_scored=False),
    Kind(
        name=INFORMATIVENESS,
        label="Informativeness",
        words="informativeness",
        header=r"informativeness",
        judged_by=(HIGHLIGHTS, GRADES),
        is_scored=False,
    ),
)

BY_NAME = {kind.name: kind for kind in KINDS}
SCORED = tuple(kind.name for kind in KINDS if kind.is_scored)
"""The names of the kinds that there are measures for."""


class UnknownKind(ValueError):
    """No kind of task has this name; says so in a sentence."""


def kind_of(name: str) -> Kind:
    """Return the kind of task that has a name.

    >>> kind_of("best-in-context").label
    'Best in Context'
    """
    if name not in BY_NAME:
        raise UnknownKind(f"Unknown task kind {name!r}. Known are {', '.join(BY_NAME)}.")
    return BY_NAME[name]


def scored_by(content: str) -> set[str]:
    """Return the names of the kinds that can be scored with assessments of some content.

    >>> scored_by("grades"), scored_by("elements")
    ({'document'}, set())
    """
    return {name for name in SCORED if content in BY_NAME[name].judged_by}
