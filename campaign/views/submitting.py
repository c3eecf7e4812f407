"""Submitting a run: the form, what the file says of itself, the dry run."""

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from campaign.forms import SubmitForm
from campaign.models import Membership, Run, Team
from campaign.services.checks import dry_run
from campaign.services.exports import example_forms
from campaign.services.limits import DRY_RUNS
from campaign.services.permissions import may_see_topics, standing_of
from campaign.services.refusals import Refused
from campaign.services.submissions import said_by, submit_run
from campaign.views.finding import task_or_404


@login_required
def submit(request, campaign, track, task):
    """Take a run file for a task."""
    task = task_or_404(request.user, campaign, track, task)
    teams = Team.objects.of(request.user).admitted_to(task.track.campaign)
    replaced = _replaced(request, task)
    form = _form(request, teams, replaced)
    if form.is_bound and form.is_valid():
        answers = form.cleaned_data
        upload = answers.pop("file")
        if "dry-run" in request.POST:
            return _dry_run(request, task, upload)
        try:
            run = submit_run(
                user=request.user, task=task, upload=upload, file_name=upload.name, replaces=replaced, **answers
            )
        except Refused as refusal:
            form.add_error(refusal.field, refusal.reason)
        else:
            return JsonResponse({"address": run.get_absolute_url()}) if _by_script(request) else redirect(run)
    status = 422 if form.is_bound else 200
    if form.is_bound and _by_script(request):
        return JsonResponse({"errors": form.errors}, status=status)
    standings = [standing_of(request.user, team, task) for team in teams]
    return render(
        request,
        "campaign/run_submit.html",
        {
            "task": task,
            "form": form,
            "standings": standings,
            "outdated": teams.accepted_before(task.track.campaign).values_list("pk", flat=True),
            "replaced": replaced,
            "may_submit": any(standing.permission for standing in standings),
            "upload_limit": settings.UPLOAD_LIMIT_MB,
            "example_forms": example_forms(task) if may_see_topics(request.user, task.track) else (),
        },
        status=status,
    )


def _form(request, teams, replaced):
    initial = {}
    if replaced:
        kept = ("team", "name", "description", "query", "topic_fields")
        initial = {name: getattr(replaced, name) for name in kept}
    if request.method != "POST":
        return SubmitForm(teams=teams, initial=initial)
    form = SubmitForm(request.POST, request.FILES, teams=teams)
    if getattr(request, "upload_too_large", False):
        form.full_clean()
        form.errors.pop("file", None)
        form.add_error(
            "file", f"This file is larger than {settings.UPLOAD_LIMIT_MB} MB. Compress it with gzip and submit that."
        )
    return form


def _replaced(request, task):
    """Return the run that the new one is to replace, if it is the person's own and still stands."""
    number = request.POST.get("replaces") or request.GET.get("replaces") or ""
    if not (number.isascii() and number.isdigit() and len(number) < 18):
        return None
    teams = Membership.objects.filter(user=request.user).values("team")
    return Run.objects.standing().filter(pk=number, task=task, team__in=teams).first()


def _by_script(request):
    """Tell whether our script asks, which keeps the form on the page."""
    return request.headers.get("X-Requested-With") == "XMLHttpRequest"


def _dry_run(request, task, upload):
    """Show what the check says about a file, without taking it."""
    wait = DRY_RUNS.seconds_to_wait(request.user.pk)
    template = "campaign/_dry_run.html" if _by_script(request) else "campaign/run_dry.html"
    context = {"task": task, "file_name": upload.name, "wait": wait}
    if wait:
        response = render(request, template, context, status=429)
        response["Retry-After"] = wait
        return response
    context["run"] = dry_run(task, upload.file)
    return render(request, template, context)


@login_required
@require_POST
def beginning(request, campaign, track, task):
    """Tell what a file says about itself, from its first bytes, so that the form can be filled in."""
    task_or_404(request.user, campaign, track, task)
    upload = request.FILES.get("file")
    said = said_by(upload) if upload else {}
    return JsonResponse(said)
