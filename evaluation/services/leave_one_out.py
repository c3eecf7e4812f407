"""Leave one team out: how a board's ranking would be had the assessors not read what only that team found."""

from dataclasses import dataclass

from assessments.models import AssessmentSet
from assessments.services.loading import load_judgements
from assessments.services.pools import pool_columns, poolable_runs
from campaign.models import Run, Team
from campaign.services.documents.collections import document_lengths
from campaign.services.refusals import Refused
from evaluation.models import Score
from evaluation.services.material import is_of_documents, placed_run
from limelight.analysis.leave_one_out import score_without, shift, teams_left_out


@dataclass(frozen=True, slots=True)
class LeftOut:
    """One team left out: what only it found, where its best run stood and would stand, and who moves farthest."""

    team: Team
    pooled: int
    judged: int
    relevant: int
    topics: int
    best: Run | None
    rank: int | None
    rank_without: int | None
    score: float | None
    score_without: float | None
    tau: float | None
    mover: Run | None
    mover_rank: int | None
    mover_rank_without: int | None

    @property
    def places(self):
        """Return how many places the team's best run would lose; below 0 it would gain."""
        return None if self.rank is None else self.rank_without - self.rank


def check_edition(edition):
    """Refuse a board whose assessments have no documents to take out."""
    if edition.assessment_set.content == AssessmentSet.Content.ELEMENTS:
        raise Refused("Assessments that grade elements cannot be left out team by team.")


def leave_one_out(edition, depth):
    """Score a board's runs without each team's own finds, one run in memory at a time; plain numbers.

    The pool is made of all valid runs of the track, as the assessments are the track's and not the task's.
    """
    check_edition(edition)
    track, assessment_set = edition.task.track, edition.assessment_set
    pooled = pool_columns(track, poolable_runs(track), depth)
    judgements = load_judgements(assessment_set.columns_file, assessment_set.content)
    missing = teams_left_out(judgements, pooled)
    scores = list(_official_scores(edition))
    before = [score.mean for score in scores]
    after = [[] for _ in missing]
    for score in scores:
        run = score.evaluation.run
        columns = placed_run(run, edition)
        scoring = {
            "kind": edition.task.kind,
            "profile": edition.profile,
            "parameters": edition.parameters,
            "measures": [score.measure],
            "document_lengths": _lengths(columns, judgements, edition.collection),
        }
        for left_out, means in zip(missing, after, strict=True):
            means.append(score_without(left_out, score.topic_values, edition.topic_numbers, columns, **scoring))
    runs = [score.evaluation.run for score in scores]
    return [_counts(left_out, runs, before, means) for left_out, means in zip(missing, after, strict=True)]


def left_out_lines(counts):
    """Lay out what was computed for a page: the teams whose left_out changes the ranking most first."""
    teams = Team.objects.in_bulk([row["team"] for row in counts])
    named = [row[name] for row in counts for name in ("best", "mover") if row[name] is not None]
    runs = Run.objects.select_related("team").in_bulk(named)
    lines = [
        LeftOut(**row | {"team": teams[row["team"]], "best": runs.get(row["best"]), "mover": runs.get(row["mover"])})
        for row in counts
        if row["team"] in teams
    ]
    return sorted(lines, key=lambda line: (1.0 if line.tau is None else line.tau, -line.relevant, line.team.name))


def _official_scores(edition):
    on_board = edition.evaluations.on_board()
    rows = Score.objects.filter(evaluation__in=on_board, measure=edition.official_measure)
    rows = rows.select_related("evaluation__run")
    return rows.order_by("evaluation__run__code")


def _lengths(columns, judgements, collection):
    """Return how long the documents of a run are: leaving judgements out must not make a document shorter."""
    if not is_of_documents(columns):
        return None
    known = document_lengths(collection, columns.documents) or {}
    if hasattr(judgements, "document_length"):
        told = zip(judgements.document.tolist(), judgements.document_length.tolist(), strict=True)
        for number, length in told:
            name = judgements.documents[number]
            known[name] = max(known.get(name) or 0, length)
    return known


def _counts(left_out, runs, before, after):
    moved = shift(before, after)
    own = [place for place, run in enumerate(runs) if run.team_id == left_out.team]
    best = min(own, key=lambda place: moved.before[place]) if own else None
    mover = moved.farthest if runs and moved.before[moved.farthest] != moved.after[moved.farthest] else None
    return {
        "team": left_out.team,
        "pooled": left_out.pooled,
        "judged": left_out.judged,
        "relevant": left_out.relevant,
        "topics": len(left_out.touched),
        "best": None if best is None else runs[best].pk,
        "rank": None if best is None else moved.before[best],
        "rank_without": None if best is None else moved.after[best],
        "score": None if best is None else before[best],
        "score_without": None if best is None else after[best],
        "tau": moved.tau,
        "mover": None if mover is None else runs[mover].pk,
        "mover_rank": None if mover is None else moved.before[mover],
        "mover_rank_without": None if mover is None else moved.after[mover],
    }
