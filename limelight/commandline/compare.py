"""compare: which runs the topics can tell apart."""

import json
import sys
from dataclasses import dataclass

import numpy as np

from limelight.analysis.ranking import ranks
from limelight.analysis.statistics.pairwise import TESTS, VARIANTS, SignificanceMatrix, holm, own_order, p_text
from limelight.analysis.statistics.tiers import tiers
from limelight.commandline.reading import known_kind, tell
from limelight.commandline.refusals import BAD_INPUT, DONE, Refusal
from limelight.commandline.score import scored_runs

MIN_RUNS = 2
NEIGHBOURS = 20
"""So many pairs of neighbours are told with their differences and p-values."""

WITHOUT_SEED = ("t-test",)
TAILS = {"1": 1, "2": 2}


@dataclass(frozen=True, slots=True)
class Comparison:
    """Runs compared by one measure, shown in the order of one and labelled by their ranks under one.

    `names`, `labels` and `tier_of` have an entry for each place of the matrix; tiers are those of the tested measure in
    its own order.
    """

    measure: str
    order_by: str
    label_by: str
    matrix: SignificanceMatrix
    names: list
    labels: list
    tier_of: list
    tiers: list


def compare(chosen):
    """Print the significance matrix and the tiers of two or more runs."""
    measure = known_kind(chosen.task).official if chosen.measure is None else chosen.measure
    options = options_of(chosen)
    if len(chosen.runs) < MIN_RUNS:
        raise Refusal(["Comparing takes at least two runs."], BAD_INPUT)
    order_by = measure if chosen.order_by is None else chosen.order_by
    wanted = list(dict.fromkeys([measure, order_by, *([] if chosen.label_by is None else [chosen.label_by])]))
    scored, notes = scored_runs(chosen, wanted)
    scores = {name: np.stack([result.topic_values[name] for _, _, result in scored]) for name in wanted}
    matrix = TESTS[chosen.test](scores[measure], **options)
    matrix = holm(matrix) if chosen.holm else matrix
    names = [run.run_id or name for name, run, _ in scored]
    compared = laid_out(matrix, scores, names, measure, order_by, chosen.label_by)
    tell([*notes, *([matrix.warning] if matrix.warning else [])])
    sys.stdout.write((as_json if chosen.format == "json" else as_text)(compared))
    return DONE


def options_of(chosen):
    """Return what the chosen test takes, or refuse what it doesn't."""
    if chosen.test not in TESTS:
        raise Refusal([f"There is no test “{chosen.test}”. Tests are {', '.join(TESTS)}."], BAD_INPUT)
    if not 1 <= chosen.resamples <= 1_000_000:
        raise Refusal([f"--resamples takes a number from 1 to 1,000,000, not {chosen.resamples}."], BAD_INPUT)
    if chosen.seed < 0:
        raise Refusal([f"--seed takes a number from 0, not {chosen.seed}."], BAD_INPUT)
    options = {"level": level_from(chosen.level)}
    if chosen.test not in WITHOUT_SEED:
        options |= {"resamples": chosen.resamples, "seed": chosen.seed}
    return options | variant_from(chosen) | tails_from(chosen)


def level_from(word):
    """Return the level that --level gives: above 0 and below 1."""
    try:
        level = float(word)
    except ValueError:
        level = np.nan
    if not 0 < level < 1:
        raise Refusal([f"--level takes a number above 0 and below 1, such as 0.05, not “{word}”."], BAD_INPUT)
    return level


def variant_from(chosen):
    """Return the variant of the bootstrap that is asked for."""
    if chosen.variant is None:
        return {}
    if chosen.variant not in VARIANTS:
        raise Refusal([f"There is no variant “{chosen.variant}”. Variants are {' and '.join(VARIANTS)}."], BAD_INPUT)
    if chosen.test != "bootstrap":
        raise Refusal([f"--variant is for --test bootstrap; here the test is {chosen.test}."], BAD_INPUT)
    return {"variant": chosen.variant}


def tails_from(chosen):
    """Return how many tails are asked for."""
    if chosen.tails is None:
        return {}
    if chosen.tails not in TAILS:
        raise Refusal([f"--tails takes 1 or 2, not “{chosen.tails}”."], BAD_INPUT)
    if chosen.test == "tukey":
        if chosen.tails == "1":
            raise Refusal(
                ["Tukey's HSD always asks about both directions. Choose another --test for --tails 1."], BAD_INPUT
            )
        return {}
    return {"tails": TAILS[chosen.tails]}


def laid_out(matrix, scores, names, measure, order_by, label_by):
    """Put a matrix, which stands in the order of its own measure, into the order that is asked for."""
    groups = [[matrix.order[place] for place in tier] for tier in tiers(matrix)]
    tier_of = {run: number for number, tier in enumerate(groups, start=1) for run in tier}
    if order_by != measure:
        matrix = matrix.in_order(own_order(scores[order_by]))
    places = range(1, len(matrix.order) + 1)
    rank_of = ranks(scores[label_by].mean(axis=1)) if label_by else None
    return Comparison(
        measure=measure,
        order_by=order_by,
        label_by=label_by or order_by,
        matrix=matrix,
        names=[names[run] for run in matrix.order],
        labels=[rank_of[run] for run in matrix.order] if label_by else list(places),
        tier_of=[tier_of[run] for run in matrix.order],
        tiers=[[names[run] for run in tier] for tier in groups],
    )


def as_json(compared):
    """Return the comparison as JSON; a pair has its p-value in the row of the run with the higher mean, else null."""
    matrix = compared.matrix
    p = [[None if np.isnan(value) else value for value in row] for row in matrix.p.tolist()]
    runs = zip(compared.names, matrix.means.tolist(), compared.labels, strict=True)
    told = {
        "measure": compared.measure,
        "order_by": compared.order_by,
        "label_by": compared.label_by,
        "test": matrix.method,
        "tails": matrix.tails,
        "level": matrix.level,
        "runs": [{"run": name, "mean": mean, "label": label} for name, mean, label in runs],
        "p": p,
        "significant": matrix.significant.tolist(),
        "pairs": matrix.pair_count,
        "significant_pairs": matrix.significant_count,
        "against_the_order": matrix.upset_count,
        "tiers": compared.tiers,
        "warning": matrix.warning,
    }
    return json.dumps(told, indent=1) + "\n"


def as_text(compared):
    """Return the comparison for people: runs with their tiers, a star for each significant pair, p-values."""
    matrix, labels = compared.matrix, [str(label) for label in compared.labels]
    width = max(len(name) for name in [*compared.names, "run"])
    digits = max(map(len, labels))
    head = " ".join(label.rjust(digits) for label in labels)
    lines = [title_of(compared), "", f"{'':{digits}}  {'run':{width}}  {'mean':>6}  tier  {head}"]
    for place, name in enumerate(compared.names):
        stars = " ".join(mark(matrix, place, other).rjust(digits) for other in range(len(labels)))
        numbers = f"{matrix.means[place]:6.4f}  {compared.tier_of[place]:4}"
        lines.append(f"{labels[place]:>{digits}}  {name:{width}}  {numbers}  {stars}".rstrip())
    return "\n".join([*lines, "", count_sentence(matrix), *neighbours(compared)]) + "\n"


def title_of(compared):
    """Say what is tested, by which test, and how the runs are ordered and labelled where that is another measure."""
    matrix = compared.matrix
    tails = "" if "Tukey" in matrix.method else f", {'one' if matrix.tails == 1 else 'two'}-tailed"
    title = f"{compared.measure}, {matrix.method}{tails}, level {matrix.level:g}"
    if compared.order_by != compared.measure:
        title += f"; ordered by {compared.order_by}"
    if compared.label_by != compared.order_by:
        title += f"; labelled by rank under {compared.label_by}"
    return title


def mark(matrix, place, other):
    """Return what stands in a cell: a star where the line's run is significantly better than the column's."""
    if matrix.significant[place, other]:
        return "*"
    return "." if other > place else "-"


def count_sentence(matrix):
    """Count the pairs that differ, in either direction."""
    upsets = f", {matrix.upset_count} of them against the order shown" if matrix.upset_count else ""
    return f"{matrix.significant_count} of {matrix.pair_count} pairs differ significantly (*){upsets}."


def neighbours(compared):
    """Tell of each run and the next one how far apart they are, and what that means."""
    matrix, names = compared.matrix, compared.names
    for place in range(min(len(names) - 1, NEIGHBOURS)):
        difference = matrix.means[place] - matrix.means[place + 1]
        p = f"p = {p_text(matrix.p_of(place, place + 1), matrix.resolution)}".replace("= <", "<")
        verdict = "significant" if matrix.tells_apart(place, place + 1) else "not significant"
        yield f"{names[place]} - {names[place + 1]}: {difference:+.4f}, {p}, {verdict}"
