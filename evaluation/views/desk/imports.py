"""One file of assessments on its way in: how far the reading is, what is in it, and the decision."""

from django.contrib import messages
from django.http import Http404, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from assessments.models import AssessmentImport, AssessmentSet
from assessments.services.import_differences import difference_of_import
from assessments.services.previews import (
    State,
    accept_import,
    discard_import,
    full_report,
    is_on_another_collection,
    read_again,
    report_of,
)
from campaign.services.acting import By
from campaign.services.refusals import Refused
from campaign.views.buttons import pressed
from campaign.views.desk.frame import desk_page, render_desk
from campaign.views.sending import attachment
from evaluation.models import Edition
from evaluation.views.desk.assessments import TAB
from limelight.formats.fields import whole_number

NAMED = 40
"""Topics that a list names at once; the others are folded under it."""

REPLACE, MERGE = "replace", "merge"


def _import_or_404(campaign, pk):
    return get_object_or_404(
        AssessmentImport.objects.select_related("track__campaign", "created_by", "assessment_set"),
        pk=pk,
        track__campaign=campaign,
    )


def _context(found):
    versions = found.track.assessment_sets.order_by("-version")
    newest = versions.first()
    compared = _compared(found, newest)
    lost = {change.topic for change in compared[0].lost} if compared else set()
    new = found.outcome.get("new_topics", [])
    unjudged = [topic for topic in found.outcome.get("unjudged_topics", []) if topic not in lost]
    return {
        "compared": compared,
        "is_on_another_collection": found.state == State.READY and is_on_another_collection(found),
        "found": found,
        "campaign": found.track.campaign,
        "is_waiting": found.state in (State.RECEIVED, State.READING),
        "report": report_of(found),
        "new_topics": set(new),
        "named_new": new[:NAMED],
        "more_new": new[NAMED:],
        "named_unjudged": unjudged[:NAMED],
        "more_unjudged": unjudged[NAMED:],
        "newest": newest,
        "newest_entry_points": newest.judgements.exclude(entry_point=None).count() if newest else 0,
        "same": versions.filter(sha256=found.sha256).exclude(pk=found.assessment_set_id).first(),
    }


def _compared(found, newest):
    """Return what a file that waits would change in the newest version, and in those that are live."""
    if found.state != State.READY or newest is None:
        return []
    live = AssessmentSet.objects.filter(track=found.track, editions__state=Edition.State.LIVE).distinct()
    others = live.exclude(pk=newest.pk).order_by("-version")
    return [difference_of_import(found, version) for version in (newest, *others)]


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
    incoming = _import_or_404(campaign, pk)
    how, seen = request.POST.get("how", ""), whole_number(request.POST.get("seen", "0"))
    try:
        if how not in (REPLACE, MERGE) and _is_a_choice(incoming):
            raise Refused("Choose whether this file replaces the newest version or is merged into it.")
        version = accept_import(
            incoming, by=By(request.user), merges=how == MERGE, seen=-1 if seen is None else seen
        ).version
    except Refused as refusal:
        messages.error(request, refusal.reason)
        return redirect("desk-import", campaign.slug, pk)
    messages.success(request, f"{incoming.file_name} is now v{version} of {incoming.track.name}.")
    return redirect(f"{reverse(TAB, args=[campaign.slug])}#{incoming.track.slug}")


def _is_a_choice(found):
    newest = found.track.assessment_sets.order_by("-version").first()
    return any(difference.is_a_choice for difference in _compared(found, newest)[:1])


@desk_page
@require_POST
def discard(request, campaign, pk):
    """Drop an import."""
    incoming = _import_or_404(campaign, pk)
    told = f"{incoming.file_name} is discarded. Nothing of it was imported."
    if pressed(request, discard_import, incoming, by=By(request.user), told=told):
        return redirect(TAB, campaign.slug)
    return redirect("desk-import", campaign.slug, pk)


@desk_page
@require_POST
def again(request, campaign, pk):
    """Have a file read once more."""
    incoming = _import_or_404(campaign, pk)
    read_again(incoming, makes_topics=request.POST.get("makes_topics") == "yes")
    return redirect("desk-import", campaign.slug, pk)


@desk_page
@require_safe
def report(request, campaign, pk, file_format):
    """Send all problems of an import, as plain text or JSON."""
    incoming = _import_or_404(campaign, pk)
    problems = full_report(incoming)
    if file_format == "json":
        told = {"file": incoming.file_name, "state": incoming.state, "problems": problems}
        return JsonResponse(told, json_dumps_params={"indent": 1})
    if file_format != "txt":
        raise Http404
    lines = [
        f"{problem['member'] or incoming.file_name}:{problem['line'] or 1}: {problem['message']}"
        for problem in problems
    ]
    text = "\n".join(lines) + "\n" if lines else "No problems.\n"
    return attachment(text, f"import-{incoming.pk}-report.txt")
