"""measures: what a kind of task computes, read from the table."""

import sys
import textwrap

from evaluation.commandline.reading import known_kind, settings
from evaluation.commandline.refusals import BAD_INPUT, DONE, Refusal
from evaluation.profiles import ParameterError, resolve


def measures(chosen):
    """Print the measures and parameters of a kind of task."""
    evaluator = known_kind(chosen.task)
    try:
        resolved = resolve(chosen.task, chosen.profile, settings(chosen.settings))
    except ParameterError as error:
        raise Refusal([str(error)], BAD_INPUT) from None
    lines = [f"{evaluator.label}: official measure {evaluator.official}", ""]
    for measure in evaluator.chosen(resolved, "all"):
        star = "*" if measure.reported else " "
        lines.append(f"{star} {measure.name}: {measure.label}. {measure.source}.")
        lines += textwrap.wrap(measure.explanation, 100, initial_indent="    ", subsequent_indent="    ")
        lines.append(f"    {measure.equation}")
    lines += ["", "* reported without --measures", "", f"Parameters under {chosen.profile}:"]
    known = {parameter.name: parameter for parameter in evaluator.parameters}
    for name, value in resolved.items():
        shown = ",".join(map(str, value)) if isinstance(value, tuple) else value
        lines.append(f"  {name}={shown}: {known[name].explanation} Takes {known[name].accepts}.")
    sys.stdout.write("\n".join(lines) + "\n")
    return DONE
