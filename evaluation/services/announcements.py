"""What teams and organisers are told when runs are scored, scored anew, or could not be scored."""

from collections import defaultdict

from django.urls import reverse

from campaign.models import Membership, Notification
from campaign.services.permissions.seeing import board_view, may_see_own_scores
from campaign.services.telling.notifications import (
    failed_on_our_side,
    members_of,
    notify,
    organisers_of,
    when_scores_are_shown,
)
from evaluation.models import Edition, Evaluation, Score
from limelight.analysis.ranking import ranks
from limelight.wording import counted

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


def built(track, editions):
    """Tell the organisers that new boards are built and wait for their look; once a set of editions."""
    newest = max(edition.pk for edition in editions)
    names = ", ".join(sorted(edition.task.name for edition in editions))
    text = (
        f"New boards of {track.name} ({track.campaign.name}) are built and wait for your look: {names}. "
        "The boards that everybody sees stay as they are until you let the new ones go live."
    )
    address = reverse("desk-boards", args=[track.campaign.slug])
    notify(organisers_of(track.campaign), Kind.BUILT, f"track {track.pk}, built to edition {newest}", text, address)


def _tell_scored(edition, evaluations):
    """Tell each member once, however many runs, and only what the board lets that person see."""
    task, official = edition.task, edition.official_measure
    means, runs_of = _means(evaluations, official), defaultdict(list)
    for evaluation in sorted(evaluations, key=lambda evaluation: evaluation.run.name):
        for member in members_of(evaluation.run):
            runs_of[member].append(evaluation.run)
    for user, runs in runs_of.items():
        said = [f"{official} {_four(means.get(run.pk))}" for run in runs] if may_see_own_scores(user, task) else []
        if len(runs) == 1:
            [run] = runs
            notify([user], Kind.SCORED, f"run {run.pk}", _one_scored(task, run, said), run.get_absolute_url())
        else:
            about = f"task {task.pk}, edition {edition.number}, {len(runs)} runs from {runs[0].pk}"
            notify([user], Kind.SCORED, about, _many_scored(task, runs, said), task.get_absolute_url())


def _one_scored(task, run, said):
    if said:
        return f"Your run {run.name} is scored: {said[0]} ({task.name})."
    return f"Your run {run.name} is scored ({task.name}). {when_scores_are_shown(task)}"


def _many_scored(task, runs, said):
    told = f"{counted(len(runs), 'run')} of yours are scored ({task.name})."
    if not said:
        return f"{told} {when_scores_are_shown(task)}"
    return f"{told} {_listed([f'{run.name}: {words}' for run, words in zip(runs, said, strict=True)])}"


def _listed(parts):
    further = len(parts) - MOST_RUNS_NAMED
    return "; ".join(parts[:MOST_RUNS_NAMED]) + (f"; and {further} more." if further > 0 else ".")


def _tell_scored_anew(edition, replaced):
    """Tell each member once, however many teams and runs, and only what the board lets that person see."""
    task, official = edition.task, edition.official_measure
    runs_of_team, runs_of = defaultdict(list), defaultdict(list)
    was_scored = {"evaluations__edition": replaced, "evaluations__state": Evaluation.State.DONE}
    for run in task.runs.valid().filter(**was_scored).order_by("name", "pk"):
        runs_of_team[run.team_id].append(run)
    for membership in Membership.objects.filter(team__in=runs_of_team).select_related("user"):
        runs_of[membership.user] += runs_of_team[membership.team_id]
    by_rank = _changes(_ranks(replaced), _ranks(edition), "rank")
    by_score = _changes(_scores(replaced, official), _scores(edition, official), official)
    newly_ranked = f" and is now ranked by {official}" if official != replaced.official_measure else ""
    failures = _failures(edition)
    for user, runs in runs_of.items():
        view = board_view(user, task)
        if view.own_scores:
            changes = by_rank if view.ranks else by_score
            said = _listed([f"{run.name}: {failures.get(run.pk) or changes[run.pk]}" for run in runs])
        else:
            said = when_scores_are_shown(task)
        text = f"{task.name} was scored anew with assessments v{edition.assessment_set.version}{newly_ranked}. {said}"
        notify([user], Kind.REEVALUATED, f"task {task.pk}, edition {edition.number}", text, task.get_absolute_url())


def _changes(before, after, what):
    """Say of each run, in a few words, how it stands and how it stood."""
    changes = defaultdict(lambda: "not scored yet")
    for run, now in after.items():
        old = before.get(run, "–")
        changes[run] = f"{what} {now}, as before" if old == now else f"{what} {old} → {now}"
    return changes


def _ranks(edition):
    means = _means(edition.evaluations.on_board(), edition.official_measure)
    runs = list(edition.evaluations.on_board().values_list("run", flat=True))
    return dict(zip(runs, ranks([means.get(run) for run in runs]), strict=True))


def _scores(edition, measure):
    return {run: _four(mean) for run, mean in _means(edition.evaluations.on_board(), measure).items()}


def _failures(edition):
    failed_ones = edition.evaluations.filter(state=Evaluation.State.FAILED)
    references = failed_ones.values_list("run", "failure_reference")
    return {run: f"scoring failed on our side (ref. {reference})" for run, reference in references}


def _means(evaluations, measure):
    scores = Score.objects.filter(evaluation__in=evaluations, measure=measure)
    return dict(scores.values_list("evaluation__run", "mean"))


def _four(mean):
    return "–" if mean is None else f"{mean:.4f}"
