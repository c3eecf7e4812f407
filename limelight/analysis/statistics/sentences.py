"""What statistics say, in the words that pages and the command line share."""

from limelight.analysis.ranking import TIE
from limelight.analysis.statistics.paired import PAIRED_T, ComparedPair, PairedDifference
from limelight.analysis.statistics.stability import SplitHalves
from limelight.analysis.statistics.topic_numbers import MATTERS, found_difference, topics_needed
from limelight.wording import counted, spelled

MEAN_INTERVAL = "On other topics like these the mean would lie here 95 times in 100; do not compare two runs by it."
UNADJUSTED = "Intervals are not adjusted for the number of pairs."
VARIANCE_OF_THIS = "From this campaign's variance; another collection has another."
GENERALISABILITY = "Share of the differences between runs that is not due to the choice of topics."


def lead_sentence(leaders: int) -> str:
    """Say how many runs cannot be told from the first.

    >>> lead_sentence(1), lead_sentence(5), lead_sentence(14)
    ('One run leads alone.', 'Five runs share the lead.', '14 runs share the lead.')
    """
    words = spelled(leaders, "run")
    return f"{words[0].upper()}{words[1:]} {'leads alone' if leaders == 1 else 'share the lead'}."


def critical_sentence(critical: float, run_count: int, level: float) -> str:
    """Say without whiskers from which difference on runs differ.

    >>> critical_sentence(0.1334, 10, 0.05)
    'Runs more than 0.133 apart differ (5 %, tested among 10 runs); below, they cannot be told from chance here.'
    """
    tested = f"{100 * level:g} %, tested among {counted(run_count, 'run')}"
    return f"Runs more than {critical:.3f} apart differ ({tested}); below, they cannot be told from chance here."


def pair_sentence(pair: ComparedPair, level: float = 0.05) -> str:
    """Say of two runs how far apart they are, and whether the topics can tell them apart."""
    difference = pair.difference
    topics = counted(difference.topic_count, "topic")
    if difference.is_steady:
        same = abs(difference.mean) <= TIE
        return f"{_amount(pair)} on each of {topics}{'.' if same else ': all topics differ by the same amount.'}"
    if difference.topic_count < 2:
        return f"{_amount(pair)} on {topics}: one topic cannot tell them apart."
    low, high = difference.interval(level)
    interval = f"{100 * (1 - level):g} % interval {low:+.4f} to {high:+.4f}"
    if pair.test != PAIRED_T:
        interval += f" by {PAIRED_T}"
    return f"{_amount(pair)} ({interval}, {topics}, {pair.test}, {_p(pair)}){_verdict(pair, level)} {_topics_won(pair)}"


def how_often(p: float) -> str:
    """Write a small p-value as so many of a hundred, or of a thousand.

    >>> how_often(0.0312), how_often(0.0042), how_often(0.00001)
    ('3 of 100', '4 of 1,000', 'fewer than 1 of 1,000')
    """
    if p >= 0.0095:
        return f"{100 * p:.0f} of 100"
    return f"{1000 * p:.0f} of 1,000" if p >= 0.00095 else "fewer than 1 of 1,000"


def share_text(share: float) -> str:
    """Write a share of draws in whole per cent.

    >>> share_text(0.386), share_text(0.0), share_text(1.0)
    ('39 %', '< 1 %', '> 99 %')
    """
    if share < 0.01:
        return "< 1 %"
    return "> 99 %" if share > 0.99 else f"{100 * share:.0f} %"


def few_runs_sentence(runs: int) -> str:
    """Say why there is no coefficient over few runs.

    >>> few_runs_sentence(7), few_runs_sentence(1)
    ('With 7 runs a coefficient means little.', 'With 1 run a coefficient means little.')
    """
    return f"With {counted(runs, 'run')} a coefficient means little."


def redrawn_sentence(first: float, top3: float, run: str = "this run") -> str:
    """Say how often a run comes first when topics are drawn again, and what that is not."""
    return (
        f"If the topics were drawn again from topics like these, {run} would come first in "
        f"{share_text(first)} of the draws, among the first three in {share_text(top3)}. Copies and close variants "
        "share this number; it is not the probability that the run is the best."
    )


def topics_sentence(variance: float, topic_count: int, difference: float = MATTERS) -> str:
    """Say what so many topics can find, and how many the difference that matters takes."""
    return (
        f"With {counted(topic_count, 'topic')} like these, a difference of "
        f"{float(found_difference(variance, topic_count)):.2f} between two runs is found four times out of five. For "
        f"{difference:g} plan {counted(topics_needed(variance, difference), 'topic')}. {VARIANCE_OF_THIS}"
    )


def halves_heading(found: SplitHalves) -> str:
    """Say how two halves of the topics agree; nothing is said about all of them."""
    tau = found.tau
    agreement = f"{tau.mean:.2f} ({tau.low:.2f} to {tau.high:.2f})"
    return f"two halves of {counted(found.half, 'topic')} agree with each other: {agreement}"


def _amount(pair: ComparedPair) -> str:
    if abs(pair.difference.mean) <= TIE:
        return f"{pair.better} and {pair.other} score the same"
    return f"{pair.better} scores {pair.difference.mean:.4f} more than {pair.other}"


def _verdict(pair: ComparedPair, level: float) -> str:
    if pair.p >= level:
        return ": they cannot be told apart."
    if pair.pair_count > 1:
        return ": they differ."
    chance = "If they were equally good on topics like these, a difference this large would come up in"
    return f". {chance} {how_often(pair.p)} such campaigns."


def _p(pair: ComparedPair) -> str:
    written = "p < 0.001" if pair.p < 0.001 else f"p = {pair.p:.3f}"
    return written if pair.pair_count == 1 else f"{written} by Holm over {pair.pair_count} pairs"


def _topics_won(pair: ComparedPair) -> str:
    difference: PairedDifference = pair.difference
    return f"{pair.better} is better on {counted(difference.better, 'topic')}, {pair.other} on {difference.worse}."
