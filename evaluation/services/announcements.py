"""What teams and organisers are told when runs are scored, scored anew, or could not be scored."""

from collections import defaultdict

from campaign.models import Membership, Notification
from campaign.services.notifications import failed_on_our_side, members_of, notify, when_scores_are_shown
from campaign.services.permissions import board_view
from evaluation.evaluators import EVALUATORS
from evaluation.models import Edition, Evaluation, Score
from evaluation.ranking import ranks

Kind = Notification.Kind
MOST_RUNS_NAMED = 20


def evaluated(evaluation):
    """Tell a team that its run is on the board; not while the edition is being built."""
    if Evaluation.objects.on_board().filter(pk=evaluation.pk, edition__state=Edition.State.LIVE).exists():
        _tell_scored(evaluation.edition, [evaluation])


def failed(evaluation):
    """Tell the organisers that scoring failed, and the team unless its run is on the live board all the same."""
    run = evaluation.run
    on_live_board = Evaluation.objects.on_board().filter(run=run, edition__state=Edition.State.LIVE).exists()
    failed_on_our_side(run, "Scoring", evaluation.failure_reference, [] if on_live_board else members_of(run))


def gone_live(edition, replaced=None):
    """Tell teams that their runs are on a board for the first time, or what became of them since the last one."""
    scored = edition.evaluations.on_board().select_related("run__team")
    scored_before = set(replaced.evaluations.on_board().values_list("run", flat=True)) if replaced else set()
    _tell_scored(edition, [evaluation for evaluation in scored if evaluation.run_id not in scored_before])
    if scored_before:
        _tell_scored_anew(edition, replaced)


def _tell_scored(edition, evaluations):
    task, official = edition.task, EVALUATORS[edition.task.kind].official
    means = _official_means(edition, evaluations)
    for evaluation in evaluations:
        run, shown, hidden = evaluation.run, [], []
        for member in members_of(run):
            (shown if board_view(member, task).own_scores else hidden).append(member)
        about, address = f"run {run.pk}", run.get_absolute_url()
        if shown:
            text = f"Your run {run.name} is scored: {official} {_four(means.get(run.pk))} ({task.name})."
            notify(shown, Kind.SCORED, about, text, address)
        if hidden:
            text = f"Your run {run.name} is scored ({task.name}). {when_scores_are_shown(task)}"
            notify(hidden, Kind.SCORED, about, text, address)


def _tell_scored_anew(edition, replaced):
    """Tell each member once, however many teams and runs, and only what the board lets that person see."""
    task = edition.task
    runs_of_team, runs_of = defaultdict(list), defaultdict(list)
    was_scored = {"evaluations__edition": replaced, "evaluations__state": Evaluation.State.DONE}
    for run in task.runs.valid().filter(**was_scored).order_by("name", "pk"):
        runs_of_team[run.team_id].append(run)
    for membership in Membership.objects.filter(team__in=runs_of_team).select_related("user"):
        runs_of[membership.user] += runs_of_team[membership.team_id]
    by_rank = _changes(_ranks(replaced), _ranks(edition), "rank")
    by_score = _changes(_scores(replaced), _scores(edition), EVALUATORS[task.kind].official)
    failures = _failures(edition)
    for user, runs in runs_of.items():
        view = board_view(user, task)
        if view.own_scores:
            changes = by_rank if view.all_scores else by_score
            named = [f"{run.name}: {failures.get(run.pk) or changes[run.pk]}" for run in runs[:MOST_RUNS_NAMED]]
            further = len(runs) - len(named)
            said = "; ".join(named) + (f"; and {further} more." if further else ".")
        else:
            said = when_scores_are_shown(task)
        text = f"{task.name} was scored anew with assessments v{edition.assessment_set.version}. {said}"
        notify([user], Kind.REEVALUATED, f"task {task.pk}, edition {edition.number}", text, task.get_absolute_url())


def _changes(before, after, what):
    """Say of each run, in a few words, how it stands and how it stood."""
    changes = defaultdict(lambda: "not scored yet")
    for run, now in after.items():
        old = before.get(run, "–")
        changes[run] = f"{what} {now}, as before" if old == now else f"{what} {old} → {now}"
    return changes


def _ranks(edition):
    means = _official_means(edition)
    runs = list(edition.evaluations.on_board().values_list("run", flat=True))
    return dict(zip(runs, ranks([means.get(run) for run in runs]), strict=True))


def _scores(edition):
    return {run: _four(mean) for run, mean in _official_means(edition).items()}


def _failures(edition):
    failed_ones = edition.evaluations.filter(state=Evaluation.State.FAILED)
    references = failed_ones.values_list("run", "failure_reference")
    return {run: f"scoring failed on our side (ref. {reference})" for run, reference in references}


def _official_means(edition, evaluations=None):
    which = edition.evaluations.on_board() if evaluations is None else evaluations
    scores = Score.objects.filter(evaluation__in=which, measure=EVALUATORS[edition.task.kind].official)
    return dict(scores.values_list("evaluation__run", "mean"))


def _four(mean):
    return "–" if mean is None else f"{mean:.4f}"
