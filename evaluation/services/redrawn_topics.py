"""What would become of a board's runs if its topics were drawn again from topics like these."""

from dataclasses import dataclass

from evaluation.models import Analysis, Edition
from evaluation.services.analyses import fits
from evaluation.services.analysis_results import REDRAWN
from evaluation.services.comparison_parts import part_of
from limelight.analysis.statistics.redrawing import first_by_team
from limelight.analysis.statistics.sentences import redrawn_sentence, share_text
from limelight.analysis.statistics.telling_apart import why_not_told
from limelight.wording import counted

SHOWN_FIRST = 10
"""So many runs are shown at once; the others unfold."""

SELDOM = 0.01
"""Teams that come first less often are counted, not named."""

OF_ONE_COMPUTING = "How often it would come first if the topics were drawn again is being computed."


@dataclass(frozen=True, slots=True)
class RedrawnRun:
    """One run over the draws."""

    run: object
    first: float
    top3: float
    low: int
    high: int

    @property
    def first_text(self):
        """Write how often it comes first."""
        return share_text(self.first)

    @property
    def top3_text(self):
        """Write how often it is among the first three."""
        return share_text(self.top3)

    @property
    def ranks(self):
        """Return the ranks between which it lies in the middle 95 % of the draws."""
        return self.low, self.high


@dataclass(frozen=True, slots=True)
class RedrawnBoard:
    """All runs over the draws, by rank, and their teams by how often one of them comes first."""

    lines: list
    teams: list

    @property
    def sentence(self):
        """Say it of the run that is first now."""
        first = self.lines[0]
        return redrawn_sentence(first.first, first.top3, first.run.name)

    @property
    def shown(self):
        """Return the runs that are shown at once."""
        return self.lines[:SHOWN_FIRST]

    @property
    def folded(self):
        """Return the runs that unfold."""
        return self.lines[SHOWN_FIRST:]

    @property
    def by_team(self):
        """Say how often a run of each team comes first."""
        often = [f"{team} {share_text(share)}" for team, share in self.teams if share >= SELDOM]
        seldom = counted(len(self.teams) - len(often), "further team") if often else counted(len(self.teams), "team")
        rest = [] if len(often) == len(self.teams) else [f"{seldom} {share_text(0)}"]
        return f"One of a team’s runs comes first: {', '.join([*often, *rest])}."

    def file_rows(self):
        """Return all runs as rows of a file."""
        yield "rank", "run", "team", "first", "among the first three", "lowest rank", "highest rank"
        for line in self.lines:
            yield line.run.rank, line.run.name, line.run.team, line.first, line.top3, line.low, line.high


def redrawn_topics(compared, rows):
    """Return the part of a comparisons page about redrawn topic sets."""
    return part_of(compared, REDRAWN, rows, lambda row: _told(compared, row.result))


def redrawn_run(edition, means, code):
    """Say how often one run would come first, given the official means of all by code; "" where nothing is told."""
    if why_not_told(len(means), len(edition.topic_numbers)) or edition.state == Edition.State.BUILDING:
        return ""
    rows = edition.analyses.filter(family=Analysis.Family.ALL, measure=edition.official_measure, test=REDRAWN)
    row = rows.defer("draws", "p_values").first()
    if row is not None and row.state == Analysis.State.FAILED:
        return ""
    if row is None or not fits(row, means):
        return OF_ONE_COMPUTING
    place = row.codes.index(code)
    return redrawn_sentence(row.result["first"][place], row.result["top3"][place])


def _told(compared, result):
    columns = [result[name] for name in ("first", "top3", "low", "high")]
    lines = [
        RedrawnRun(run, *(column[place] for column in columns))
        for run, place in zip(compared.runs, compared.places, strict=True)
    ]
    by_team = first_by_team([line.first for line in lines], [line.run.team for line in lines])
    teams = sorted(by_team.items(), key=lambda pair: (-pair[1], pair[0]))
    return RedrawnBoard(lines, teams)
