"""compare: which runs the topics can tell apart."""

import json
import sys

import numpy as np

from evaluation.commandline.reading import known_kind, tell
from evaluation.commandline.refusals import BAD_INPUT, DONE, Refusal
from evaluation.commandline.score import scored_runs
from evaluation.statistics.pairwise import TESTS, holm, p_text
from evaluation.statistics.tiers import tiers

MIN_RUNS = 2


def compare(chosen):
    """Print the significance matrix and the tiers of two or more runs."""
    measure = chosen.measure or known_kind(chosen.task).official
    if chosen.test not in TESTS:
        raise Refusal([f"There is no test “{chosen.test}”. Tests are {', '.join(TESTS)}."], BAD_INPUT)
    if not 1 <= chosen.resamples <= 1_000_000:
        raise Refusal([f"--resamples takes a number from 1 to 1,000,000, not {chosen.resamples}."], BAD_INPUT)
    if chosen.seed < 0:
        raise Refusal([f"--seed takes a number from 0, not {chosen.seed}."], BAD_INPUT)
    if len(chosen.runs) < MIN_RUNS:
        raise Refusal(["Comparing takes at least two runs."], BAD_INPUT)
    scored, notes = scored_runs(chosen, [measure])
    scores = np.stack([result.topic_values[measure] for _, _, result in scored])
    drawn = {} if chosen.test == "t-test" else {"resamples": chosen.resamples, "seed": chosen.seed}
    matrix = TESTS[chosen.test](scores, **drawn)
    matrix = holm(matrix) if chosen.holm else matrix
    names = [scored[place][1].run_id or scored[place][0] for place in matrix.order]
    tell([*notes, *([matrix.warning] if matrix.warning else [])])
    write = as_json if chosen.format == "json" else as_text
    sys.stdout.write(write(measure, names, matrix))
    return DONE


def as_json(measure, names, matrix):
    """Return the comparison as JSON; p-values are null on and below the diagonal."""
    p = [[None if np.isnan(value) else value for value in row] for row in matrix.p.tolist()]
    told = {
        "measure": measure,
        "test": matrix.method,
        "level": matrix.level,
        "runs": [{"run": name, "mean": mean} for name, mean in zip(names, matrix.means.tolist(), strict=True)],
        "p": p,
        "significant": matrix.significant.tolist(),
        "pairs": matrix.pair_count,
        "significant_pairs": matrix.significant_count,
        "tiers": [[names[place] for place in tier] for tier in tiers(matrix)],
        "warning": matrix.warning,
    }
    return json.dumps(told, indent=1) + "\n"


def as_text(measure, names, matrix):
    """Return the comparison for people: runs by mean with their tiers, a star for each significant pair, p-values."""
    tier_of = {place: number for number, tier in enumerate(tiers(matrix), start=1) for place in tier}
    width = max(len(name) for name in names)
    count = len(names)
    digits = len(str(count))
    head = " ".join(str(place + 1).rjust(digits) for place in range(count))
    lines = [f"{measure}, {matrix.method}, level {matrix.level:g}", ""]
    lines.append(f"{'':{digits}}  {'run':{width}}  {'mean':>6}  tier  {head}")
    for place, name in enumerate(names):
        stars = " ".join(
            ("-" if other <= place else "*" if matrix.significant[place, other] else ".").rjust(digits)
            for other in range(count)
        )
        lines.append(
            f"{place + 1:{digits}}  {name:{width}}  {matrix.means[place]:6.4f}  {tier_of[place]:4}  {stars}".rstrip()
        )
    lines += ["", f"{matrix.significant_count} of {matrix.pair_count} pairs differ significantly (*)."]
    for place in range(min(count - 1, 20)):
        told = p_text(float(matrix.p[place, place + 1]), matrix.resolution)
        lines.append(f"p({names[place]} > {names[place + 1]}) = {told}".replace("= <", "<"))
    return "\n".join(lines) + "\n"
