"""correlate: how alike two measures order the same runs."""

import json
import math
import sys
from argparse import Namespace
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from limelight.analysis.statistics.pairwise import p_text
from limelight.analysis.statistics.stability import LEAST_RUNS, TwoMeasures, two_measures
from limelight.commandline.choosing import measure_names, scores_from, tell, warnings_of
from limelight.commandline.exits import DONE
from limelight.face.correlating import Correlations, correlated, enough_measures, enough_runs
from limelight.face.scores import Scores

NAMES = {"tau-b": "tau-b", "tau-AP": "tau-AP", "r": "Pearson"}
"""What the coefficients over redrawn topics are called here."""


def run(chosen: Namespace) -> int:
    """Print the coefficients of every pair of measures over the runs."""
    names = measure_names(chosen.measures)
    enough_measures(names or [])
    enough_runs(chosen.runs)
    scored = scores_from(chosen, names)
    found = correlated(scored, list(scored[0].means))
    drawn = redrawn(scored, found) if chosen.other_topics else {}
    tell(warnings_of(scored))
    write = as_json if chosen.format == "json" else as_text
    sys.stdout.write(write(found, len(scored), drawn))
    return DONE


def redrawn(scored: Sequence[Scores], found: Correlations) -> dict[tuple[str, str], TwoMeasures]:
    """Return for each pair of measures how alike they are over redrawn topics; nothing of few runs."""
    if len(scored) < LEAST_RUNS:
        return {}
    names = {name for pair in found for name in pair}
    values = {name: np.stack([scores.result.topic_values[name] for scores in scored]) for name in names}
    return {(one, other): two_measures(values[one], values[other]) for one, other in found}


def as_json(found: Correlations, run_count: int, drawn: Mapping[tuple[str, str], TwoMeasures]) -> str:
    """Return the coefficients as JSON; null where there is no number."""
    pairs: list[dict[str, Any]] = [
        {
            "measures": [one, other],
            **{name: {"value": _number(told.value), "p": told.p} for name, told in coefficients.items()},
        }
        for (one, other), coefficients in found.items()
    ]
    for pair, of_pair in zip(pairs, drawn.values(), strict=False):
        pair["redrawn"] = {
            NAMES[name]: [_number(end) for end in (middle.mean, middle.low, middle.high)]
            for name, middle in of_pair.redrawn.items()
        }
        pair["ceiling"] = _number(of_pair.ceiling)
    return json.dumps({"runs": run_count, "pairs": pairs}, indent=1) + "\n"


def as_text(found: Correlations, run_count: int, drawn: Mapping[tuple[str, str], TwoMeasures]) -> str:
    """Return the coefficients for people; in brackets the middle 95 % over redrawn topics."""
    lines = [f"{run_count} runs"]
    for (one, other), coefficients in found.items():
        lines.append(f"{one} and {other}")
        for name, told in coefficients.items():
            value = "no number" if math.isnan(told.value) else f"{told.value:7.4f}"
            tail = "" if told.p is None else f"  p {'= ' + p_text(told.p)}".replace("= <", "<")
            lines.append(f"  {name:8}{value}{tail}{_middle(drawn.get((one, other)), name)}")
        if told_of_both := drawn.get((one, other)):
            lines.append(
                f"  {one} on redrawn topics agrees with itself on all by a tau-b of {told_of_both.ceiling:.4f}"
            )
    return "\n".join(lines) + "\n"


def _middle(of_pair: TwoMeasures | None, name: str) -> str:
    drawn = {NAMES[short]: middle for short, middle in of_pair.redrawn.items()} if of_pair else {}
    middle = drawn.get(name)
    return f"  ({middle.low:.4f} to {middle.high:.4f})" if middle and not math.isnan(middle.mean) else ""


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value
