"""Submitting a run: the form, what the file says of itself, the dry run."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from campaign.forms.attempting import attempted
from campaign.forms.participants import SubmitForm
from campaign.forms.uploads import is_too_large, refuse_too_large, too_large
from campaign.machinery.limits import BEGINNINGS, DRY_RUNS
from campaign.models import Run, Team
from campaign.presence import presence_of
from campaign.services.acting import By
from campaign.services.permissions.changing import may_take_back
from campaign.services.permissions.roles import organises
from campaign.services.permissions.seeing import may_see_topics
from campaign.services.permissions.submitting import may_try, standing_of
from campaign.services.runs.checks import dry_run
from campaign.services.runs.exports import example_formats
from campaign.services.runs.submissions import said_by, submit_run
from campaign.views.finding import Gated, task_or_404
from limelight.formats.fields import whole_number
from limelight.formats.runs.beginning import BEGINNING_SIZE
from limelight.moments import day_and_time

ALREADY_HERE = "This is the run you already have: the same file came under the same name on"


@login_required
def submit(request, campaign, track, task):
    """Take a run file for a task."""
    task = task_or_404(request.user, campaign, track, task)
    is_dry = "dry-run" in request.POST
    if is_dry and not may_try(request.user, task):
        return _gated(request, task)
    is_organiser = organises(request.user, task.track.campaign)
    teams = _teams(request, task.track.campaign, is_organiser)
    replaced = _replaced(request, task)
    form = _form(request, teams, replaced)
    if is_dry and form.is_valid():
        return _dry_run(request, task, form.cleaned_data["file"])
    if submission := attempted(form, submit_run, task, by=By(request.user), replaces=replaced):
        run = submission.run
        if not submission.is_new:
            messages.info(request, f"{ALREADY_HERE} {day_and_time(run.created_at)}. Nothing was taken in twice.")
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
            "others": Team.objects.admitted_to(task.track.campaign).order_by("name") if is_organiser else (),
            "outdated": teams.accepted_before(task.track.campaign).values_list("pk", flat=True),
            "replaced": replaced,
            "may_submit": any(standing.permission for standing in standings),
            "upload_limit": settings.UPLOAD_LIMIT_MB,
            "too_large": too_large(),
            "example_formats": example_formats(task) if may_see_topics(request.user, task.track) else (),
        },
        status=status,
    )


def _teams(request, campaign, is_organiser):
    """Return the teams that somebody submits for: their own, or the one that an organiser names in the address."""
    admitted = Team.objects.admitted_to(campaign)
    if is_organiser and request.GET.get("for"):
        return admitted.filter(slug=request.GET["for"].replace("\x00", ""))
    return admitted.of(request.user)


def _form(request, teams, replaced):
    initial = {}
    if replaced:
        kept = ("team", "name", "description", "query", "topic_fields")
        initial = {name: getattr(replaced, name) for name in kept}
    if request.method != "POST":
        return SubmitForm(teams=teams, initial=initial)
    form = SubmitForm(request.POST, request.FILES, teams=teams)
    refuse_too_large(form, request)
    return form


def _replaced(request, task):
    """Return the run that the new one is to replace, if it is the person's to take back."""
    number = whole_number(request.POST.get("replaces") or request.GET.get("replaces") or "")
    if number is None:
        return None
    run = Run.objects.filter(pk=number, task=task).first()
    return run if run and may_take_back(request.user, run) else None


def _by_script(request):
    """Return whether our script asks, which keeps the form on the page."""
    return request.headers.get("X-Requested-With") == "XMLHttpRequest"


def _gated(request, task):
    """Say that files are looked at for registered teams: to our script in a sentence, else on a page."""
    gate = Gated("Submissions", [task.track.campaign])
    if not _by_script(request):
        raise gate
    return JsonResponse({"errors": {"__all__": [str(gate)]}}, status=403)


def _dry_run(request, task, upload):
    """Show what the check says about a file, without taking it."""
    wait = DRY_RUNS.seconds_to_wait(request.user.pk)
    template = "campaign/_dry_run.html" if _by_script(request) else "campaign/run_dry.html"
    context = {"task": task, "file_name": upload.name, "wait": wait, "by_script": _by_script(request)}
    if wait:
        response = render(request, template, context, status=429)
        response["Retry-After"] = wait
        return response
    context["run"] = dry_run(task, upload.file, is_there=presence_of(request))
    return render(request, template, context)


@login_required
@require_POST
def beginning(request, campaign, track, task):
    """Tell what a file says about itself, from its first bytes, so that the form can be filled in."""
    task = task_or_404(request.user, campaign, track, task)
    if not may_try(request.user, task):
        raise Gated("Submissions", [task.track.campaign])
    if wait := BEGINNINGS.seconds_to_wait(request.user.pk):
        return JsonResponse({"wait": wait}, status=429, headers={"Retry-After": wait})
    upload = request.FILES.get("file")
    if is_too_large(request):
        return JsonResponse({"problem": f"At most {BEGINNING_SIZE:,} bytes of a file are looked at here."}, status=413)
    said = said_by(upload) if upload else {}
    return JsonResponse(said)


beginning.upload_limit = BEGINNING_SIZE
