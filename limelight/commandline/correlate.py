"""correlate: how alike two measures order the same runs."""

import json
import math
import sys
from itertools import combinations

from limelight.analysis.statistics.correlation import COEFFICIENTS
from limelight.analysis.statistics.pairwise import p_text
from limelight.commandline.reading import tell
from limelight.commandline.refusals import BAD_INPUT, DONE, Refusal
from limelight.commandline.score import measure_names, scored_runs


def correlate(chosen):
    """Print the coefficients of every pair of measures over the runs."""
    names = measure_names(chosen.measures)
    if names != "all" and len(set(names)) < 2:
        raise Refusal(["Correlating takes at least two measures, such as --measures iMAP,artMAP."], BAD_INPUT)
    if len(chosen.runs) < 2:
        raise Refusal(["Correlating takes at least two runs."], BAD_INPUT)
    scored, notes = scored_runs(chosen, names)
    measured = {
        measure.name: [result.means[measure.name] for _, _, result in scored] for measure in scored[0][2].measures
    }
    found = [
        (one, other, {name: coefficient(measured[one], measured[other]) for name, coefficient in COEFFICIENTS.items()})
        for one, other in combinations(measured, 2)
    ]
    tell(notes)
    sys.stdout.write(as_json(found, len(scored)) if chosen.format == "json" else as_text(found, len(scored)))
    return DONE


def as_json(found, run_count):
    """Return the coefficients as JSON; null where there is no number."""
    pairs = [
        {
            "measures": [one, other],
            **{name: {"value": _number(told.value), "p": told.p} for name, told in coefficients.items()},
        }
        for one, other, coefficients in found
    ]
    return json.dumps({"runs": run_count, "pairs": pairs}, indent=1) + "\n"


def as_text(found, run_count):
    """Return the coefficients for people."""
    lines = [f"{run_count} runs"]
    for one, other, coefficients in found:
        lines.append(f"{one} and {other}")
        for name, told in coefficients.items():
            value = "no number" if math.isnan(told.value) else f"{told.value:7.4f}"
            tail = "" if told.p is None else f"  p {'= ' + p_text(told.p)}".replace("= <", "<")
            lines.append(f"  {name:8}{value}{tail}")
    return "\n".join(lines) + "\n"


def _number(value):
    return None if math.isnan(value) else value
