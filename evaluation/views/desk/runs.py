"""The runs of a campaign on its desk: find, look at what waits and what failed, take away."""

from django.core.paginator import Paginator
from django.db.models import Q
from django.http import FileResponse, Http404
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from campaign.models import Run, Task, Team
from campaign.services.runs.archives import archive_of
from campaign.services.runs.rejections import open_rejections
from campaign.views.desk.frame import desk_page, render_desk
from evaluation.services.background import queue_of
from evaluation.services.failures import failures_of
from evaluation.services.progress import STATE_WORDS, in_state, with_progress
from evaluation.views.runs import RUNS_A_PAGE
from limelight.formats.fields import whole_number

JOBS_SHOWN = 200


@desk_page
@require_safe
def runs(request, campaign):
    """List the runs of a campaign, narrowed to a task, a team, a state or words."""
    return runs_page(request, campaign)


def runs_page(request, campaign, refused=None, reason="", ticked=(), status=200):
    """Show the runs; a deed that was refused is told above them."""
    asked = request.GET if request.method != "POST" else request.POST
    found, narrowed = narrowed_runs(campaign, asked)
    page = Paginator(found.for_lists().order_by("-created_at", "-pk"), RUNS_A_PAGE).get_page(asked.get("page"))
    context = {
        "runs": with_progress(page, request.user),
        "page": page,
        "tasks": Task.objects.filter(track__campaign=campaign).select_related("track"),
        "teams": Team.objects.filter(runs__task__track__campaign=campaign).distinct().order_by("name"),
        "states": STATE_WORDS,
        "narrowed": narrowed,
        "is_narrowed": any(narrowed.values()),
        "refused": refused,
        "reason": reason,
        "ticked": ticked,
        "rejections": open_rejections(campaign),
        "waiting": len(queue_of(campaign)),
    }
    return render_desk(request, "desk/runs.html", campaign, context, tab="desk-runs", status=status)


def narrowed_runs(campaign, asked):
    """Return the runs that a form asks for, and what of it was understood."""
    runs = Run.objects.filter(task__track__campaign=campaign)
    narrowed = {name: asked.get(name, "").strip() for name in ("task", "team", "state", "words")}
    if whole_number(narrowed["task"]) is None:
        narrowed["task"] = ""
    if narrowed["state"] not in STATE_WORDS:
        narrowed["state"] = ""
    if narrowed["task"]:
        runs = runs.filter(task=int(narrowed["task"]))
    if narrowed["team"]:
        runs = runs.filter(team__slug=narrowed["team"])
    if narrowed["state"]:
        runs = in_state(runs, narrowed["state"])
    if narrowed["words"]:
        words = narrowed["words"].replace("\x00", "")
        fields = ("name", "code", "description", "team__name", "file_name", "sha256", "failure_reference")
        by_field = Q(evaluations__failure_reference__iexact=words)
        for field in fields:
            by_field |= Q(**{f"{field}__icontains": words})
        runs = runs.filter(by_field).distinct()
    return runs, narrowed


@desk_page
@require_safe
def queue(request, campaign):
    """Show what waits or is being worked on: since when, how often tried, and who has it."""
    jobs = queue_of(campaign)
    return render_desk(
        request, "desk/queue.html", campaign, {"jobs": jobs[:JOBS_SHOWN], "count": len(jobs)}, tab="desk-runs"
    )


@desk_page
@require_safe
def failure(request, campaign, pk):
    """Show what failed about a run, with the traceback."""
    run = get_object_or_404(Run.objects.for_lists(), pk=pk, task__track__campaign=campaign)
    context = {"run": run, "failures": failures_of(run)}
    return render_desk(request, "desk/failure.html", campaign, context, tab="desk-runs")


@desk_page
@require_safe
def archive(request, campaign):
    """Send all valid runs of a task, or of the campaign, in one zip with an index."""
    tasks = Task.objects.filter(track__campaign=campaign)
    wanted, name = request.GET.get("task", ""), campaign.slug
    if wanted:
        if whole_number(wanted) is None:
            raise Http404
        task = get_object_or_404(tasks.select_related("track"), pk=int(wanted))
        tasks, name = [task], f"{name}-{task.track.slug}-{task.slug}"
    return FileResponse(archive_of(list(tasks)), as_attachment=True, filename=f"{name}-runs.zip")
