"""One file of assessments on its way in: how far the reading is, what is in it, and the decision."""

from types import SimpleNamespace

from django.contrib import messages
from django.http import Http404, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from assessments.models import AssessmentImport
from assessments.services.previews import State, accept_import, discard_import, full_report, read_again
from assessments.views.desk import TAB
from campaign.services.refusals import Refused
from campaign.views.desk_pages import desk_page, render_desk
from campaign.views.sending import attachment

NAMED = 40
"""Topics that a list names before it says how many more there are."""


def _import_or_404(campaign, pk):
    return get_object_or_404(
        AssessmentImport.objects.select_related("track__campaign", "created_by", "assessment_set"),
        pk=pk,
        track__campaign=campaign,
    )


def _context(found):
    counts = {name: found.outcome.get(name) for name in ("error_count", "warning_count", "problem_counts")}
    new, unjudged = found.outcome.get("new_topics", []), found.outcome.get("unjudged_topics", [])
    versions = found.track.assessment_sets.order_by("-version")
    newest = versions.first()
    return {
        "found": found,
        "campaign": found.track.campaign,
        "is_waiting": found.state in (State.RECEIVED, State.READING),
        "report": SimpleNamespace(problems=found.problems, **counts),
        "new_topics": set(new),
        "named_new": new[:NAMED],
        "more_new": len(new[NAMED:]),
        "named_unjudged": unjudged[:NAMED],
        "more_unjudged": len(unjudged[NAMED:]),
        "newest": newest,
        "newest_entry_points": newest.judgements.exclude(entry_point=None).count() if newest else 0,
        "same": versions.filter(sha256=found.sha256).exclude(pk=found.assessment_set_id).first(),
    }


@desk_page
@require_safe
def assessment_import(request, campaign, pk):
    """Show an import: its progress, and then what is in the file."""
    return render_desk(request, "desk/import.html", campaign, _context(_import_or_404(campaign, pk)), tab=TAB)


@desk_page
@require_safe
def state(request, campaign, pk):
    """Show the part of an import's page that changes while the file is read."""
    return render(request, "desk/_import_state.html", _context(_import_or_404(campaign, pk)))


@desk_page
@require_POST
def accept(request, campaign, pk):
    """Make an import the next version."""
    found = _import_or_404(campaign, pk)
    try:
        version = accept_import(found, request.user).version
    except Refused as refusal:
        messages.error(request, refusal.reason)
        return redirect("desk-import", campaign.slug, pk)
    messages.success(request, f"{found.file_name} is now v{version} of {found.track.name}.")
    return redirect(f"{reverse(TAB, args=[campaign.slug])}#{found.track.slug}")


@desk_page
@require_POST
def discard(request, campaign, pk):
    """Drop an import."""
    found = _import_or_404(campaign, pk)
    try:
        discard_import(found, request.user)
    except Refused as refusal:
        messages.error(request, refusal.reason)
        return redirect("desk-import", campaign.slug, pk)
    messages.success(request, f"{found.file_name} is discarded. Nothing of it was imported.")
    return redirect(TAB, campaign.slug)


@desk_page
@require_POST
def again(request, campaign, pk):
    """Have a file read once more."""
    found = _import_or_404(campaign, pk)
    read_again(found, makes_topics=request.POST.get("makes_topics") == "yes")
    return redirect("desk-import", campaign.slug, pk)


@desk_page
@require_safe
def report(request, campaign, pk, form):
    """Send all problems of an import, as plain text or JSON."""
    found = _import_or_404(campaign, pk)
    problems = full_report(found)
    if form == "json":
        told = {"file": found.file_name, "state": found.state, "problems": problems}
        return JsonResponse(told, json_dumps_params={"indent": 1})
    if form != "txt":
        raise Http404
    lines = [
        f"{problem['member'] or found.file_name}:{problem['line'] or 1}: {problem['message']}" for problem in problems
    ]
    text = "\n".join(lines) + "\n" if lines else "No problems.\n"
    return attachment(text, f"import-{found.pk}-report.txt")
