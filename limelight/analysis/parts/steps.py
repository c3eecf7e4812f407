"""What exchanging one ingredient changes, and the shares of a difference that this makes.

Scores of hybrids stand in a cube with an axis for each ingredient, 0 for the one run and 1 for the other, and the
topics last. A part is a weighted mean of the steps that its ingredient makes when it is exchanged before, between and
behind the others (Shapley); text in two is weighted as one ingredient whose halves follow each other (Owen).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from limelight.analysis.statistics.paired import PairedDifference, paired_difference
from limelight.arrays import Reals

DECIMALS = 4

WEIGHTS = np.array([1 / 3, 1 / 6, 1 / 6, 1 / 3])
"""Of the steps with both other ingredients from the one run, with either, and with none."""


@dataclass(frozen=True, slots=True)
class Ingredient:
    """What a hybrid takes from one run or the other; `source` says where a part comes from."""

    name: str
    label: str
    source: str


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """The part that an ingredient has in a difference.

    `steps` has a row for each choice of what was exchanged before, a column a topic; `weights` say how often it occurs.
    """

    ingredient: Ingredient
    steps: Reals
    weights: Reals

    @property
    def name(self) -> str:
        """The name of the ingredient."""
        return self.ingredient.name

    @property
    def label(self) -> str:
        """The ingredient as headings name it."""
        return self.ingredient.label

    @property
    def topic_values(self) -> Reals:
        """The part of each topic."""
        return self.weights @ self.steps

    @property
    def topic_ranges(self) -> tuple[Reals, Reals]:
        """The smallest and the largest step of each topic, depending on what is exchanged first."""
        return self.steps.min(axis=0), self.steps.max(axis=0)

    @property
    def mean(self) -> PairedDifference:
        """The mean over the topics, with its interval."""
        values = self.topic_values
        return paired_difference(values, np.zeros_like(values))

    @property
    def mean_range(self) -> tuple[float, float]:
        """The smallest and the largest step of the mean, depending on what is exchanged first in all topics."""
        means = self.steps.mean(axis=1)
        return float(means.min()), float(means.max())

    def may_be_none(self, level: float = 0.05) -> bool:
        """Return whether the interval of the mean holds 0."""
        low, high = self.mean.interval(level)
        return low <= 0 <= high


def three_parts(ingredients: Sequence[Ingredient], cube: Reals) -> tuple[Part, ...]:
    """Return the parts of three ingredients, which add up to cube[0, 0, 0] - cube[1, 1, 1].

    1/3 of [v(i) - v(0)], 1/6 of each [v(i, j) - v(j)] and 1/3 of [v(all) - v(all without i)].

    >>> makes = [Ingredient(name, name, "") for name in ("documents", "order", "text")]
    >>> cube = np.zeros((2, 2, 2, 1))
    >>> cube[0, 0] = 0.6
    >>> [round(float(part.topic_values[0]), 4) for part in three_parts(makes, cube)]
    [0.3, 0.3, 0.0]
    """
    return tuple(
        Part(ingredient, (cube.take(0, axis) - cube.take(1, axis)).reshape(4, -1), WEIGHTS)
        for axis, ingredient in enumerate(ingredients)
    )


def two_halves(ingredients: Sequence[Ingredient], cube: Reals) -> tuple[Part, ...]:
    """Return the parts of the last two of four ingredients that are halves of one and exchanged together."""
    return tuple(
        Part(ingredient, (cube.take(0, axis) - cube.take(1, axis)).reshape(8, -1), np.repeat(WEIGHTS, 2) / 2)
        for axis, ingredient in enumerate(ingredients, start=2)
    )


def adding_up(values: Sequence[float], total: float, decimals: int = DECIMALS) -> list[float]:
    """Round values by largest remainder, so that they add up to their rounded total.

    >>> adding_up([0.00004, 0.00004, 0.00004], 0.00012)
    [0.0001, 0.0, 0.0]
    """
    scale = 10**decimals
    exact = [round(value * scale, decimals + 2) for value in values]
    lower = [math.floor(value) for value in exact]
    missing = round(round(total, decimals) * scale) - sum(lower)
    raised = sorted(range(len(exact)), key=lambda place: lower[place] - exact[place])[:missing]
    return [(low + (place in raised)) / scale for place, low in enumerate(lower)]
