"""How tasks were set up at INEX, by kind and year: what a new task starts from."""

from dataclasses import dataclass

from limelight.kinds import (
    BEST_IN_CONTEXT,
    DOCUMENT,
    FOCUSED,
    GRADED,
    INFORMATIVENESS,
    RELEVANT_IN_CONTEXT,
    THOROUGH,
)
from limelight.scoring.evaluators import ranked_by

RESULTS = 1500
"""INEX allowed as many results a topic in every year and task."""


@dataclass(frozen=True, slots=True)
class TaskDefaults:
    """What a task of one kind and year starts from; every value can be changed before and after."""

    key: str
    name: str
    kind: str
    years: str
    explanation: str
    profile: str = "inex-2007"
    ranked_by: str = ""
    result_limit: int = RESULTS
    topic_budget: int | None = None
    article_budget: int | None = None
    own_scores_visible: str = "at-once"
    other_scores_visible: str = "at-publication"
    names_visible: str = "at-once"
    runs_visible: str = "at-publication"
    assessments_visible: str = "at-publication"

    @property
    def official_measure(self):
        """Return the measure that ranks the board: that of the year, or the kind's own; "" where there is none yet."""
        return ranked_by(self.kind, self.ranked_by)

    @property
    def settings(self):
        """Return the fields of a task with their values."""
        names = (
            "name",
            "kind",
            "profile",
            "official_measure",
            "result_limit",
            "topic_budget",
            "article_budget",
            "own_scores_visible",
            "other_scores_visible",
            "names_visible",
            "runs_visible",
            "assessments_visible",
        )
        return {name: getattr(self, name) for name in names}


DEFAULTS = (
    TaskDefaults(
        "focused-2007", "Focused", FOCUSED, "2007–2008", "Results may not overlap. Interpolated precision ranks."
    ),
    TaskDefaults(
        "focused-2009",
        "Focused",
        FOCUSED,
        "2009",
        "As before; results without a known place count as 18 non-relevant characters.",
        "inex-2009",
    ),
    TaskDefaults(
        "restricted-focused-2010",
        "Restricted Focused",
        FOCUSED,
        "2010",
        "At most 1,000 characters a topic; character precision ranks.",
        "inex-2010",
        ranked_by="charP",
        topic_budget=1000,
    ),
    TaskDefaults("thorough-2009", "Thorough", THOROUGH, "2009", "Results may overlap; text counts once.", "inex-2009"),
    TaskDefaults(
        "relevant-in-context-2007",
        "Relevant in Context",
        RELEVANT_IN_CONTEXT,
        "2007–2008",
        "Results grouped by article; F score with β = 1.",
    ),
    TaskDefaults(
        "relevant-in-context-2009",
        "Relevant in Context",
        RELEVANT_IN_CONTEXT,
        "2009",
        "Results grouped by article; F score with β = 1/4.",
        "inex-2009",
    ),
    TaskDefaults(
        "relevant-in-context-2010",
        "Relevant in Context",
        RELEVANT_IN_CONTEXT,
        "2010",
        "Results grouped by article; reading effort, 300 characters.",
        "inex-2010",
    ),
    TaskDefaults(
        "restricted-relevant-in-context-2010",
        "Restricted Relevant in Context",
        RELEVANT_IN_CONTEXT,
        "2010",
        "At most 500 characters an article; reading effort, 300 characters.",
        "inex-2010",
        article_budget=500,
    ),
    TaskDefaults(
        "best-in-context-2007",
        "Best in Context",
        BEST_IN_CONTEXT,
        "2007–2008",
        "One entry point an article; distance as a ratio, A = 0.1.",
    ),
    TaskDefaults(
        "best-in-context-2009",
        "Best in Context",
        BEST_IN_CONTEXT,
        "2009–2010",
        "One entry point an article; linear distance, 500 characters.",
        "inex-2009",
    ),
    TaskDefaults("document", "Document", DOCUMENT, "any year", "Whole documents, ranked by average precision."),
    TaskDefaults(
        "graded-2003", "Graded elements", GRADED, "2002–2004", "Elements graded by exhaustivity and specificity."
    ),
    TaskDefaults(
        "informativeness-2011", "Informativeness", INFORMATIVENESS, "2011 on", "Texts compared with relevant ones."
    ),
)
BY_KEY = {defaults.key: defaults for defaults in DEFAULTS}
