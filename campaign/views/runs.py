"""A participant's runs: submit, watch, read the report, take back."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import FileResponse, Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from campaign.forms import SubmitForm
from campaign.models import Run, Team
from campaign.services.checks import dry_run, full_report
from campaign.services.exports import example_forms, example_run, export_forms, exported_run
from campaign.services.limits import DRY_RUNS
from campaign.services.permissions import board_view, may_see_topics, may_submit, quota_left
from campaign.services.storage import open_stored
from campaign.services.submissions import Refused, submit_run, withdraw_run
from campaign.views.finding import run_or_404, task_or_404
from evaluation.services.progress import progress_of, with_progress


@login_required
def submit(request, campaign, track, task):
    """Take a run file for a task."""
    task = task_or_404(request.user, campaign, track, task)
    teams = Team.objects.of(request.user).admitted_to(task.track.campaign)
    sent = request.method == "POST"
    form = SubmitForm(request.POST if sent else None, request.FILES if sent else None, teams=teams)
    if sent and getattr(request, "upload_too_large", False):
        form.full_clean()
        form.errors.pop("file", None)
        form.add_error(
            "file", f"This file is larger than {settings.UPLOAD_LIMIT_MB} MB. Compress it with gzip and submit that."
        )
    elif sent and form.is_valid():
        answers = form.cleaned_data
        upload = answers.pop("file")
        if "dry-run" in request.POST:
            return _dry_run(request, task, upload)
        try:
            run = submit_run(user=request.user, task=task, upload=upload, file_name=upload.name, **answers)
        except Refused as refusal:
            form.add_error(refusal.field, refusal.reason)
        else:
            return redirect(run)
    standings = [(team, may_submit(request.user, team, task), quota_left(team, task)) for team in teams]
    return render(
        request,
        "campaign/run_submit.html",
        {
            "task": task,
            "form": form,
            "standings": standings,
            "may_submit": any(permission for _, permission, _ in standings),
            "upload_limit": settings.UPLOAD_LIMIT_MB,
            "example_forms": example_forms(task) if may_see_topics(request.user, task.track) else (),
        },
        status=422 if form.is_bound and form.errors else 200,
    )


def _dry_run(request, task, upload):
    """Show what the check says about a file, without taking it."""
    wait = DRY_RUNS.seconds_to_wait(request.user.pk)
    context = {"task": task, "file_name": upload.name, "wait": wait}
    if wait:
        response = render(request, "campaign/run_dry.html", context, status=429)
        response["Retry-After"] = wait
        return response
    context["run"] = dry_run(task, upload.file)
    return render(request, "campaign/run_dry.html", context)


@login_required
@require_safe
def run_list(request):
    """List the runs of the person's teams."""
    runs = Run.objects.of_teams_of(request.user).for_lists()
    return render(
        request,
        "campaign/run_list.html",
        {"runs": with_progress(runs), "teams": Team.objects.of(request.user)},
    )


def _state_context(request, run):
    view = board_view(request.user, run.task)
    return {
        "run": run,
        "progress": progress_of(run, scores_visible=view.own_scores),
        "export_forms": export_forms(run),
    }


@login_required
@require_safe
def run(request, pk):
    """Show one run: its state, its report, its scores."""
    found = run_or_404(request.user, pk)
    return render(request, "campaign/run_detail.html", _state_context(request, found))


@login_required
@require_safe
def state(request, pk):
    """Show the part of a run's page that changes while it is worked on."""
    found = run_or_404(request.user, pk)
    return render(request, "campaign/_run_state.html", _state_context(request, found))


@login_required
@require_POST
def withdraw(request, pk):
    """Take a run back for good."""
    found = run_or_404(request.user, pk)
    withdraw_run(found)
    messages.success(request, f"Run {found.name} is withdrawn. It no longer appears on the board.")
    return redirect(found)


@login_required
@require_safe
def file(request, pk):
    """Send back the file as it was submitted."""
    found = run_or_404(request.user, pk)
    return FileResponse(open_stored(found.stored_file), as_attachment=True, filename=found.file_name)


@login_required
@require_safe
def export(request, pk, form):
    """Send a valid run in another format."""
    found = run_or_404(request.user, pk)
    if form not in export_forms(found):
        raise Http404
    return attachment(exported_run(found, form), f"{found.name}.{form}")


@require_safe
def example(request, campaign, track, task, form):
    """Send a small example run that the task would take, to those who may read its topics."""
    found = task_or_404(request.user, campaign, track, task)
    if form not in example_forms(found) or not may_see_topics(request.user, found.track):
        raise Http404
    return attachment(example_run(found, form), f"example-{found.slug}.{form}")


def attachment(content, name):
    """Return bytes as a file to be saved, never to be shown."""
    kind = "application/xml" if name.endswith(".xml") else "text/plain; charset=utf-8"
    return HttpResponse(content, content_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})


@login_required
@require_safe
def report(request, pk, form):
    """Send the whole problem report, as plain text or JSON."""
    found = run_or_404(request.user, pk)
    problems = full_report(found)
    if form == "json":
        return JsonResponse(
            {"run": found.name, "state": found.state, "problems": problems}, json_dumps_params={"indent": 1}
        )
    if form != "txt":
        raise Http404
    lines = [f"{found.file_name}:{problem['line'] or 1}: {problem['message']}" for problem in problems]
    text = "\n".join(lines) + "\n" if lines else "No problems.\n"
    return attachment(text, f"{found.name}-report.txt")
