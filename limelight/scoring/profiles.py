"""Profiles: named sets of parameters, and the parameters one may set on top of them."""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypedDict, cast

from limelight.kinds import BEST_IN_CONTEXT, DOCUMENT, FOCUSED, RELEVANT_IN_CONTEXT, SCORED, THOROUGH

DEFAULT_PROFILE = "inex-2007"
MAX_CUTOFF = 1_000_000
MAX_CUTOFFS = 50
MAX_GRADE = 30
HIGHEST = "highest"
"""Leaves a parameter to the assessments: the highest value that they have."""


class Parameters(TypedDict, total=False):
    """The parameters of a kind of task with their values; which of them there are depends on the kind."""

    cutoffs: tuple[int, ...]
    overlap: str
    unmapped_size: int
    document_score: str
    beta: float
    tolerance: int
    weight: str
    formula: str
    A: float
    n: int
    past_end: str
    order: str
    max_grade: int | str


class ParameterError(ValueError):
    """A profile, parameter or measure that doesn't exist, or a value that it can't take; says so in a sentence."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """Something about a measure that can be set: for which kinds of task, and what it accepts."""

    name: str
    kinds: tuple[str, ...]
    explanation: str
    accepts: str
    read: Callable[[Any], Any]


def _positive(value: Any) -> float:
    if isinstance(value, bool):
        raise ValueError
    number = float(Fraction(value)) if isinstance(value, str) else float(value)
    if not (math.isfinite(number) and 0 < number <= 1e9):
        raise ValueError
    return number


def _whole(smallest: int, largest: int = 1_000_000_000) -> Callable[[Any], int]:
    def read(value: Any) -> int:
        number = int(value)
        if isinstance(value, bool) or number != float(value) or not smallest <= number <= largest:
            raise ValueError
        return number

    return read


def _choice(*words: str) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        word = str(value).strip().lower()
        if word not in words:
            raise ValueError
        return word

    return read


def _word_or(word: str, read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def either(value: Any) -> Any:
        return word if str(value).strip().lower() == word else read(value)

    return either


def _ranks(value: Any) -> tuple[int, ...]:
    words = value.replace(",", " ").split() if isinstance(value, str) else value
    words = [words] if isinstance(words, int) else words
    ranks = tuple(sorted({_whole(1, MAX_CUTOFF)(word) for word in words}))
    if not 1 <= len(ranks) <= MAX_CUTOFFS:
        raise ValueError
    return ranks


PARAMETERS = (
    Parameter(
        "cutoffs",
        SCORED,
        "Ranks at which measures at a rank are reported.",
        f"up to {MAX_CUTOFFS} whole numbers from 1 to 1,000,000, such as 5,10,25,50",
        _ranks,
    ),
    Parameter(
        "overlap",
        (THOROUGH,),
        "Whether text retrieved twice counts once or every time; then recall and what is made of it may exceed 1.",
        "new or count_all",
        _choice("new", "count_all"),
    ),
    Parameter(
        "unmapped_size",
        (FOCUSED, RELEVANT_IN_CONTEXT),
        "Non-relevant characters that a result without a known place counts as.",
        "a whole number from 0",
        _whole(0),
    ),
    Parameter(
        "document_score",
        (RELEVANT_IN_CONTEXT,),
        "How a document is scored: by the F score, or by reading effort.",
        "f or t2i",
        _choice("f", "t2i"),
    ),
    Parameter(
        "beta",
        (RELEVANT_IN_CONTEXT,),
        "Weight of recall against precision in the F score.",
        "a number above 0, such as 1 or 1/4",
        _positive,
    ),
    Parameter(
        "tolerance",
        (RELEVANT_IN_CONTEXT,),
        "Irrelevant characters after which the reader of the reading effort score gives up.",
        "a whole number from 1",
        _whole(1),
    ),
    Parameter(
        "weight",
        (RELEVANT_IN_CONTEXT,),
        "What a document weighs in gR' and AgP': the highlighted text it contains, or the part retrieved.",
        "contained or retrieved",
        _choice("contained", "retrieved"),
    ),
    Parameter(
        "formula",
        (BEST_IN_CONTEXT,),
        "How distance from the entry point is scored: Eq. 8 (ratio) or Eq. 9 (linear).",
        "ratio or linear",
        _choice("ratio", "linear"),
    ),
    Parameter(
        "A",
        (BEST_IN_CONTEXT,),
        "Patience of the ratio formula, Eq. 8.",
        "a number above 0, such as 0.1, 1 or 10",
        _positive,
    ),
    Parameter(
        "n",
        (BEST_IN_CONTEXT,),
        "Characters that fit on the screen in the linear formula, Eq. 9.",
        "a whole number from 1",
        _whole(1),
    ),
    Parameter(
        "past_end",
        (RELEVANT_IN_CONTEXT, BEST_IN_CONTEXT),
        "gP past the end of the list: divided by the rank, or the value at the last rank.",
        "divide or last",
        _choice("divide", "last"),
    ),
    Parameter(
        "order",
        (DOCUMENT,),
        "What ranks the documents: the run's own scores, as in trec_eval, or the order of its lines.",
        "score or lines",
        _choice("score", "lines"),
    ),
    Parameter(
        "max_grade",
        (DOCUMENT,),
        "The highest grade there is, for ERR: a number, or the highest in the assessments; 4 is gdeval's own.",
        f"{HIGHEST} or a whole number from 1 to {MAX_GRADE}",
        _word_or(HIGHEST, _whole(1, MAX_GRADE)),
    ),
)

_IN_2007 = {
    "overlap": "new",
    "unmapped_size": 0,
    "document_score": "f",
    "beta": 1.0,
    "tolerance": 300,
    "weight": "contained",
    "formula": "ratio",
    "A": 0.1,
    "n": 1000,
    "past_end": "divide",
    "order": "score",
    "max_grade": HIGHEST,
}
_IN_2009 = _IN_2007 | {"beta": 0.25, "formula": "linear", "n": 500, "past_end": "last", "unmapped_size": 18}
PROFILES = {"inex-2007": _IN_2007, "inex-2009": _IN_2009, "inex-2010": _IN_2009 | {"document_score": "t2i"}}

_CUTOFFS = {
    FOCUSED: (1, 5, 10, 25, 50),
    THOROUGH: (1, 5, 10, 25, 50),
    RELEVANT_IN_CONTEXT: (5, 10, 25, 50),
    BEST_IN_CONTEXT: (5, 10, 25, 50),
    DOCUMENT: (5, 10, 20),
}
_CUTOFFS_2009 = _CUTOFFS | dict.fromkeys((RELEVANT_IN_CONTEXT, BEST_IN_CONTEXT), (1, 2, 3, 5, 10, 25, 50))

_BELONGS = {"A": ("formula", "ratio"), "n": ("formula", "linear"), "beta": ("document_score", "f")}
"""A parameter that is only read when another one has a certain value."""


def parameters_of(kind: str) -> tuple[Parameter, ...]:
    """Return the parameters that a kind of task knows."""
    return tuple(parameter for parameter in PARAMETERS if kind in parameter.kinds)


def resolve(kind: str, profile: str = DEFAULT_PROFILE, parameters: Mapping[str, Any] | None = None) -> Parameters:
    """Return all parameters of a kind of task under a profile, with the given ones set on top.

    >>> resolve("best-in-context", "inex-2009", {"n": "1000"})
    {'cutoffs': (1, 2, 3, 5, 10, 25, 50), 'formula': 'linear', 'n': 1000, 'past_end': 'last'}
    """
    if profile not in PROFILES:
        raise ParameterError(f"There is no profile “{profile}”. Profiles are {_listed(PROFILES)}.")
    cutoffs = (_CUTOFFS if profile == "inex-2007" else _CUTOFFS_2009)[kind]
    defaults = PROFILES[profile] | {"cutoffs": cutoffs}
    known = {parameter.name: parameter for parameter in parameters_of(kind)}
    given = {name: _read(known, kind, name, value) for name, value in (parameters or {}).items()}
    values = {name: given.get(name, defaults[name]) for name in known}
    for name, (other, value) in _BELONGS.items():
        if name in values and values[other] != value:
            if name in given:
                raise ParameterError(
                    f"Parameter {name} belongs to {other}={value}, but here {other} is {values[other]}: it would "
                    f"change nothing. Set {other}={value} as well, or leave {name} out."
                )
            del values[name]
    return cast(Parameters, values)


def _read(known: Mapping[str, Parameter], kind: str, name: str, value: Any) -> Any:
    if name not in known:
        raise ParameterError(f"There is no parameter “{name}” for a {kind} task. It knows {_listed(known)}.")
    try:
        return known[name].read(value)
    except (ValueError, TypeError, ZeroDivisionError, OverflowError):
        raise ParameterError(f"Parameter {name} can't be “{value}”: it takes {known[name].accepts}.") from None


def _listed(names: Iterable[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last
