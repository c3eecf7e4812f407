"""measures: what a kind of task computes, read from the table."""

import sys
import textwrap
from argparse import Namespace

from limelight.commandline.choosing import given_parameters
from limelight.commandline.exits import DONE
from limelight.face.reading import known_kind, resolved_for


def run(chosen: Namespace) -> int:
    """Print the measures and parameters of a kind of task."""
    evaluator = known_kind(chosen.task)
    resolved = resolved_for(chosen.task, chosen.profile, given_parameters(chosen.settings))
    lines = [f"{evaluator.label}: official measure {evaluator.official}", ""]
    for measure in evaluator.chosen(resolved, "all"):
        star = "*" if measure.reported else " "
        lines.append(f"{star} {measure.name}: {measure.label}. {measure.source}.")
        lines += textwrap.wrap(measure.explanation, 100, initial_indent="    ", subsequent_indent="    ")
        lines.append(f"    {measure.equation}")
    lines += ["", "* reported without --measures", ""]
    if any(not measure.bounded for measure in evaluator.chosen(resolved, "all")):
        lines += ["Measures whose explanation says so may exceed 1: text retrieved twice counts twice.", ""]
    lines.append(f"Parameters under {chosen.profile}:")
    known = {parameter.name: parameter for parameter in evaluator.parameters}
    for name, value in resolved.items():
        shown = ",".join(map(str, value)) if isinstance(value, tuple) else value
        lines.append(f"  {name}={shown}: {known[name].explanation} Takes {known[name].accepts}.")
    sys.stdout.write("\n".join(lines) + "\n")
    return DONE
