"""score: runs against assessments, as the command line and Python ask for it."""

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, overload

from limelight.analysis.statistics.intervals import student_intervals
from limelight.arrays import Reals
from limelight.face.collection import Collection
from limelight.face.files import File
from limelight.face.reading import (
    RESULT_LIMIT,
    Reference,
    Watched,
    checked_runs,
    known_kind,
    reference_from,
    resolved_for,
    rules_for,
    unwatched,
)
from limelight.face.refusals import Refusal
from limelight.formats.assessments.reading import Assessments
from limelight.formats.columns import RunColumns
from limelight.formats.problems import WARNING, Problem
from limelight.rules.task_rules import Rules
from limelight.scoring.evaluators import Result, evaluate
from limelight.scoring.profiles import DEFAULT_PROFILE, ParameterError, Parameters
from limelight.scoring.zeros import zero_sentence

Run = File | RunColumns
"""A run by its path, or one that was read before."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Scores:
    """The scores of one run: means over topics, values of each topic, curves, and what they were made with."""

    file: str
    run: RunColumns
    result: Result
    problems: tuple[Problem, ...]
    reference: Reference

    def __repr__(self) -> str:
        means = ", ".join(f"{name} {value:.4f}" for name, value in self.means.items())
        return f"<Scores of {self.run_id or self.file}: {means}>"

    @property
    def run_id(self) -> str:
        """The name that the run has for itself; it may be empty."""
        return self.run.run_id

    @property
    def task(self) -> str:
        """The kind of task that the run was scored as."""
        return self.result.kind

    @property
    def profile(self) -> str:
        """The profile that the parameters come from."""
        return self.result.profile

    @property
    def parameters(self) -> Parameters:
        """Every parameter with the value that was used."""
        return self.result.parameters

    @property
    def engine_version(self) -> str:
        """Which numbers the measures give; it is raised whenever one gives others."""
        return self.result.engine_version

    @property
    def topics(self) -> tuple[str, ...]:
        """The judged topics with relevant text, over which means are taken."""
        return self.result.topics

    @property
    def means(self) -> dict[str, float]:
        """The mean of each measure over the topics, by the measure's name, in the order of a board's columns."""
        return self.result.means

    @property
    def per_topic(self) -> dict[str, dict[str, float]]:
        """The value of each topic, by the measure's name and then by the topic."""
        values = self.result.topic_values
        return {name: dict(zip(self.topics, values[name].tolist(), strict=True)) for name in values}

    @property
    def curves(self) -> dict[str, Reals]:
        """Curves averaged over the topics, by name, such as iP at the recall levels 0.00, 0.01 .. 1.00."""
        return self.result.curves

    @property
    def intervals(self) -> dict[str, tuple[float, float]]:
        """The mean's own 95 % interval by each measure: on other topics like these the mean would lie there.

        It is mostly the difficulty of topics, which all runs share: do not compare two runs by it. NaN for one topic.
        """
        values = self.result.topic_values
        ends = {name: student_intervals(values[name]) for name in values}
        return {name: (float(low[0]), float(high[0])) for name, (low, high) in ends.items()}

    @property
    def warnings(self) -> tuple[Problem, ...]:
        """What is worth knowing about the run although it was scored."""
        return (*self.problems, *zero_warnings(self.result))


@overload
def score(  # type: ignore[overload-overlap]  # a text is a path, never many runs of a letter each
    assessments: File | Assessments,
    runs: Run,
    *,
    task: str,
    profile: str = ...,
    parameters: Mapping[str, Any] | None = ...,
    measures: Sequence[str] | str | None = ...,
    collection: File | Collection | None = ...,
    result_limit: int | None = ...,
    topic_budget: int | None = ...,
    article_budget: int | None = ...,
    as_is: bool = ...,
) -> Scores: ...


@overload
def score(
    assessments: File | Assessments,
    runs: Mapping[str, Run] | Iterable[Run],
    *,
    task: str,
    profile: str = ...,
    parameters: Mapping[str, Any] | None = ...,
    measures: Sequence[str] | str | None = ...,
    collection: File | Collection | None = ...,
    result_limit: int | None = ...,
    topic_budget: int | None = ...,
    article_budget: int | None = ...,
    as_is: bool = ...,
) -> dict[str, Scores]: ...


def score(
    assessments: File | Assessments,
    runs: Run | Mapping[str, Run] | Iterable[Run],
    *,
    task: str,
    profile: str = DEFAULT_PROFILE,
    parameters: Mapping[str, Any] | None = None,
    measures: Sequence[str] | str | None = None,
    collection: File | Collection | None = None,
    result_limit: int | None = RESULT_LIMIT,
    topic_budget: int | None = None,
    article_budget: int | None = None,
    as_is: bool = False,
) -> Scores | dict[str, Scores]:
    """Score one run, or several by their names, against assessments; whatever is wrong raises a Refusal.

    `measures` is None for those that a board reports, "all", a name, or a list of names. `collection` tells where
    element paths lie and how long documents are. `as_is` scores what breaks the task's rules all the same, each
    violation a warning.
    """
    asked = Asked.of(task, profile, parameters, measures)
    limits = {"result_limit": result_limit, "topic_budget": topic_budget, "article_budget": article_budget}
    rules = rules_for(task, profile, parameters, **limits)
    names, given = named_runs(runs)
    scored = scored_runs(assessments, given, asked, rules, collection=collection, as_is=as_is)
    if isinstance(runs, (str, os.PathLike, RunColumns)):
        return scored[0]
    return dict(zip(names, scored, strict=True)) if names is not None else by_name(scored)


@dataclass(frozen=True, slots=True)
class Asked:
    """Which measures are asked for, and under which profile and parameters; all of them exist."""

    kind: str
    profile: str
    parameters: Mapping[str, Any] | None
    measures: Sequence[str] | str | None

    @classmethod
    def of(
        cls,
        kind: str,
        profile: str,
        parameters: Mapping[str, Any] | None,
        measures: Sequence[str] | str | None,
    ) -> "Asked":
        """Refuse what doesn't exist before any file is read."""
        names = [measures] if isinstance(measures, str) and measures != "all" else measures
        evaluator, resolved = known_kind(kind), resolved_for(kind, profile, parameters)
        try:
            evaluator.chosen(resolved, names)
        except ParameterError as error:
            raise Refusal([str(error)]) from None
        return cls(kind, profile, parameters, names)


def scored_runs(
    assessments: File | Assessments,
    runs: Sequence[tuple[str, Run]],
    asked: Asked,
    rules: Rules,
    *,
    collection: File | Collection | None = None,
    as_is: bool = False,
    watched: Watched = unwatched,
) -> list[Scores]:
    """Score runs that are given with their names, in their order."""
    reference = reference_from(assessments, collection, asked.kind)
    checked = checked_runs(watched(runs, "Reading runs"), rules, reference, as_is=as_is)
    return [
        Scores(
            run.file,
            run.columns,
            evaluate(
                asked.kind,
                reference.highlights,
                run.columns,
                profile=asked.profile,
                parameters=asked.parameters,
                measures=asked.measures,
                document_lengths=reference.collection,
            ),
            run.problems,
            reference,
        )
        for run in watched(checked, "Scoring runs")
    ]


def named_runs(runs: Run | Mapping[str, Run] | Iterable[Run]) -> tuple[list[str] | None, list[tuple[str, Run]]]:
    """Return the names that whoever asks gives to the runs, if any, and each run with what messages call it."""
    names: list[str] | None = None
    if isinstance(runs, Mapping):
        names = list(runs)
        called = [(name if isinstance(run, RunColumns) else str(run), run) for name, run in runs.items()]
    else:
        listed = [runs] if isinstance(runs, (str, os.PathLike, RunColumns)) else list(runs)
        called = [(called_in_messages(place, run), run) for place, run in enumerate(listed, start=1)]
    if not called:
        raise Refusal(["There are no runs to score."])
    return names, called


def called_in_messages(place: int, run: Run) -> str:
    """Return the path of a run, or what a run that was read before calls itself."""
    return run.run_id or f"run {place}" if isinstance(run, RunColumns) else str(run)


def by_name(scored: Sequence[Scores]) -> dict[str, Scores]:
    """Return scores by the names that runs have for themselves; by their files where these are missing or repeat."""
    times = Counter(scores.run_id for scores in scored)
    names = [scores.run_id if scores.run_id and times[scores.run_id] == 1 else scores.file for scores in scored]
    for name, count in Counter(names).items():
        if count > 1:
            raise Refusal([f"{count} runs are called “{name}”. Give them as a dictionary, by names of your own."])
    return dict(zip(names, scored, strict=True))


def zero_warnings(result: Result) -> list[Problem]:
    """Say why a run scores 0, where it does; whoever scores has the assessments."""
    if not result.zero_reason:
        return []
    sentence = zero_sentence(result.zero_reason, result.kind, may_see_assessments=True)
    return [Problem(f"scores 0. {sentence}", "scores-zero", severity=WARNING)]
