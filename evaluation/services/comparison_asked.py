"""What somebody asks of a comparisons page by its address: test, measure, level, correction, and a second measure."""

from dataclasses import dataclass

from evaluation.models import Analysis
from evaluation.services.analyses import TUKEY
from evaluation.services.columns import all_measures_of, measures_of
from limelight.analysis.statistics.corrections import CORRECTIONS, NONE
from limelight.wording import shortened

TESTS = {
    TUKEY: "Tukey HSD",
    "tukey-complete-null": "Tukey HSD, complete null",
    "t-test": "paired t-test",
    "randomisation": "paired randomisation",
    "bootstrap": "bootstrap",
}
"""The tests that all pairs can be tested with, by the word in the address."""

TESTS_ALL_AT_ONCE = (TUKEY, "tukey-complete-null")
"""Those that test all pairs at once and need no correction for their number."""

LEVELS = {"0.10": 0.10, "0.05": 0.05, "0.01": 0.01}
LONGEST_TOLD = 60


@dataclass(frozen=True, slots=True)
class AskedComparison:
    """What an address asks for; `problems` say what could not be done. Without a family it is that of the board."""

    measure: str
    against: str
    test: str = TUKEY
    level: str = "0.05"
    correction: str = NONE
    family: str = ""
    problems: tuple = ()

    @property
    def share(self):
        """Return the level as a number."""
        return LEVELS[self.level]

    @property
    def is_all_at_once(self):
        """Return whether the test needs no correction for the number of pairs."""
        return self.test in TESTS_ALL_AT_ONCE


def asked_comparison(parameters, edition):
    """Read what an address asks of an edition's comparisons; what is unknown is told and left out."""
    known = [measure.name for measure in all_measures_of(edition)]
    columns = [measure.name for measure in measures_of(edition)]
    problems = []

    def one_of(name, choices, default, what):
        value = parameters.get(name, "").strip()
        if value in choices:
            return value
        if value:
            told = shortened(value, LONGEST_TOLD)
            problems.append(f"There is no {what} “{told}” here; {default} is shown.")
        return default

    measure = one_of("measure", known, edition.official_measure, "measure")
    test = one_of("test", TESTS, TUKEY, "test")
    correction = one_of("correction", CORRECTIONS, NONE, "correction")
    if test in TESTS_ALL_AT_ONCE and correction != NONE:
        problems.append(f"{TESTS[test]} tests all pairs at once: no further correction is needed.")
        correction = NONE
    family = parameters.get("family", "").strip()
    second = next((name for name in [*columns, *known] if name != measure), measure)
    return AskedComparison(
        measure=measure,
        against=one_of("against", [name for name in known if name != measure], second, "other measure"),
        test=test,
        level=one_of("level", LEVELS, "0.05", "level"),
        correction=correction,
        family=family,
        problems=tuple(problems),
    )


def family_asked(asked, compared):
    """Return the family that was asked for, or that of the board; and a sentence where there is none of that name."""
    if not asked.family or asked.family in compared.families:
        return asked.family or compared.board_family, ""
    told, default = shortened(asked.family, LONGEST_TOLD), Analysis.Family(compared.board_family)
    problem = f"There is no family of runs “{told}” on this board; pairs are tested among {default.label}."
    return default.value, problem
