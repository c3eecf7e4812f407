"""correlate: how alike two measures order the same runs."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from limelight.analysis.statistics.correlation import COEFFICIENTS, Correlation
from limelight.face.refusals import Refusal, Spoken
from limelight.face.scores import Scores
from limelight.face.together import scored_alike

Correlations = dict[tuple[str, str], dict[str, Correlation]]
"""The coefficients of each pair of measures, by their names."""

AN_EXAMPLE = Spoken('measures=["iMAP", "artMAP"]', "--measures iMAP,artMAP")


def correlate(scores: Mapping[str, Scores], measures: Sequence[str] | None = None) -> Correlations:
    """Return the coefficients of every pair of measures over runs that were scored before.

    `measures` are all that the runs were scored by if absent.
    """
    enough_runs(scores)
    names = list(next(iter(scores.values())).means) if measures is None else list(measures)
    enough_measures(names)
    scored_alike(scores, names)
    return correlated(list(scores.values()), names)


def enough_runs(runs: Mapping[str, Scores] | Sequence[Any]) -> None:
    """Refuse to order a single run."""
    if len(runs) < 2:
        raise Refusal(["Correlating takes at least two runs."])


def enough_measures(names: Sequence[str] | str) -> None:
    """Refuse to hold a measure against itself."""
    if names != "all" and len(set(names)) < 2:
        raise Refusal([("Correlating takes at least two measures, such as ", AN_EXAMPLE, ".")])


def correlated(scored: Sequence[Scores], names: Sequence[str]) -> Correlations:
    """Return every coefficient of every pair of measures over the runs."""
    means = {name: [run.means[name] for run in scored] for name in names}
    return {
        (one, other): {name: coefficient(means[one], means[other]) for name, coefficient in COEFFICIENTS.items()}
        for one, other in combinations(means, 2)
    }
