"""Who takes part in the large demo, and with which runs."""

import random
import unicodedata
from collections import Counter
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from evaluation.demo.large.systems import FAMILIES, System
from evaluation.demo.large.words import WORDS
from limelight.kinds import BEST_IN_CONTEXT, FOCUSED, RELEVANT_IN_CONTEXT, THOROUGH

OTHERS = {RELEVANT_IN_CONTEXT: 8, BEST_IN_CONTEXT: 10, THOROUGH: 12}
"""A task beside the main one has one run for so many of its."""

FEWEST_RUNS, MOST_RUNS = 3, 1_000
USUAL_MOST = 15
COPIES_EVERY, WITHDRAWN_EVERY, PARTIAL_EVERY = 40, 30, 75
UNMARKED = 0.15
LENGTHS = (60, 100, 100, 150, 150, 200, 200, 250, 300, 400)
CUTS = {
    FOCUSED: ("par", "par", "sec", "mix", "win", "sent", "art"),
    RELEVANT_IN_CONTEXT: ("par", "par", "sec", "win", "sent"),
    BEST_IN_CONTEXT: ("par", "sec", "win", "sent"),
    THOROUGH: ("all",),
}
CUT_WORDS = {
    "par": "Paragraphs",
    "sec": "Outermost sections",
    "mix": "Sections and paragraphs, whichever suits an article",
    "win": "Passages of about 700 characters",
    "sent": "Pairs of sentences",
    "art": "Whole articles",
    "all": "Elements of every size",
}
FIELD_SETS = (
    ("title",),
    ("title",),
    ("title", "description"),
    ("title", "castitle"),
    ("title", "description", "narrative"),
)
ELEMENTS_IN = (FOCUSED, THOROUGH, RELEVANT_IN_CONTEXT)


class Entrant(NamedTuple):
    """A team as it is made."""

    slug: str
    name: str
    affiliation: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A run as it is handed in, and what becomes of it."""

    team: str
    task: str
    name: str
    system: System
    description: str
    query: str
    topic_fields: tuple[str, ...]
    returns_elements: bool = False
    is_official: bool = False
    is_withdrawn: bool = False
    is_rejected: bool = False
    is_partial: bool = False
    """Whether it answers the first half of the topics alone."""
    written_as: str = ""
    """The run id in the file, where somebody hands in the same file under another name."""


def team_count(run_count):
    """Return how many teams have so many runs on a board.

    >>> team_count(3), team_count(10), team_count(72), team_count(300)
    (3, 6, 17, 35)
    """
    return max(3, min(len(WORDS["teams"]["names"]), round(2 * run_count**0.5)))


def slug_of(name):
    """Return a name as it stands in addresses.

    >>> slug_of("Île Vierge")
    'ile-vierge'
    """
    return unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower().replace(" ", "-")


def entrants_from(seed, run_count):
    """Return the teams."""
    generator = random.Random(f"teams {seed}")
    return [
        Entrant(
            slug_of(name),
            name,
            generator.choice(WORDS["teams"]["affiliations"]).format(place=generator.choice(WORDS["places"])),
        )
        for name in WORDS["teams"]["names"][: team_count(run_count)]
    ]


def entries_from(seed, run_count):
    """Return every run of every task in the order of coming in; as many as asked for stay on the main board."""
    generator = random.Random(f"runs {seed}")
    teams = [entrant.slug for entrant in entrants_from(seed, run_count)]
    talent = {team: generator.betavariate(3, 2) for team in teams}
    entries = _of_task(generator, FOCUSED, teams, run_count, talent)
    for task, share in OTHERS.items():
        some = generator.sample(teams, max(3, len(teams) * 2 // 3))
        entries += _of_task(generator, task, sorted(some), max(FEWEST_RUNS, run_count // share), talent)
    return sorted(entries, key=lambda entry: generator.random())


def _of_task(generator, task, teams, run_count, talent):
    counts, entries = _shared_out(generator, len(teams), run_count), []
    for team, count in zip(teams, counts, strict=True):
        entries += [_entry(generator, task, team, number, talent[team]) for number in range(1, count + 1)]
    if task == FOCUSED or len(entries) > COPIES_EVERY // 2:
        entries = _with_copies(generator, entries)
    if task == FOCUSED and run_count > FEWEST_RUNS:
        entries = _with_partial_runs(generator, entries)
    entries = _marked(generator, entries, every_team=task != FOCUSED)
    return entries + (_gone(generator, entries) if task == FOCUSED else [])


def _shared_out(generator, teams, run_count):
    """Share runs out among teams: one for each at first, and as many as fifteen for some."""
    most = max(USUAL_MOST, -(-3 * run_count // (2 * teams)))
    counts = [1 if number < run_count else 0 for number in range(teams)]
    weights = [generator.lognormvariate(0, 1.2) for _ in range(teams)]
    while sum(counts) < run_count:
        lucky = generator.choices(range(teams), weights)[0]
        counts[lucky] += counts[lucky] < most
    return counts


def _entry(generator, task, team, number, talent):
    cut = generator.choice(CUTS[task])
    family = generator.randrange(FAMILIES)
    model = WORDS["systems"]["models"][family]
    returns_elements = task in ELEMENTS_IN and cut not in ("win", "sent") and generator.random() < 0.4
    system = System(
        key=generator.getrandbits(48),
        family=family,
        skill=max(0.1, 2.6 * talent + generator.gauss(0.1, 0.4)) if generator.random() > 0.04 else 0.0,
        cut=cut,
        length=_length(generator, returns_elements),
        trims=0.0 if returns_elements else generator.choice((0.0, 0.0, 0.2, 0.5)),
    )
    topic_fields = generator.choice(FIELD_SETS)
    ranked = "in no order" if not system.skill else f"ranked by {model}"
    return Entry(
        team=team,
        task=task,
        name=f"{model}-{cut}-{number}",
        system=system,
        description=f"{CUT_WORDS[cut]} {ranked}, at most {system.length:,} a topic, from {' and '.join(topic_fields)}.",
        query="manual" if generator.random() < 0.1 else "automatic",
        topic_fields=topic_fields,
        returns_elements=returns_elements,
    )


def _length(generator, returns_elements):
    if not returns_elements and generator.random() < 0.04:
        return 1_500
    return generator.choice(LENGTHS[:6] if returns_elements else LENGTHS)


def _with_copies(generator, entries):
    """Let some runs return what another one does: a team's own, sent in once more, or that of another team."""
    if len(entries) < 2:
        return entries
    places = generator.sample(range(len(entries)), min(2 * max(1, len(entries) // COPIES_EVERY), len(entries) // 2 * 2))
    pairs = list(zip(places[::2], places[1::2], strict=True))
    for original, copy in pairs + _twice_in_a_team(entries, places):
        first, second = entries[original], entries[copy]
        is_own = first.team == second.team
        entries[copy] = replace(
            second,
            name=f"{first.name}-again" if is_own else f"reference-{copy + 1}",
            system=first.system,
            returns_elements=first.returns_elements,
            description=f"The same as another run. {first.description}",
            written_as=first.name if is_own else "",
        )
    return entries


def _twice_in_a_team(entries, taken):
    """Return two runs of one team that are free, if any team has them: they become the same file, byte for byte."""
    free = [place for place in range(len(entries)) if place not in taken and not entries[place].returns_elements]
    pairs = [pair for pair in pairwise(free) if entries[pair[0]].team == entries[pair[1]].team]
    return pairs[:1] if len(entries) > FEWEST_RUNS else []


def _with_partial_runs(generator, entries):
    """Let some good runs answer only half of the topics: when these are read again, such runs move more than others."""
    keys = Counter(entry.system.key for entry in entries)
    free = [place for place, entry in enumerate(entries) if keys[entry.system.key] == 1]
    for place in generator.sample(free, min(len(free), max(1, len(entries) // PARTIAL_EVERY))):
        system = replace(entries[place].system, cut="par", skill=5.0, length=200, trims=0.0)
        entries[place] = replace(
            entries[place],
            name=f"trained-{place + 1}",
            system=system,
            returns_elements=False,
            description="Paragraphs, ranked by what was learnt from the first half of the topics. Answers these alone.",
            is_partial=True,
        )
    return entries


def _marked(generator, entries, every_team):
    """Mark the official run of most teams: the one they had reason to think best."""
    by_team = {}
    for place, entry in enumerate(entries):
        if entry.team not in by_team or entry.system.skill > entries[by_team[entry.team]].system.skill:
            by_team[entry.team] = place
    for place in by_team.values():
        if every_team or generator.random() >= UNMARKED:
            entries[place] = replace(entries[place], is_official=True)
    return entries


def _gone(generator, entries):
    """Return runs besides those of the board: some that are withdrawn, and one that is rejected."""
    counts = Counter(entry.team for entry in entries)
    gone = []
    for number in range(max(1, len(entries) // WITHDRAWN_EVERY)):
        team = generator.choice(sorted(counts))
        gone.append(replace(_entry(generator, FOCUSED, team, 90 + number, 0.3), is_withdrawn=True))
    rejected = _entry(generator, FOCUSED, sorted(counts)[0], 99, 0.5)
    system = replace(rejected.system, cut="all", length=100)
    described = "Elements of every size: some lie in one another, which a Focused run may not."
    return [
        *gone,
        replace(
            rejected,
            name="all-elements",
            system=system,
            description=described,
            is_rejected=True,
            returns_elements=False,
        ),
    ]
