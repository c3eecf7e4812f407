"""A run's page for everyone who may see its score; its team's own page stays at its number."""

from django.http import Http404
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from campaign.services.permissions.seeing import board_view, may_see_run, may_see_topics
from campaign.shared_pages import share
from campaign.views.finding import task_or_404
from campaign.views.sending import attachment
from evaluation.models import Edition
from evaluation.services.curves import AskedCurves, curves_of
from evaluation.services.provenance import provenance_of
from evaluation.services.public_runs import run_page, standing_run, was_visible_when_it_left
from evaluation.services.run_addresses import run_address
from evaluation.services.run_tables import FORMATS, scores_file
from evaluation.services.sharing import absolute
from evaluation.services.topic_scores import all_scores
from evaluation.views.finding import edition_or_404
from limelight.analysis.statistics.sentences import MEAN_INTERVAL
from limelight.spreadsheets import as_csv


@require_safe
def public_run(request, campaign, track, task, code, number=None):
    """Show a run on the live board, or on an older one by its number; one that left has a tombstone."""
    task = task_or_404(request.user, campaign, track, task)
    share(request, task.track)
    view = board_view(request.user, task)
    run = standing_run(task, code)
    if run is None:
        raise Http404
    edition = edition_or_404(task, view, number)
    page = None
    if edition is not None and view.shows(run):
        sees_topics = may_see_topics(request.user, task.track)
        titles = dict(task.track.topics.values_list("number", "title")) if sees_topics else {}
        page = run_page(run, edition, view, titles)
    if page is None:
        return _tombstone(request, task, view, run)
    context = {
        "task": task,
        "run": run,
        "page": page,
        "line": page.line,
        "edition": edition,
        "here": request.build_absolute_uri(request.path),
        "is_live": edition.state == Edition.State.LIVE,
        "edition_address": task.get_absolute_url() if number is None else edition.get_absolute_url(),
        "links_topics": sees_topics,
        "links_lists": view.shows_results_of(run),
        "figure": curves_of(edition, view, AskedCurves.by(request.GET, otherwise=(run.code,))),
        "mean_interval": MEAN_INTERVAL,
        "file_formats": FORMATS,
        "has_own_page": may_see_run(request.user, run),
        "has_file": view.shows_file_of(run),
        "provenance": provenance_of(page.evaluation),
        "knows_judgements": view.knows_judgements,
    }
    return render(request, "evaluation/public_run.html", context)


@require_safe
def public_scores(request, campaign, track, task, code, number=None):
    """Hand out every measure of a run, topic by topic, as CSV: on the live board, or in an edition by its number."""
    task, evaluation, name = _evaluation_or_404(request, campaign, track, task, code, number)
    edition, made = evaluation.edition, provenance_of(evaluation)
    rows = [["run", "edition", "assessments", "profile", "engine", "measure", "mean", *edition.topic_numbers]]
    told = [name, made.edition, made.assessments_version, made.profile, made.engine]
    rows += [[*told, measure, mean, *values] for measure, mean, values in all_scores(evaluation)]
    return attachment(as_csv(rows), f"{name}-{task.slug}-scores.csv")


@require_safe
def public_scores_as(request, campaign, track, task, code, file_format, number=None):
    """Hand out the same in other formats."""
    if file_format not in FORMATS:
        raise Http404
    task, evaluation, name = _evaluation_or_404(request, campaign, track, task, code, number)
    address = absolute(run_address(task, code, evaluation.edition))
    content = scores_file(evaluation, name, file_format, address, timezone.now().date())
    return attachment(content, f"{name}-{task.slug}-scores.{file_format}")


def _evaluation_or_404(request, campaign, track, task, code, number):
    """Return a task, how its run of a code was scored in an edition, and what a person may call the run."""
    task = task_or_404(request.user, campaign, track, task)
    share(request, task.track)
    view = board_view(request.user, task)
    run = standing_run(task, code)
    edition = edition_or_404(task, view, number)
    if run is None or edition is None or not view.shows(run):
        raise Http404
    evaluation = edition.evaluations.on_board().filter(run=run).first()
    if evaluation is None:
        raise Http404
    evaluation.edition, evaluation.run = edition, run
    return task, evaluation, run.name if view.names_run(run) else run.code


def _tombstone(request, task, view, run):
    """Say that a run was here, without reason or score, where everybody could see it; else there is nothing."""
    if not was_visible_when_it_left(run):
        raise Http404
    name = run.name if view.names_run(run) else run.code
    return render(request, "evaluation/public_run_left.html", {"task": task, "name": name}, status=410)
