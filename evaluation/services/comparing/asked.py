"""What somebody asks of a compare page by its address: which runs, held against which, by which test, and a topic."""

from dataclasses import dataclass
from urllib.parse import urlencode

from limelight.analysis.statistics.paired import MOST_COMPARED
from limelight.analysis.statistics.paired_tests import PAIRED_TESTS, T_TEST
from limelight.wording import one_line, shortened

FEWEST_COMPARED = 2
LONGEST_TOLD = 40
MOST_CODES = 400
"""Codes that are looked at: as many as a board has runs that could be ticked."""


@dataclass(frozen=True, slots=True)
class AskedRuns:
    """What an address asks for; nothing asked is "". `problems` say what could not be done.

    `reference` is the run that the others are held against, `other` the one of them that is looked at closely.
    """

    codes: tuple = ()
    reference: str = ""
    other: str = ""
    test: str = T_TEST
    topic: str = ""
    problems: tuple = ()

    @property
    def are_enough(self):
        """Return whether as many runs are named as can be compared side by side."""
        return FEWEST_COMPARED <= len(self.codes) <= MOST_COMPARED

    def address(self, **changes):
        """Return the query of an address that asks for the same, with some words changed."""
        said = {"runs": ",".join(self.codes), "reference": self.reference, "with": self.other, "topic": self.topic}
        said |= {"test": self.test if self.test != T_TEST else ""} | changes
        return "?" + urlencode({name: value for name, value in said.items() if value}, safe=",")


def asked_runs(parameters):
    """Read what an address asks for: `runs=k7,x2`, or a `runs` for each tick; what is unknown is told and left out."""
    named = [code.strip() for code in ",".join(parameters.getlist("runs")).split(",") if code.strip()][:MOST_CODES]
    codes, problems = tuple(dict.fromkeys(named)), []
    twice = [code for code in codes if named.count(code) > 1]
    if twice:
        problems.append(f"{quoted(twice)} was named more than once, and is compared once.")
    test = parameters.get("test", "").strip() or T_TEST
    if test not in PAIRED_TESTS:
        problems.append(f"There is no test {quoted([test])} here; the paired t is shown.")
        test = T_TEST
    return AskedRuns(
        codes=codes,
        reference=parameters.get("reference", "").strip(),
        other=parameters.get("with", "").strip(),
        test=test,
        topic=parameters.get("topic", "").strip(),
        problems=tuple(problems),
    )


def quoted(words, most=3):
    """Write some words that somebody sent, as a sentence can hold them.

    >>> quoted(["k7", "x2", "m4", "p9", "q1"])
    '“k7”, “x2”, “m4” and 2 more'
    """
    told = ", ".join(f"“{shortened(one_line(word), LONGEST_TOLD)}”" for word in words[:most])
    return f"{told} and {len(words) - most} more" if len(words) > most else told
