"""How the runs of a person's teams stand on live boards: place, range, and what moved since the edition before."""

from collections import defaultdict
from dataclasses import dataclass

from django.db.models import F

from campaign.models import Task
from evaluation.models import Analysis, Edition, Evaluation, Score
from evaluation.services.analyses import TUKEY, fits
from evaluation.services.board_moves import meet
from limelight.analysis.ranking import ranks as ranks_of
from limelight.analysis.statistics.telling_apart import ranges_of, why_not_told

MOST_BOARDS, MOST_RUNS = 6, 3
COMPUTING, TOLD_ON_BOARD = "the places it may hold are being computed", "whether they differ is told on the board"


@dataclass(frozen=True, slots=True)
class OwnRun:
    """A run of one's own: its score, its place and the places it may truly have, and those it had where they part."""

    name: str
    code: str
    team: str
    score: float
    place: int | None = None
    range: tuple | None = None
    moved_from: tuple | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """The best runs of one's own on a board; without ranks, which need all scores, `run_count` is None.

    `why_no_ranges` says why places have none; `before` is the edition that moves are told of, where they can be.
    """

    task: Task
    edition: Edition
    runs: list
    more: int
    run_count: int | None
    why_no_ranges: str
    before: Edition | None

    @property
    def has_moved(self):
        """Return whether a run of one's own has moved further than chance would move it."""
        return any(run.moved_from for run in self.runs)


def standings_of(teams, tasks, moment=None):
    """Return how the runs of one's teams, given by keys, stand on the live boards of tasks, the newest board first.

    Ranks are told where everybody sees all scores, and scores where teams see their own: four queries for any number.
    """
    boards = _boards(teams, {task.pk: task for task in tasks if _shows_own(task, moment)}) if teams else []
    ranked = [edition for edition in boards if edition.task.reveals(edition.task.other_scores_visible, moment)]
    before = _before(ranked)
    analyses = _analyses([*ranked, *before.values()])
    scores = _scores(boards)
    return [
        _standing(edition, scores[edition.pk], teams, edition in ranked, before.get(edition.pk), analyses)
        for edition in boards
    ]


def _shows_own(task, moment):
    return any(task.reveals(switch, moment) for switch in (task.own_scores_visible, task.other_scores_visible))


def _boards(teams, tasks):
    """Return the live editions of some tasks on which some teams have runs, the newest first."""
    own = Evaluation.objects.on_board().filter(run__team__in=teams)
    editions = Edition.objects.live().filter(task__in=tasks, pk__in=own.values("edition")).order_by("-live_at", "-pk")
    boards = list(editions[:MOST_BOARDS])
    for edition in boards:
        edition.task = tasks[edition.task_id]
    return boards


def _before(editions):
    """Return the editions that were the boards before some, by the keys of these; ranked by the same measure."""
    live = {edition.task_id: edition for edition in editions}
    found = {}
    older = Edition.objects.readable().filter(task__in=live).order_by("task", "number")
    older = older.only("number", "task_id", "official_measure")
    for one in older if editions else ():
        now = live[one.task_id]
        if one.number < now.number:
            found[now.pk] = one
    return {key: one for key, one in found.items() if one.official_measure == live[one.task_id].official_measure}


def _analyses(editions):
    """Return what is known of all runs of some boards by their official measures, by edition."""
    rows = Analysis.objects.filter(edition__in=editions, family=Analysis.Family.ALL, test=TUKEY)
    rows = rows.filter(measure=F("edition__official_measure"), draws__isnull=False)
    rows = rows.only("edition_id", "codes", "means", "draws") if editions else ()
    return {row.edition_id: row for row in rows if len(row.draws)}


def _scores(boards):
    """Return the official scores on some boards by edition, in the order of the runs' codes."""
    rows = Score.objects.filter(
        evaluation__in=Evaluation.objects.on_board().filter(edition__in=boards),
        measure=F("evaluation__edition__official_measure"),
    )
    run = "evaluation__run__"
    fields = ("evaluation__edition", f"{run}code", "mean", f"{run}name", f"{run}team", f"{run}team__name")
    by_edition = defaultdict(list)
    for edition, *score in rows.order_by(f"{run}code").values_list(*fields) if boards else ():
        by_edition[edition].append(score)
    return by_edition


def _standing(edition, scores, teams, is_ranked, before, analyses):
    """Lay out one board."""
    own = [score for score in scores if score[3] in teams]
    own.sort(key=lambda score: (-score[1], score[0]))
    now, then, why_not = {}, {}, ""
    if is_ranked:
        means = {code: mean for code, mean, *_ in scores}
        codes = [score[0] for score in own[:MOST_RUNS]]
        now, why_not = _ranges(edition, means, codes, analyses.get(edition.pk))
        then = _ranges_then(codes, before and analyses.get(before.pk))
    places = dict(zip((score[0] for score in scores), ranks_of([score[1] for score in scores]), strict=True))
    runs = [
        OwnRun(name, code, team, mean, places[code] if is_ranked else None, now.get(code), _parted(code, now, then))
        for code, mean, name, _, team in own[:MOST_RUNS]
    ]
    return Standing(
        task=edition.task,
        edition=edition,
        runs=runs,
        more=len(own) - len(runs),
        run_count=len(scores) if is_ranked else None,
        why_no_ranges=why_not,
        before=before if now and then else None,
    )


def _ranges(edition, means, codes, row):
    """Return the places that some runs may have by their codes; or why that is not told."""
    if why_not := why_not_told(len(means), len(edition.topic_numbers)):
        return {}, why_not
    if row is None or not fits(row, means):
        return {}, TOLD_ON_BOARD if len(means) == 2 else COMPUTING
    return dict(zip(codes, ranges_of([row.codes.index(code) for code in codes], row.draws, row.means), strict=True)), ""


def _ranges_then(codes, row):
    known = [code for code in codes if row and code in row.codes]
    ranges = ranges_of([row.codes.index(code) for code in known], row.draws, row.means) if known else []
    return dict(zip(known, ranges, strict=True))


def _parted(code, now, then):
    """Return the places of a run on the board before, where it has none of them now."""
    parted = code in now and code in then and not meet(now[code], then[code])
    return then[code] if parted else None
