"""What somebody asks of a board by its address: columns, order, which runs, and a run to hold the others against."""

from dataclasses import dataclass

from campaign.models import Run
from evaluation.services.columns import all_measures_of, measures_of
from limelight.wording import shortened

ALL, OFFICIAL, BEST = "all", "official", "best"
SHOWN = {ALL: "all runs", OFFICIAL: "official runs", BEST: "best per team"}
"""Which runs of each team are shown, by the word in the address."""

RUN, TEAM = "run", "team"
BY_NAME = (RUN, TEAM)
"""What rows can be sorted by besides measures."""

MOST_COLUMNS = 40
LONGEST_WORDS = 100
LONGEST_TOLD = 60
"""Characters of an unknown word that a sentence repeats."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What an address asks for; nothing asked is the board as it opens. `problems` say what could not be done."""

    sort: str = ""
    is_turned: bool = False
    columns: tuple = ()
    columns_are_chosen: bool = False
    show: str = ""
    result_type: str = ""
    query: str = ""
    topic_field: str = ""
    team: str = ""
    only_mine: bool = False
    words: str = ""
    against: str = ""
    problems: tuple = ()

    @property
    def has_filter(self):
        """Return whether some runs are left out by something else than the choice of runs of each team."""
        return bool(self.result_type or self.query or self.topic_field or self.team or self.only_mine or self.words)


def asked_of(parameters, edition):
    """Read what an address asks of an edition's board; what is unknown is told and left out."""
    known = {measure.name for measure in all_measures_of(edition)}
    problems = []

    def one_of(name, choices, what):
        value = parameters.get(name, "").strip()
        if value and value not in choices:
            problems.append(f"There is no {what} “{_told(value)}” here; choose {_listed(choices)}.")
            return ""
        return value

    sort, is_turned = _sort(parameters.get("sort", "").strip(), known, problems)
    return Asked(
        sort=sort,
        is_turned=is_turned,
        columns=_columns(parameters, known, edition, problems),
        columns_are_chosen=bool(parameters.get("columns")),
        show=one_of("show", SHOWN, "choice of runs"),
        query=one_of("query", Run.Query.values, "kind of query"),
        result_type=parameters.get("type", "").strip()[:LONGEST_TOLD],
        topic_field=parameters.get("field", "").strip()[:LONGEST_TOLD],
        team=parameters.get("team", "").strip()[:LONGEST_WORDS],
        only_mine=parameters.get("mine", "") == "yes",
        words=parameters.get("q", "").replace("\x00", "").strip()[:LONGEST_WORDS],
        against=parameters.get("against", "").strip()[:LONGEST_TOLD],
        problems=tuple(problems),
    )


def _sort(wanted, known, problems):
    """Return what to sort by, and whether the other way round, which a minus in front asks for."""
    name, is_turned = (wanted[1:], True) if wanted.startswith("-") else (wanted, False)
    if name and name not in known and name not in BY_NAME:
        problems.append(f"This board cannot be sorted by “{_told(name)}”; it has no such measure.")
        return "", False
    return name, is_turned


def _columns(parameters, known, edition, problems):
    """Return the names of the measures that are columns: the official one always, then those that were asked for."""
    wanted = [name.strip() for text in parameters.getlist("columns") for name in text.split(",") if name.strip()]
    if not wanted:
        return tuple(measure.name for measure in measures_of(edition))
    unknown = [name for name in wanted if name not in known]
    if unknown:
        problems.append(f"There is no measure “{_told(unknown[0])}” here; the columns to choose from are below.")
    wanted = [name for name in wanted if name in known]
    return tuple(dict.fromkeys([edition.official_measure, *wanted]))[:MOST_COLUMNS]


def _told(text):
    return shortened(text, LONGEST_TOLD)


def _listed(choices):
    *most, last = choices
    return f"{', '.join(most)} or {last}" if most else last
