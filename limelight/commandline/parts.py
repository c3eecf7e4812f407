"""compare --parts: what the differences between runs are made of."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from limelight.analysis.parts.difference import DifferenceParts
from limelight.analysis.parts.sentences import DEPENDING, parts_sentence
from limelight.analysis.parts.steps import DECIMALS, Part
from limelight.analysis.statistics.paired import MOST_COMPARED, PairedDifference
from limelight.commandline import tables
from limelight.face.comparing import Comparison
from limelight.face.parts import parts_between, with_parts
from limelight.face.refusals import Refusal
from limelight.face.scores import Scores

HEAD = ("part", "mean", "low", "high", "smallest", "largest")


@dataclass(frozen=True, slots=True, eq=False)
class PairParts:
    """The parts of the difference of two named runs, the better one first."""

    better: str
    other: str
    found: DifferenceParts

    @property
    def sentence(self) -> str:
        """What the lead is made of."""
        return parts_sentence(self.found, self.better, self.other)


def can_be_told(kind: str, runs: Sequence[str]) -> None:
    """Refuse kinds of tasks without parts, and more runs than are compared pair by pair."""
    with_parts(kind)
    if len(runs) > MOST_COMPARED:
        raise Refusal([f"--parts is for two to six runs, not {len(runs)}."])


def parts_of_pairs(comparison: Comparison, scored: Sequence[Scores]) -> list[PairParts]:
    """Tell the parts of every pair of runs, in the order of the comparison's pairs."""
    places = list(enumerate(comparison.matrix.order))
    measure = comparison.measure
    pairs = []
    for (place, one), (other_place, other) in combinations(places, 2):
        if scored[one].means[measure] < scored[other].means[measure]:
            (place, one), (other_place, other) = (other_place, other), (place, one)
        found = parts_between(scored[one], scored[other], measure=measure)
        pairs.append(PairParts(comparison.names[place], comparison.names[other_place], found))
    return pairs


def as_json(pair: PairParts, level: float) -> dict[str, object]:
    """Return the parts of a pair with all digits, and as printed: rounded so that they add up."""
    found, rounded = pair.found, pair.found.rounded()

    def told(part: Part) -> dict[str, object]:
        low, high = part.mean.interval(level)
        smallest, largest = part.mean_range
        return {
            "part": part.name,
            "label": part.label,
            "mean": part.mean.mean,
            "rounded": rounded[part.name],
            "low": _finite(low),
            "high": _finite(high),
            "smallest": smallest,
            "largest": largest,
            "topics": dict(zip(found.topics, part.topic_values.tolist(), strict=True)),
        }

    return {
        "difference": rounded["difference"],
        "parts": [told(part) for part in found.parts],
        "text": [told(half) for half in found.halves],
        "shared": found.share,
        "sentence": pair.sentence,
    }


def as_text(pairs: Sequence[PairParts], level: float) -> Iterator[str]:
    """Return a table and a sentence for each pair, and how a table is read."""
    for pair in pairs:
        yield f"\n{pair.better} - {pair.other} in parts\n"
        yield tables.aligned(HEAD, list(_rows(pair.found, level)), words=HEAD[:1])
        yield f"{pair.sentence}\n"
    share = f"{100 * (1 - level):g} %"
    yield f"\nlow, high: {share} interval, paired t. smallest, largest: the part's step, {DEPENDING}.\n"


def signed(value: float) -> str:
    """Write a number with its sign, a zero always with the same.

    >>> signed(0.0123), signed(-1e-17)
    ('+0.0123', '+0.0000')
    """
    return f"{round(value, DECIMALS) + 0.0:+.{DECIMALS}f}"


def _rows(found: DifferenceParts, level: float) -> Iterator[list[str]]:
    rounded = found.rounded()
    for part in found.parts:
        yield _row(part.label, rounded[part.name], part.mean, level, part.mean_range)
    for half in found.halves:
        yield _row(f"  {half.label}", rounded[half.name], half.mean, level, half.mean_range)
    yield _row("difference", rounded["difference"], found.difference, level)


def _row(
    label: str, rounded: float, mean: PairedDifference, level: float, steps: tuple[float, float] | None = None
) -> list[str]:
    ends = mean.interval(level) if np.isfinite(mean.error) else ()
    written = [[signed(end) for end in pair or ()] or ["-", "-"] for pair in (ends, steps)]
    return [label, signed(rounded), *written[0], *written[1]]


def _finite(value: float) -> float | None:
    return value if np.isfinite(value) else None
