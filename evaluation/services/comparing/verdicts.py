"""Whether compared runs can be told apart: a sentence for two, one for each pair of more."""

from dataclasses import dataclass, replace

from limelight.analysis.statistics.paired_tests import compared_by
from limelight.analysis.statistics.sentences import UNADJUSTED, pair_sentence
from limelight.wording import counted, spelled

APART, ALIKE = "They differ.", "they cannot be told apart."
SHOWN_PAIRS = 5
"""So many pairs are told before the others are folded away."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is said of a pair: before the marked words, these, and the rest; `codes` name the better run first."""

    codes: tuple
    before: str
    marked: str
    after: str
    differs: bool


@dataclass(frozen=True, slots=True)
class Verdicts:
    """What is said of all pairs of the compared runs; `summary` is there for more than two."""

    pairs: list
    summary: str = ""
    about: str = ""

    @property
    def first(self):
        """The pairs that are told at once."""
        return self.pairs[:SHOWN_PAIRS]

    @property
    def further(self):
        """The pairs that are folded away."""
        return self.pairs[SHOWN_PAIRS:]


def verdicts(chosen, test):
    """Compare every pair of the chosen runs by a test; those with the reference come first, and large differences."""
    labels = {run.code: run.label for run in chosen.runs}
    pairs = compared_by(test, chosen.codes, chosen.values)
    reference = chosen.reference.code
    pairs.sort(key=lambda pair: (reference not in (pair.better, pair.other), -pair.difference.mean))
    told = [_verdict(pair, labels) for pair in pairs]
    if len(told) == 1:
        return Verdicts(told)
    apart = sum(verdict.differs for verdict in told)
    method = f"{pairs[0].test}, 5 %, Holm over {counted(len(pairs), 'pair')}"
    words = spelled(apart, "pair")
    summary = f"{words[0].upper()}{words[1:]} of {len(pairs)} {'differs' if apart == 1 else 'differ'} ({method})."
    return Verdicts(told, summary, UNADJUSTED)


def _verdict(pair, labels):
    named = replace(pair, better=labels[pair.better], other=labels[pair.other])
    sentence, codes = pair_sentence(named), (pair.better, pair.other)
    if pair.differs():
        return Verdict(codes, "", APART if pair.pair_count == 1 else "", sentence, differs=True)
    before, marked, after = sentence.partition(ALIKE)
    return Verdict(codes, before, marked, after, differs=False)
