"""The runs that a comparisons page is about: all of a board, as a person may name them, by one measure."""

from dataclasses import dataclass, replace

import numpy as np

from campaign.models import Run
from campaign.services.visibility.pseudonyms import pseudonyms_of
from evaluation.models import Analysis, Edition, Score
from evaluation.services.board_filters import all_have_official_runs
from evaluation.services.board_lines import shown_names
from evaluation.services.families import after_seeing_scores, families_of
from evaluation.services.ranges import family_shown
from limelight.analysis.ranking import ranks


@dataclass(frozen=True, slots=True)
class ComparedRun:
    """One run with its rank and mean, and its mean by another measure; `run` is there for its team and organisers."""

    code: str
    name: str
    team: str
    team_slug: str
    rank: int
    mean: float
    is_own: bool
    run: Run | None
    other_mean: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class ComparedRuns:
    """All runs of a board that have a measure, the best first, equals by code; `values` has a row a run.

    `families` has the codes of each family of runs that may be told apart here, `official_family` names the one that
    the board opens with. `has_later` says that some came when their team could see scores already, where
    names are visible.
    """

    edition: Edition
    measure: str
    runs: list
    values: np.ndarray
    families: dict
    official_family: str
    has_later: bool = False
    family: str = Analysis.Family.ALL

    @property
    def board_family(self):
        """Return which family the board shows by this measure: others than all runs by the official one alone."""
        is_official = self.measure == self.edition.official_measure
        return self.official_family if is_official else Analysis.Family.ALL.value

    @property
    def topic_count(self):
        """Count the topics."""
        return len(self.edition.topic_numbers)

    @property
    def means(self):
        """Return the means by code, in the order of the codes: what an analysis must fit."""
        return {run.code: run.mean for run in sorted(self.runs, key=lambda run: run.code)}

    @property
    def places(self):
        """Return for each run, the best first, its place in the order of the codes."""
        place_of = {code: place for place, code in enumerate(self.means)}
        return [place_of[run.code] for run in self.runs]

    def among(self, family):
        """Return only the runs of a family, with their ranks on the board."""
        kept = [place for place, run in enumerate(self.runs) if run.code in self.families[family]]
        return replace(self, runs=[self.runs[place] for place in kept], values=self.values[kept], family=family)


def compared_runs(edition, view, measure, other_measure=""):
    """Fetch the runs of a board by a measure, and by another one, for somebody who may see all scores."""
    on_board = edition.evaluations.on_board()
    run_of = {row.pk: row.run for row in on_board.select_related("run__team")}
    scores = Score.objects.filter(evaluation__in=on_board, measure__in={measure, other_measure})
    rows = list(scores.values_list("measure", "evaluation", "mean", "topic_values"))
    others = {key: mean for name, key, mean, _ in rows if name == other_measure}
    found = [row[1:] for row in rows if row[0] == measure and row[1] in run_of]
    found.sort(key=lambda row: run_of[row[0]].code)
    rank_of = dict(zip((key for key, _, _ in found), ranks([mean for _, mean, _ in found]), strict=True))
    found.sort(key=lambda row: rank_of[row[0]])
    aliases = {} if view.names else pseudonyms_of(edition.task)
    runs = [_compared(run_of[key], rank_of[key], mean, view, aliases, others.get(key)) for key, mean, _ in found]
    values = np.array([values for _, _, values in found]).reshape(len(found), len(edition.topic_numbers))
    after = after_seeing_scores(edition.task, run_of.values()) if view.names else set()
    families = _families(run_of.values(), after, view)
    marks = [(run.team_id, run.is_official) for run in run_of.values()]
    only_official = view.names and all_have_official_runs(marks)
    shown = family_shown(families, is_official=True, only_official=only_official)
    return ComparedRuns(edition, measure, runs, values, families, shown, has_later=bool(after))


def _families(runs, after, view):
    """Return the codes of each family's runs; where names are hidden, who is official or came later is so, too."""
    found = families_of(runs, after) if view.names else {Analysis.Family.ALL: runs}
    return {family.value: frozenset(run.code for run in members) for family, members in found.items()}


def _compared(run, rank, mean, view, aliases, other):
    is_own = run.team_id in view.own_teams
    name, team = shown_names(run, view, aliases)
    own = run if is_own or view.is_organiser else None
    slug = run.team.slug if view.names else ""
    return ComparedRun(run.code, name, team, slug, rank, mean, is_own, own, other)
