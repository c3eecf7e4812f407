"""compare: which runs the topics can tell apart."""

import json
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence

import numpy as np

from limelight.analysis.statistics.paired import ComparedPair
from limelight.analysis.statistics.pairwise import SignificanceMatrix, p_text
from limelight.analysis.statistics.sentences import UNADJUSTED, critical_sentence, lead_sentence, pair_sentence
from limelight.analysis.statistics.telling_apart import LEAST_TOPICS
from limelight.commandline import other_topics, parts
from limelight.commandline.choosing import scores_from, tell, warnings_of
from limelight.commandline.exits import DONE
from limelight.commandline.other_topics import OtherTopics
from limelight.commandline.parts import PairParts
from limelight.face.comparing import Comparison, Wanted, compared, default_test, enough_runs, options_of
from limelight.wording import counted

NEIGHBOURS = 20
"""So many pairs of neighbours are told with their differences and p-values."""


def run(chosen: Namespace) -> int:
    """Print the significance matrix, the ranges of ranks and the pairs of two or more runs."""
    wanted = Wanted.of(chosen.task, chosen.measure, chosen.order_by, chosen.label_by)
    test = chosen.test or default_test(len(chosen.runs))
    options = options_of(
        test,
        variant=chosen.variant,
        tails=chosen.tails,
        level=chosen.level,
        resamples=chosen.resamples,
        seed=chosen.seed,
    )
    enough_runs(chosen.runs)
    if chosen.parts:
        parts.can_be_told(chosen.task, chosen.runs)
    scored = scores_from(chosen, wanted.measures)
    names = [scores.run_id or scores.file for scores in scored]
    comparison = compared(names, scored, wanted, test, options, holm=chosen.holm)
    tell([*warnings_of(scored), *([comparison.warning] if comparison.warning else [])])
    pairs = parts.parts_of_pairs(comparison, scored) if chosen.parts else []
    others = other_topics.other_topics(comparison, scored) if chosen.other_topics else None
    sys.stdout.write((as_json if chosen.format == "json" else as_text)(comparison, pairs, others))
    return DONE


def as_json(comparison: Comparison, pairs: Sequence[PairParts] = (), others: OtherTopics | None = None) -> str:
    """Return the comparison as JSON; a pair has its p-value in the row of the run with the higher mean, else null."""
    matrix = comparison.matrix
    p = [[None if np.isnan(value) else value for value in row] for row in matrix.p.tolist()]
    runs = [
        {"run": name, "mean": mean, "label": label}
        for name, mean, label in zip(comparison.names, matrix.means.tolist(), comparison.labels, strict=True)
    ]
    for run, (first, last), leads in zip(runs, comparison.ranges, comparison.leads, strict=False):
        run |= {"ranks": [first, last], "leads": leads}
    paired = [pair_as_json(pair, matrix.level) for pair in comparison.paired]
    for told_of_pair, pair in zip(paired, pairs, strict=False):
        told_of_pair["parts"] = parts.as_json(pair, matrix.level)
    told = {
        "measure": comparison.measure,
        "order_by": comparison.order_by,
        "label_by": comparison.label_by,
        "test": matrix.method,
        "tails": matrix.tails,
        "level": matrix.level,
        "topics": comparison.topic_count,
        "runs": runs,
        "p": p,
        "significant": matrix.significant.tolist(),
        "pairs": matrix.pair_count,
        "significant_pairs": matrix.significant_count,
        "against_the_order": matrix.upset_count,
        "tiers": comparison.tiers,
        "critical_difference": _finite(matrix.critical_difference),
        "leading": comparison.leading,
        "not_told": comparison.not_told,
        "paired": paired,
        "warning": matrix.warning,
    }
    if others is not None:
        told["other_topics"] = other_topics.as_json(others)
    return json.dumps(told, indent=1) + "\n"


def pair_as_json(pair: ComparedPair, level: float) -> dict[str, object]:
    """Return what is known of two runs by themselves; of all numbers only `p_holm` knows of the other pairs."""
    difference = pair.difference
    low, high = difference.interval(level)
    return {
        "better": pair.better,
        "other": pair.other,
        "difference": difference.mean,
        "low": _finite(low),
        "high": _finite(high),
        "p": difference.p,
        "p_holm": pair.p,
        "topics": difference.topic_count,
        "topics_better": difference.better,
        "topics_worse": difference.worse,
        "sentence": pair_sentence(pair, level),
    }


def as_text(comparison: Comparison, pairs: Sequence[PairParts] = (), others: OtherTopics | None = None) -> str:
    """Return the comparison for people: runs with their ranks, a star for each significant pair, sentences."""
    matrix, labels = comparison.matrix, [str(label) for label in comparison.labels]
    width = max(len(name) for name in [*comparison.names, "run"])
    digits = max(map(len, labels))
    head = " ".join(label.rjust(digits) for label in labels)
    ranks = [range_text(*ends) for ends in comparison.ranges] or ["-"] * len(comparison.names)
    space = max(len(told) for told in [*ranks, "ranks"])
    lines = [title_of(comparison), "", f"{'':{digits}}  {'run':{width}}  {'mean':>6}  {'ranks':{space}}  {head}"]
    for place, name in enumerate(comparison.names):
        stars = " ".join(mark(matrix, place, other).rjust(digits) for other in range(len(labels)))
        numbers = f"{matrix.means[place]:6.4f}  {ranks[place]:{space}}"
        lines.append(f"{labels[place]:>{digits}}  {name:{width}}  {numbers}  {stars}".rstrip())
    lines += ["", count_sentence(matrix), *neighbours(comparison), "", *family_sentences(comparison)]
    written = "\n".join([*lines, *pair_sentences(comparison)]) + "\n"
    written += "".join(parts.as_text(pairs, matrix.level) if pairs else ())
    return written + "".join(other_topics.as_text(others) if others else ())


def range_text(first: int, last: int) -> str:
    """Write the ranks that a run may truly have.

    >>> range_text(1, 5), range_text(2, 2)
    ('1-5', '2')
    """
    return str(first) if first == last else f"{first}-{last}"


def title_of(comparison: Comparison) -> str:
    """Say what is tested, by which test, and how the runs are ordered and labelled where that is another measure."""
    matrix = comparison.matrix
    tails = "" if "Tukey" in matrix.method else f", {'one' if matrix.tails == 1 else 'two'}-tailed"
    title = f"{comparison.measure}, {matrix.method}{tails}, level {matrix.level:g}"
    if comparison.order_by != comparison.measure:
        title += f"; ordered by {comparison.order_by}"
    if comparison.label_by != comparison.order_by:
        title += f"; labelled by rank under {comparison.label_by}"
    return title


def mark(matrix: SignificanceMatrix, place: int, other: int) -> str:
    """Return what stands in a cell: a star where the line's run is significantly better than the column's."""
    if matrix.significant[place, other]:
        return "*"
    return "." if other > place else "-"


def count_sentence(matrix: SignificanceMatrix) -> str:
    """Count the pairs that differ, in either direction."""
    upsets = f", {matrix.upset_count} of them against the order shown" if matrix.upset_count else ""
    return f"{matrix.significant_count} of {matrix.pair_count} pairs differ significantly (*){upsets}."


def neighbours(comparison: Comparison) -> Iterator[str]:
    """Tell of each run and the next one how far apart they are, and what that means."""
    matrix, names = comparison.matrix, comparison.names
    for place in range(min(len(names) - 1, NEIGHBOURS)):
        difference = matrix.means[place] - matrix.means[place + 1]
        p = f"p = {p_text(matrix.p_of(place, place + 1), matrix.resolution)}".replace("= <", "<")
        verdict = "significant" if matrix.tells_apart(place, place + 1) else "not significant"
        yield f"{names[place]} - {names[place + 1]}: {difference:+.4f}, {p}, {verdict}"


def family_sentences(comparison: Comparison) -> Iterator[str]:
    """Say what the topics tell of all runs at once, or why they tell nothing."""
    matrix = comparison.matrix
    if comparison.not_told:
        told = comparison.not_told
        yield f"No ranks' ranges: {told} ({counted(comparison.topic_count, 'topic')}, ranges take {LEAST_TOPICS})."
        return
    if matrix.critical_difference is not None and np.isfinite(matrix.critical_difference):
        yield critical_sentence(matrix.critical_difference, len(comparison.names), matrix.level)
    yield lead_sentence(len(comparison.leading))


def pair_sentences(comparison: Comparison) -> Iterator[str]:
    """Say of each pair of up to six runs what two runs by themselves tell, and what intervals leave out."""
    if comparison.paired:
        yield ""
        yield from (pair_sentence(pair, comparison.matrix.level) for pair in comparison.paired)
    if len(comparison.paired) > 1:
        yield UNADJUSTED


def _finite(value: float | None) -> float | None:
    return value if value is not None and np.isfinite(value) else None
