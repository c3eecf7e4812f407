"""The one ordered table: which measures, parameters and curves each kind of task has.

Board columns, docs, API and command line read it; the order here is the order of the columns.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from limelight.arrays import Reals
from limelight.formats.assessments.columns import JudgementColumns
from limelight.formats.assessments.document_grades import GradeColumns
from limelight.formats.columns import RunColumns
from limelight.formats.runs.ranking import by_score
from limelight.kinds import (
    BEST_IN_CONTEXT,
    DOCUMENT,
    FOCUSED,
    GRADES,
    RELEVANT_IN_CONTEXT,
    SCORED,
    THOROUGH,
    kind_of,
)
from limelight.measures import document, focused, hixeval, in_context, text_weighted, whole_list
from limelight.measures.best_in_context import BestInContextScoring
from limelight.measures.document import DocumentScoring
from limelight.measures.focused import FocusedScoring
from limelight.measures.in_context import InContextScoring
from limelight.measures.measure import Curve, Measure
from limelight.scoring.profiles import (
    DEFAULT_PROFILE,
    HIGHEST,
    MAX_GRADE,
    Parameter,
    ParameterError,
    Parameters,
    parameters_of,
    resolve,
)
from limelight.scoring.spans import Highlights, LaidRun, compile_grades, compile_highlights, lay, spread_documents
from limelight.scoring.zeros import zero_reason

ENGINE_VERSION = "1.1"
"""Raised whenever a measure gives other numbers than before; stored with every score."""


Judgements = JudgementColumns | GradeColumns
"""Highlighted text, or the grades of whole documents."""

MEANT = {"MAP": "MAP alone means whole documents: artMAP is over the run's articles, charMAP in characters. "}
"""What to say to those who ask for a measure by a name that it had before."""


@dataclass(frozen=True, slots=True)
class Evaluator:
    """How one kind of task is scored; `official` names the measure that ranks a board unless the task names another."""

    kind: str
    official: str
    families: tuple[Callable[[Parameters], tuple[Measure[Any], ...]], ...]
    curves: tuple[Curve[Any], ...]
    scoring: Callable[[LaidRun, Parameters], Any]

    @property
    def label(self) -> str:
        """The kind as headings name it."""
        return kind_of(self.kind).label

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters that this kind of task knows."""
        return parameters_of(self.kind)

    @property
    def measures(self) -> tuple[Measure[Any], ...]:
        """Every measure under the default profile, in the order of the columns."""
        return self.measures_under()

    def measures_under(
        self, profile: str = DEFAULT_PROFILE, parameters: Mapping[str, Any] | None = None
    ) -> tuple[Measure[Any], ...]:
        """Return every measure under a profile and parameters, in the order of the columns."""
        return self._measures(resolve(self.kind, profile, parameters))

    def columns(
        self, profile: str = DEFAULT_PROFILE, parameters: Mapping[str, Any] | None = None, official: str = ""
    ) -> tuple[Measure[Any], ...]:
        """Return the measures that a board shows without being asked: the official one, then the reported ones."""
        reported = [measure.name for measure in self.measures_under(profile, parameters) if measure.reported]
        return self.chosen(resolve(self.kind, profile, parameters), [official or self.official, *reported])

    def ordered(
        self, profile: str = DEFAULT_PROFILE, parameters: Mapping[str, Any] | None = None, official: str = ""
    ) -> tuple[Measure[Any], ...]:
        """Return every measure: the columns of the board, then the others."""
        columns = [measure.name for measure in self.columns(profile, parameters, official)]
        others = [measure.name for measure in self.measures_under(profile, parameters)]
        return self.chosen(resolve(self.kind, profile, parameters), [*columns, *others])

    def _measures(self, resolved: Parameters) -> tuple[Measure[Any], ...]:
        return tuple(measure for family in self.families for measure in family(resolved))

    def chosen(self, resolved: Parameters, names: Sequence[str] | str | None = None) -> tuple[Measure[Any], ...]:
        """Return the measures asked for: the reported ones, "all", or a list of names."""
        measures = self._measures(resolved)
        if names is None:
            return tuple(measure for measure in measures if measure.reported)
        if names == "all":
            return measures
        by_name = {measure.name: measure for measure in measures}
        for name in names:
            if name not in by_name:
                meant = MEANT.get(name, "") if "artMAP" in by_name else ""
                raise ParameterError(
                    f"A {self.kind} task has no measure “{name}”. {meant}It can compute {', '.join(by_name)}."
                )
        return tuple(by_name[name] for name in dict.fromkeys(names))


_TABLE = (
    Evaluator(
        kind=FOCUSED,
        official="iMAP",
        families=(focused.interpolated_measures, whole_list.further_measures, hixeval.hixeval_measures),
        curves=focused.CURVES,
        scoring=FocusedScoring,
    ),
    Evaluator(
        kind=THOROUGH,
        official="iMAP",
        families=(focused.interpolated_measures, whole_list.further_measures, hixeval.hixeval_measures),
        curves=focused.CURVES,
        scoring=FocusedScoring,
    ),
    Evaluator(
        kind=RELEVANT_IN_CONTEXT,
        official="MAgP",
        families=(
            in_context.in_context_measures,
            in_context.recall_measures,
            text_weighted.text_weighted_measures,
            text_weighted.reading_effort_measure,
            document.average_precision_measure,
        ),
        curves=in_context.CURVES,
        scoring=InContextScoring,
    ),
    Evaluator(
        kind=BEST_IN_CONTEXT,
        official="MAgP",
        families=(
            in_context.in_context_measures,
            in_context.recall_measures,
            text_weighted.text_weighted_measures,
            document.average_precision_measure,
        ),
        curves=in_context.CURVES,
        scoring=BestInContextScoring,
    ),
    Evaluator(
        kind=DOCUMENT,
        official="MAP",
        families=(document.reported_average_precision, document.document_measures),
        curves=document.CURVES,
        scoring=DocumentScoring,
    ),
)

_BY_KIND = {evaluator.kind: evaluator for evaluator in _TABLE}
EVALUATORS = {kind: _BY_KIND[kind] for kind in SCORED}


def evaluator_of(kind: str) -> Evaluator:
    """Return the evaluator of a kind of task.

    >>> evaluator_of("focused").official
    'iMAP'
    """
    if kind not in EVALUATORS:
        raise ParameterError(f"There is no kind of task “{kind}”. Kinds are {', '.join(EVALUATORS)}.")
    return EVALUATORS[kind]


def ranked_by(kind: str, chosen: str = "") -> str:
    """Return the measure that ranks a kind of task: the chosen one, or the kind's own; "" where it has none yet.

    >>> ranked_by("focused"), ranked_by("focused", "charP"), ranked_by("graded")
    ('iMAP', 'charP', '')
    """
    return chosen or (EVALUATORS[kind].official if kind in EVALUATORS else "")


def official_measure(
    kind: str, name: str = "", profile: str = DEFAULT_PROFILE, parameters: Mapping[str, Any] | None = None
) -> str:
    """Return the name of the measure that ranks a task's board: the one asked for, or else its kind's own.

    >>> official_measure("focused"), official_measure("focused", "charP", "inex-2010")
    ('iMAP', 'charP')
    """
    evaluator = evaluator_of(kind)
    (measure,) = evaluator.chosen(resolve(kind, profile, parameters), [ranked_by(kind, name)])
    return measure.name


@dataclass(frozen=True, slots=True, eq=False)
class Result:
    """The scores of one run: values of all judged topics with relevant text, means over them, and curves.

    `topic_values` and `means` are keyed by the measures' names (`iMAP`, not `iAP`), `curves` by the curves' names.
    `zero_reason` says why all measures of the board are 0, where they are; `laid` is the run as it was scored.
    """

    kind: str
    profile: str
    parameters: Parameters
    measures: tuple[Measure[Any], ...]
    topics: tuple[str, ...]
    topic_values: dict[str, Reals]
    means: dict[str, float]
    curves: dict[str, Reals]
    laid: LaidRun
    zero_reason: str = ""
    engine_version: str = ENGINE_VERSION


def evaluate(
    kind: str,
    judgements: Judgements | Highlights,
    run: RunColumns,
    *,
    profile: str = DEFAULT_PROFILE,
    parameters: Mapping[str, Any] | None = None,
    measures: Sequence[str] | str | None = None,
    document_lengths: Mapping[str, int] | None = None,
) -> Result:
    """Score a run: per topic first, then the means; a judged topic that the run leaves out scores 0.

    `judgements` are columns, or Highlights when they were compiled before; `measures` is None for the reported ones,
    "all", or a list of names. `document_lengths` (id -> length) tell how long whole documents are that a run returns
    where the assessments don't.
    """
    evaluator = evaluator_of(kind)
    resolved = resolve(kind, profile, parameters)
    chosen = evaluator.chosen(resolved, measures)
    highlights = judgements if isinstance(judgements, Highlights) else compiled(judgements)
    if highlights.grades_documents and GRADES not in kind_of(kind).judged_by:
        raise ParameterError(f"These assessments grade whole documents. A {kind} task needs highlighted text.")
    resolved = settled(resolved, highlights)
    laid = laid_for_scoring(highlights, run, resolved, document_lengths)
    scoring = evaluator.scoring(laid, resolved)
    topic_values = {measure.name: measure.values(scoring) for measure in chosen}
    telling = [measure.name for measure in chosen if measure.reported] or topic_values
    finds_nothing = not any(topic_values[name].any() for name in telling)
    return Result(
        kind=kind,
        profile=profile,
        parameters=resolved,
        measures=chosen,
        topics=highlights.topics,
        topic_values=topic_values,
        means={name: mean_over_topics(values) for name, values in topic_values.items()},
        curves={curve.name: mean_curve(curve.values(scoring)) for curve in evaluator.curves},
        laid=laid,
        zero_reason=zero_reason(kind, laid) if finds_nothing else "",
    )


def laid_for_scoring(
    highlights: Highlights,
    run: RunColumns,
    parameters: Parameters,
    document_lengths: Mapping[str, int] | None = None,
) -> LaidRun:
    """Lay a run onto the highlights as the measures read it: whole documents as text, in the order that counts."""
    if run.result_type == "document":
        run = spread_documents(run, highlights, document_lengths)
    return lay(highlights, by_score(run) if parameters.get("order") == "score" else run)


def settled(parameters: Parameters, highlights: Highlights) -> Parameters:
    """Fill in the parameters that are left to the assessments: the highest grade there is."""
    if parameters.get("max_grade") != HIGHEST:
        return parameters
    return parameters | {"max_grade": min(highlights.highest_grade, MAX_GRADE)}


def compiled(judgements: Judgements) -> Highlights:
    """Make an assessment set ready for scoring: highlighted text, or the grades of TREC qrels.

    Worth keeping when several runs are scored.
    """
    return compile_grades(judgements) if isinstance(judgements, GradeColumns) else compile_highlights(judgements)


def topics_that_count(judgements: Judgements | Highlights) -> tuple[str, ...]:
    """Return the topics that means are taken over: those with some relevant text, in the order of the assessments."""
    return (judgements if isinstance(judgements, Highlights) else compiled(judgements)).topics


def mean_over_topics(values: Reals) -> float:
    """Average over the judged topics that have relevant text, those the run leaves out among them with 0.

    Every value array has one entry for each of these topics, so this is the only place that decides about topics.
    """
    return float(values.mean()) if len(values) else 0.0


def mean_curve(rows: Reals) -> Reals:
    """Average a curve over the same topics."""
    return rows.mean(axis=0) if len(rows) else np.zeros(rows.shape[1])
