"""What is known about a measure besides its values: the words that boards, docs, API and command line show."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from limelight.arrays import Reals

Scoring = TypeVar("Scoring")
"""What a run is made into once, for all measures of its kind of task."""


@dataclass(frozen=True, slots=True)
class Measure(Generic[Scoring]):
    """One column of a board.

    `name` is the mean over topics, `topic_name` one topic's value; `heading` is where docs/measures.md explains it.
    `bounded` says that values stay between 0 and 1, `perfect` that a perfect run scores exactly 1, `monotone` that
    no value falls when a relevant result moves up past a non-relevant one, `reported` that the measure is shown without
    being asked for. `values` takes the scoring of a run and returns one value a topic; `running` returns for each entry
    of each list, topics end to end, the value of the list that ends there. Entries are results in focused and thorough
    tasks, documents in all others.
    """

    name: str
    topic_name: str
    heading: str
    label: str
    explanation: str
    equation: str
    source: str
    values: Callable[[Scoring], Reals]
    running: Callable[[Scoring], Reals]
    bounded: bool = True
    perfect: bool = True
    monotone: bool = True
    reported: bool = False


def first_results(rank: int) -> str:
    """Name the results that count at a rank: `first_results(1)` is "the first result"."""
    return "the first result" if rank == 1 else f"the first {rank} results"


@dataclass(frozen=True, slots=True)
class Curve(Generic[Scoring]):
    """A measure over many recall levels or ranks, averaged over topics; `values` returns a row a topic."""

    name: str
    label: str
    explanation: str
    horizontal: str
    vertical: str
    values: Callable[[Scoring], Reals]
