"""correlate: how alike two measures order the same runs."""

import json
import math
import sys
from argparse import Namespace

from limelight.analysis.statistics.pairwise import p_text
from limelight.commandline.choosing import measure_names, scores_from, tell, warnings_of
from limelight.commandline.exits import DONE
from limelight.face.correlating import Correlations, correlated, enough_measures, enough_runs


def run(chosen: Namespace) -> int:
    """Print the coefficients of every pair of measures over the runs."""
    names = measure_names(chosen.measures)
    enough_measures(names or [])
    enough_runs(chosen.runs)
    scored = scores_from(chosen, names)
    found = correlated(scored, list(scored[0].means))
    tell(warnings_of(scored))
    sys.stdout.write(as_json(found, len(scored)) if chosen.format == "json" else as_text(found, len(scored)))
    return DONE


def as_json(found: Correlations, run_count: int) -> str:
    """Return the coefficients as JSON; null where there is no number."""
    pairs = [
        {
            "measures": [one, other],
            **{name: {"value": _number(told.value), "p": told.p} for name, told in coefficients.items()},
        }
        for (one, other), coefficients in found.items()
    ]
    return json.dumps({"runs": run_count, "pairs": pairs}, indent=1) + "\n"


def as_text(found: Correlations, run_count: int) -> str:
    """Return the coefficients for people."""
    lines = [f"{run_count} runs"]
    for (one, other), coefficients in found.items():
        lines.append(f"{one} and {other}")
        for name, told in coefficients.items():
            value = "no number" if math.isnan(told.value) else f"{told.value:7.4f}"
            tail = "" if told.p is None else f"  p {'= ' + p_text(told.p)}".replace("= <", "<")
            lines.append(f"  {name:8}{value}{tail}")
    return "\n".join(lines) + "\n"


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value
