"""Where a run stands, in words: which state, since when, what happens next, and whose turn it is."""

from collections import defaultdict
from dataclasses import dataclass, field, replace
from datetime import datetime
from statistics import median

from django.db.models import Count, Exists, OuterRef, Q
from django.utils import timezone

from campaign.models import Run, Topic
from campaign.services.permissions.seeing import may_see_own_scores
from evaluation.models import Edition, Evaluation, Score
from evaluation.services.columns import measures_of
from limelight.moments import distance
from limelight.wording import counted

LATEST = 20
"""So many scored runs tell how long it usually takes."""
STEPS = ("received", "check", "valid", "scoring", "scored")
STATE_WORDS = ("received", "checking", "rejected", "valid", "evaluating", "scored", "failed", "withdrawn")


@dataclass(frozen=True, slots=True)
class Progress:
    """A run's state as its page and every list show it."""

    word: str
    sentence: str
    since: datetime
    step: int
    is_final: bool
    tone: str = "waiting"
    scores: list = field(default_factory=list)
    edition: Edition | None = None
    evaluation: Evaluation | None = None
    ahead: int | None = None
    usual_seconds: float | None = None

    @property
    def steps(self):
        """Return the steps of the line, each with what it looks like now."""
        for number, name in enumerate(STEPS, start=1):
            if number < self.step or (number == self.step and self.tone == "good"):
                yield name, "done"
            elif number == self.step:
                yield name, "failed" if self.tone == "bad" else "now"
            else:
                yield name, "ahead"


def progress_of(run, scores_visible=True):
    """Tell where one run stands."""
    evaluation = Evaluation.objects.filter(run=run, edition__state=Edition.State.LIVE).select_related("edition").first()
    means = {}
    if evaluation is not None and scores_visible:
        means = dict(evaluation.scores.values_list("measure", "mean"))
    found = _progress(run, evaluation, means, _surroundings([run], [evaluation] if evaluation else []))
    return found if found.is_final else replace(found, **_queue(run, evaluation))


def _queue(run, evaluation):
    """Return how many jobs stand before a run's, and how long its next step usually takes."""
    row = run if run.state in Run.IN_FLIGHT else evaluation
    if row is None or row.state != row.WAITING:
        return {}
    rows = type(row).objects.unfinished()
    done = Evaluation.objects.filter(state=Evaluation.State.DONE, attempts=1).order_by("-state_since")
    waits = [
        (state_since - created_at).total_seconds()
        for created_at, state_since in done.values_list("created_at", "state_since")[:LATEST]
    ]
    return {
        "ahead": rows.filter(state_since__lt=row.state_since).count(),
        "usual_seconds": median(waits) if waits else None,
    }


def with_progress(runs, user=None):
    """Pair each run of a list with where it stands, and with its scores where a person may see them."""
    runs = list(runs)
    live = Evaluation.objects.filter(run__in=runs, edition__state=Edition.State.LIVE).select_related("edition__task")
    by_run = {evaluation.run_id: evaluation for evaluation in live}
    tasks = {run.task_id: run.task for run in runs} if user else {}
    visible = {key for key, task in tasks.items() if may_see_own_scores(user, task)}
    means = defaultdict(dict)
    shown = [evaluation for evaluation in by_run.values() if evaluation.edition.task_id in visible]
    for key, measure, mean in Score.objects.filter(evaluation__in=shown).values_list(
        "evaluation_id", "measure", "mean"
    ):
        means[key][measure] = mean
    around = _surroundings(runs, by_run.values())
    return [
        (run, _progress(run, evaluation, means[evaluation.pk] if evaluation else {}, around))
        for run in runs
        for evaluation in [by_run.get(run.pk)]
    ]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the sentences about valid runs need to know besides: asked for once, however long the list."""

    topics: dict
    """How many topics each track has."""
    scoring: dict
    """The edition that will score a task's runs, one that is not paused before others."""


def _surroundings(runs, evaluations):
    """Look around some runs, those of them that have an evaluation on a live board known."""
    valid = [run for run in runs if run.state == Run.State.VALID and not run.withdrawn_at]
    entered = {evaluation.run_id for evaluation in evaluations}
    tracks = {run.task.track_id for run in valid}
    waiting = {run.task_id for run in valid if run.pk not in entered}
    scoring = Edition.objects.scoring().filter(task__in=waiting).order_by("-is_paused", "-pk")
    counts = Topic.objects.filter(track__in=tracks).values_list("track").annotate(Count("pk")).order_by()
    return Surroundings(dict(counts), {edition.task_id: edition for edition in scoring})


def in_state(runs, word):
    """Return those runs of a query whose state `progress_of` tells with one of STATE_WORDS."""
    if word == "withdrawn":
        return runs.exclude(withdrawn_at=None)

    def live(*states):
        on_live_board = {"run": OuterRef("pk"), "edition__state": Edition.State.LIVE}
        return Exists(Evaluation.objects.filter(state__in=states, **on_live_board))

    done, running, failed = Evaluation.State.DONE, Evaluation.State.RUNNING, Evaluation.State.FAILED
    is_valid = Q(state=Run.State.VALID)
    condition = {
        "valid": is_valid & ~live(done, running, failed),
        "evaluating": is_valid & live(running),
        "scored": is_valid & live(done),
        "failed": Q(state=Run.State.FAILED) | (is_valid & live(failed)),
    }.get(word, Q(state=word))
    return runs.standing().filter(condition)


def _progress(run, evaluation, means, around):
    if run.withdrawn_at:
        return Progress(
            "withdrawn", "The team took this run back. It is on no board.", run.withdrawn_at, 0, True, tone="quiet"
        )
    before_scoring = _while_checking(run)
    if before_scoring:
        return before_scoring
    if evaluation is None:
        edition = around.scoring.get(run.task_id)
        if edition is None:
            next_step = "Scores follow when assessments are activated."
        elif edition.is_paused:
            next_step = "The organisers have paused the scoring; it goes on when they resume it."
        else:
            next_step = "Scoring begins in a moment."
        sentence = f"{_valid_sentence(run, around)} {next_step}"
        return Progress("valid", sentence, run.state_since, 3, edition is None, "good")
    return _while_scoring(run, evaluation, means, around)


def _while_checking(run):
    state, since = run.state, run.state_since
    if state == Run.State.RECEIVED and run.will_be_retried:
        sentence = f"Checking failed on our side. Nothing is lost; we try again {_when(run)}."
        return Progress("received", sentence, since, 1, False)
    if state == Run.State.RECEIVED:
        return Progress("received", "The file is stored. The check begins in a moment.", since, 1, False)
    if state == Run.State.CHECKING:
        return Progress("checking", "Every line is being read. This takes a few seconds.", since, 2, False)
    if state == Run.State.FAILED:
        return Progress("failed", _our_fault("Checking", run), since, 2, True, tone="bad")
    if state == Run.State.REJECTED and run.rejection_reason:
        sentence = (
            f"The organisers rejected this run: {run.rejection_reason} "
            "It is on no board and uses up none of your quota."
        )
        return Progress("rejected", sentence, since, 2, True, tone="bad")
    if state == Run.State.REJECTED:
        sentence = (
            f"{counted(run.error_count, 'problem')} to mend before this run can be scored, listed below. "
            "A rejected run uses up none of your quota: correct the file and submit it again."
        )
        return Progress("rejected", sentence, since, 2, True, tone="bad")
    return None


def _while_scoring(run, evaluation, means, around):
    since, edition = evaluation.state_since, evaluation.edition
    if evaluation.state == Evaluation.State.FAILED:
        return Progress("failed", _our_fault("Scoring", evaluation), since, 4, True, tone="bad", edition=edition)
    if evaluation.state == Evaluation.State.DONE:
        found = {"scores": _scores(edition, means), "edition": edition, "evaluation": evaluation}
        return Progress("scored", _valid_sentence(run, around), since, 5, True, tone="good", **found)
    if evaluation.will_be_retried:
        sentence = f"Scoring failed on our side. Nothing is lost; we try again {_when(evaluation)}."
        return Progress("valid", sentence, since, 4, False, edition=edition)
    word = "evaluating" if evaluation.state == Evaluation.State.RUNNING else "valid"
    sentence = f"{_valid_sentence(run, around)} The scores are on their way."
    return Progress(word, sentence, since, 4, False, edition=edition)


def _valid_sentence(run, around):
    topics = around.topics.get(run.task.track_id, 0)
    of_all = f"{run.answered_topics} of {counted(topics, 'topic')}" if topics else counted(run.answered_topics, "topic")
    return f"Your run is valid: {counted(run.result_count, 'result')} for {of_all}."


def _when(row):
    now = timezone.now()
    return distance(row.held_until, now) if row.held_until and row.held_until > now else "in a moment"


def _our_fault(what, row):
    return (
        f"{what} failed on our side (ref. {row.failure_reference}). Nothing is lost and your quota is untouched. "
        "The organisers see it on their desk and can start it again."
    )


def _scores(edition, means):
    return [(measure, means[measure.name]) for measure in measures_of(edition) if measure.name in means]
