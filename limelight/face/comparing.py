"""compare: which runs the topics can tell apart."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from limelight.analysis.ranking import ranks
from limelight.analysis.statistics import pairwise
from limelight.analysis.statistics.paired import ComparedPair, compared_pairs
from limelight.analysis.statistics.pairwise import TESTS, VARIANTS, SignificanceMatrix, own_order
from limelight.analysis.statistics.resampling import SEED
from limelight.analysis.statistics.telling_apart import LEVEL, leading_group, rank_ranges, why_not_told
from limelight.analysis.statistics.tiers import tiers
from limelight.face.reading import known_kind
from limelight.face.refusals import Refusal, argument
from limelight.face.scores import Scores
from limelight.face.together import scored_alike

MIN_RUNS = 2
MOST_RESAMPLES = 1_000_000
WITHOUT_SEED = ("t-test",)
BOTH_DIRECTIONS = ("tukey", "tukey-complete-null")
TAILS = {"1": 1, "2": 2}


@dataclass(frozen=True, slots=True)
class Pair:
    """Two runs, the one with the higher mean first, and whether the topics can tell them apart."""

    better: str
    other: str
    difference: float
    p: float
    significant: bool


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Comparison:
    """Runs compared by one measure, shown in the order of one and labelled by their ranks under one.

    `names`, `labels`, `ranges` and `leads` have an entry for each place of the matrix; the last two are empty where
    `not_told` says why the topics tell nothing. `paired` has the pairs of up to six runs, `tiers` are those of the
    tested measure in its own order.
    """

    measure: str
    order_by: str
    label_by: str
    matrix: SignificanceMatrix
    names: list[str]
    labels: list[int]
    topic_count: int
    not_told: str
    ranges: list[tuple[int, int]]
    leads: list[bool]
    paired: list[ComparedPair]
    tiers: list[list[str]]

    def __repr__(self) -> str:
        counted = f"{self.matrix.significant_count} of {self.matrix.pair_count} pairs differ significantly"
        return f"<Comparison by {self.measure}, {self.matrix.method}: {counted}>"

    @property
    def method(self) -> str:
        """The test in words."""
        return self.matrix.method

    @property
    def warning(self) -> str:
        """Why no pair can be significant, where that is so."""
        return self.matrix.warning

    @property
    def leading(self) -> list[str]:
        """The runs that cannot be told from the first."""
        return [name for name, leads in zip(self.names, self.leads, strict=False) if leads]

    @property
    def pairs(self) -> list[Pair]:
        """Every pair of runs, in the order of the runs shown."""
        places = range(len(self.names))
        return [self._pair(place, other) for place in places for other in places if place < other]

    def _pair(self, place: int, other: int) -> Pair:
        if self.matrix.means[other] > self.matrix.means[place]:
            place, other = other, place
        return Pair(
            self.names[place],
            self.names[other],
            float(self.matrix.means[place] - self.matrix.means[other]),
            self.matrix.p_of(place, other),
            self.matrix.tells_apart(place, other),
        )


def compare(
    scores: Mapping[str, Scores],
    *,
    measure: str | None = None,
    order_by: str | None = None,
    label_by: str | None = None,
    test: str | None = None,
    variant: str | None = None,
    tails: int | None = None,
    level: float = LEVEL,
    holm: bool = False,
    resamples: int | None = None,
    seed: int = SEED,
) -> Comparison:
    """Test every pair of runs, scored before, for a significant difference over the topics.

    `measure` is the official one of the task if absent. `test` is tukey (if absent, for more than two runs),
    tukey-complete-null, bootstrap, randomisation or t-test (if absent, for two); `holm` corrects for the number of
    pairs.
    """
    test = default_test(len(scores)) if test is None else test
    options = options_of(test, variant=variant, tails=tails, level=level, resamples=resamples, seed=seed)
    enough_runs(scores)
    one = next(iter(scores.values()))
    wanted = Wanted.of(one.task, measure, order_by, label_by)
    scored_alike(scores, wanted.measures)
    return compared(list(scores), list(scores.values()), wanted, test, options, holm=holm)


@dataclass(frozen=True, slots=True)
class Wanted:
    """The measures of a comparison: that which is tested, that which orders, and that whose ranks are labels."""

    measure: str
    order_by: str
    label_by: str | None

    @classmethod
    def of(cls, kind: str, measure: str | None, order_by: str | None, label_by: str | None) -> "Wanted":
        """Fill in what is left out: the official measure, and its own order."""
        measure = known_kind(kind).official if measure is None else measure
        return cls(measure, measure if order_by is None else order_by, label_by)

    @property
    def measures(self) -> list[str]:
        """Every measure that must be scored."""
        return list(dict.fromkeys(name for name in (self.measure, self.order_by, self.label_by) if name is not None))


def default_test(run_count: int) -> str:
    """Return the test for so many runs.

    >>> default_test(2), default_test(3)
    ('t-test', 'tukey')
    """
    return "tukey" if run_count > MIN_RUNS else "t-test"


def enough_runs(runs: Mapping[str, Scores] | Sequence[Any]) -> None:
    """Refuse to compare a run with itself."""
    if len(runs) < MIN_RUNS:
        raise Refusal(["Comparing takes at least two runs."])


def compared(
    names: Sequence[str],
    scored: Sequence[Scores],
    wanted: Wanted,
    test: str,
    options: Mapping[str, Any],
    *,
    holm: bool,
) -> Comparison:
    """Test every pair of runs with a test whose options were found good."""
    scores = {name: np.stack([run.result.topic_values[name] for run in scored]) for name in wanted.measures}
    matrix = TESTS[test](scores[wanted.measure], **options)
    return laid_out(pairwise.holm(matrix) if holm else matrix, scores, names, wanted)


def options_of(
    test: str,
    *,
    variant: str | None = None,
    tails: int | str | None = None,
    level: float | str = LEVEL,
    resamples: int | None = None,
    seed: int = SEED,
) -> dict[str, Any]:
    """Return what a test takes, or refuse what it doesn't; each has a number of resamples of its own."""
    if test not in TESTS:
        raise Refusal([f"There is no test “{test}”. Tests are {', '.join(TESTS)}."])
    if resamples is not None and not 1 <= resamples <= MOST_RESAMPLES:
        raise Refusal([(argument("resamples"), f" takes a number from 1 to {MOST_RESAMPLES:,}, not {resamples}.")])
    if seed < 0:
        raise Refusal([(argument("seed"), f" takes a number from 0, not {seed}.")])
    options: dict[str, Any] = {"level": level_from(level)}
    if test not in WITHOUT_SEED:
        options |= {"seed": seed} if resamples is None else {"resamples": resamples, "seed": seed}
    return options | variant_for(test, variant) | tails_for(test, tails)


def level_from(word: float | str) -> float:
    """Return the level below which a p-value is significant: above 0 and below 1."""
    try:
        level = float(word)
    except ValueError:
        level = np.nan
    if not 0 < level < 1:
        raise Refusal([(argument("level"), f" takes a number above 0 and below 1, such as 0.05, not “{word}”.")])
    return level


def variant_for(test: str, variant: str | None) -> dict[str, str]:
    """Return the variant of the bootstrap that is asked for."""
    if variant is None:
        return {}
    if variant not in VARIANTS:
        raise Refusal([f"There is no variant “{variant}”. Variants are {' and '.join(VARIANTS)}."])
    if test != "bootstrap":
        raise Refusal([(argument("variant"), " is for ", argument("test"), f" bootstrap; here the test is {test}.")])
    return {"variant": variant}


def tails_for(test: str, tails: int | str | None) -> dict[str, int]:
    """Return how many tails are asked for."""
    if tails is None:
        return {}
    if str(tails) not in TAILS:
        raise Refusal([(argument("tails"), f" takes 1 or 2, not “{tails}”.")])
    if test in BOTH_DIRECTIONS:
        if str(tails) == "1":
            asks = "Tukey's HSD always asks about both directions. Choose another "
            raise Refusal([(asks, argument("test"), " for ", argument("tails"), " 1.")])
        return {}
    return {"tails": TAILS[str(tails)]}


def laid_out(
    matrix: SignificanceMatrix, scores: Mapping[str, np.ndarray], names: Sequence[str], wanted: Wanted
) -> Comparison:
    """Put a matrix, which stands in the order of its own measure, into the order that is asked for."""
    groups = [[matrix.order[place] for place in tier] for tier in tiers(matrix)]
    if wanted.order_by != wanted.measure:
        matrix = matrix.in_order(own_order(scores[wanted.order_by]))
    labels = list(range(1, len(matrix.order) + 1))
    if wanted.label_by:
        rank_of = ranks(scores[wanted.label_by].mean(axis=1))
        labels = [rank_of[run] for run in matrix.order]
    shown = [names[run] for run in matrix.order]
    topic_count = scores[wanted.measure].shape[1]
    not_told = why_not_told(len(names), topic_count)
    return Comparison(
        measure=wanted.measure,
        order_by=wanted.order_by,
        label_by=wanted.label_by or wanted.order_by,
        matrix=matrix,
        names=shown,
        labels=labels,
        topic_count=topic_count,
        not_told=not_told,
        ranges=[] if not_told else rank_ranges(matrix.means, matrix.different),
        leads=[] if not_told else leading_group(matrix.means, matrix.different),
        paired=compared_pairs(shown, scores[wanted.measure][list(matrix.order)]),
        tiers=[[names[run] for run in tier] for tier in groups],
    )
