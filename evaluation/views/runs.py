"""A participant's runs: watch, read the report and the scores, change, take back."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import FileResponse, Http404, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import reswap, retarget

from campaign.machinery.places import EXPORTS
from campaign.machinery.storage import open_stored
from campaign.models import Run, Task, Team
from campaign.presence import presence_of
from campaign.services.acting import By
from campaign.services.permissions.changing import may_be_official, may_rename, may_replace
from campaign.services.permissions.roles import organises
from campaign.services.permissions.seeing import (
    board_view,
    may_see_campaign,
    may_see_own_scores,
    may_see_run,
    may_see_topics,
)
from campaign.services.runs.check_results import full_report
from campaign.services.runs.exports import example_formats, example_run, export_formats, exported_run
from campaign.services.runs.renaming import make_official, make_unofficial, rename_run
from campaign.services.runs.submissions import withdraw_run
from campaign.views.buttons import pressed
from campaign.views.finding import changeable_run_or_404, run_or_404, task_or_404
from campaign.views.sending import attachment
from evaluation.services.progress import progress_of, with_progress
from evaluation.services.provenance import told_in_files
from evaluation.services.topic_scores import all_scores, topic_table, zero_note
from limelight.spreadsheets import as_csv

RUNS_A_PAGE = 50


@login_required
@require_safe
def run_list(request):
    """List the runs of the person's teams, all or those of one team or task."""
    teams = Team.objects.of(request.user)
    all_runs = Run.objects.of_teams_of(request.user)
    team = next((found for found in teams if found.slug == request.GET.get("team")), None)
    tasks = Task.objects.filter(pk__in=all_runs.values("task")).select_related("track__campaign")
    wanted = request.GET.get("task", "")
    task = next((found for found in tasks if str(found.pk) == wanted), None)
    runs = all_runs.for_lists()
    if team:
        runs = runs.filter(team=team)
    if task:
        runs = runs.filter(task=task)
    page = Paginator(runs, RUNS_A_PAGE).get_page(request.GET.get("page"))
    return render(
        request,
        "campaign/run_list.html",
        {
            "runs": with_progress(page, request.user),
            "page": page,
            "teams": teams,
            "tasks": tasks,
            "team": team,
            "task": task,
        },
    )


def _state_context(request, run):
    view = board_view(request.user, run.task)
    progress = progress_of(run, scores_visible=view.own_scores)
    table, note = None, ""
    if progress.scores:
        note = zero_note(progress.evaluation, request.user)
        table = topic_table(progress.evaluation, view, request.GET.get("measure", ""))
    return {
        "run": run,
        "organises": organises(request.user, run.task.track.campaign),
        "progress": progress,
        "topic_table": table,
        "zero_note": note,
        "export_formats": export_formats(run),
        "may_rename": may_rename(run),
        "may_be_official": may_be_official(run),
        "may_replace": may_replace(request.user, run),
    }


@require_safe
def run(request, pk):
    """Show one run to its team and organisers; others go on to its public page, where they may know whose it is."""
    found = Run.objects.for_lists().filter(pk=pk).first()
    if found is not None and not may_see_run(request.user, found) and _is_public(request.user, found):
        return redirect("public-run", *found.task.address, found.code)
    return own_run(request, pk)


def _is_public(user, run):
    """Return whether somebody may know that a run of this number is the one with that code."""
    view = board_view(user, run.task)
    return may_see_campaign(user, run.task.track.campaign) and view.names and view.shows(run)


@login_required
def own_run(request, pk):
    """Show one run: its state, its report, its scores."""
    run = run_or_404(request.user, pk)
    return render(request, "campaign/run_detail.html", _state_context(request, run))


@login_required
@require_safe
def state(request, pk):
    """Show the part of a run's page that changes while it is worked on; at the end, all of it anew."""
    context = _state_context(request, run_or_404(request.user, pk))
    if not context["progress"].is_final:
        return render(request, "campaign/_run_state.html", context)
    response = render(request, "campaign/_run.html", context)
    return reswap(retarget(response, "#run"), "outerHTML")


@login_required
@require_safe
def scores(request, pk, file_format):
    """Send all scores of a run, topic by topic, as CSV or JSON."""
    run = run_or_404(request.user, pk)
    progress = progress_of(run, scores_visible=may_see_own_scores(request.user, run.task))
    if not progress.scores or file_format not in ("csv", "json"):
        raise Http404
    evaluation = progress.evaluation
    topics, origin, measures = evaluation.edition.topic_numbers, told_in_files(evaluation), all_scores(evaluation)
    name = f"{run.name}-edition-{evaluation.edition.number}.{file_format}"
    if file_format == "json":
        told = origin | {
            "topics": topics,
            "measures": {measure: {"mean": mean, "topics": values} for measure, mean, values in measures},
        }
        response = JsonResponse(told, json_dumps_params={"indent": 1})
        response["Content-Disposition"] = f'attachment; filename="{name}"'
        return response
    origin["parameters"] = " ".join(f"{parameter}={value}" for parameter, value in origin["parameters"].items())
    origin["official"] = "yes" if origin["official"] else "no"
    head = [*origin, "topic", *(measure for measure, _, _ in measures)]
    columns = [[mean, *values] for _, mean, values in measures]
    rows = [[*origin.values(), topic, *row] for topic, *row in zip(["all", *topics], *columns, strict=True)]
    return attachment(as_csv([head, *rows]), name)


def _change(request, pk, change, told):
    """Change a run and say so, or say why not."""
    run = changeable_run_or_404(request.user, pk)
    pressed(request, change, run, told=lambda _: told.format(run=run))
    return redirect(run)


@login_required
@require_POST
def rename(request, pk):
    """Give a run another name."""
    name = request.POST.get("name", "").strip()
    return _change(
        request, pk, lambda run: rename_run(run, by=By(request.user), name=name), "The run is now named {run.name}."
    )


@login_required
@require_POST
def official(request, pk):
    """Make a run its team's official one, or take that mark away."""
    if request.POST.get("official") == "no":
        return _change(request, pk, make_unofficial, "{run.name} is no longer the official run of {run.team.name}.")
    return _change(request, pk, make_official, "{run.name} is now the official run of {run.team.name}.")


@login_required
@require_POST
def withdraw(request, pk):
    """Take a run back for good."""
    return _change(request, pk, withdraw_run, "Run {run.name} is withdrawn. It no longer appears on the board.")


@login_required
@require_safe
def uploaded_file(request, pk):
    """Send back the file as it was submitted."""
    run = run_or_404(request.user, pk)
    return FileResponse(open_stored(run.stored_file), as_attachment=True, filename=run.file_name)


@login_required
@require_safe
def export(request, pk, file_format):
    """Send a valid run in another format."""
    run = run_or_404(request.user, pk)
    if file_format not in export_formats(run):
        raise Http404
    with EXPORTS.one(presence_of(request)):
        content = exported_run(run, file_format)
    return attachment(content, f"{run.name}.{file_format}")


@require_safe
def example(request, campaign, track, task, file_format):
    """Send a small example run that the task would take, to those who may read its topics."""
    task = task_or_404(request.user, campaign, track, task)
    if file_format not in example_formats(task) or not may_see_topics(request.user, task.track):
        raise Http404
    return attachment(example_run(task, file_format), f"example-{task.slug}.{file_format}")


@login_required
@require_safe
def report(request, pk, file_format):
    """Send the whole problem report, as plain text or JSON."""
    run = run_or_404(request.user, pk)
    problems = full_report(run)
    if file_format == "json":
        return JsonResponse(
            {"run": run.name, "state": run.state, "problems": problems}, json_dumps_params={"indent": 1}
        )
    if file_format != "txt":
        raise Http404
    lines = [f"{run.file_name}:{problem['line'] or 1}: {problem['message']}" for problem in problems]
    text = "\n".join(lines) + "\n" if lines else "No problems.\n"
    return attachment(text, f"{run.name}-report.txt")
