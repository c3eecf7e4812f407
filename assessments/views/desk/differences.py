"""What changed between two versions of a track's assessments."""

from dataclasses import dataclass

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from assessments.services.versions import differences_between
from campaign.views.desk.frame import desk_page, render_desk
from campaign.views.sending import attachment
from limelight.analysis.differences import NotComparable
from limelight.spreadsheets import as_csv

TAB = "desk-assessments"

DOCUMENTS_SHOWN = 1000
"""Documents that the page lists; the CSV has all of them."""

SHORT = 60
"""So many documents are shown at once; more stay folded under their topics."""


@dataclass(frozen=True, slots=True)
class ShownTopic:
    """A topic that changed, with the documents that the page has room for."""

    difference: object
    number: str
    title: str
    documents: tuple
    more: int


def _versions(campaign, track, request):
    """Return the track, its versions and the two that are asked for, by default the newest and the one before."""
    track = get_object_or_404(campaign.tracks.select_related("campaign"), slug=track)
    versions = list(track.assessment_sets.order_by("version"))
    by_number = {str(version.version): version for version in versions}
    asked = [request.GET.get("from"), request.GET.get("to")]
    if any(number is not None and number not in by_number for number in asked):
        raise Http404
    default = [versions[-2], versions[-1]] if len(versions) > 1 else [None, None]
    old, new = (by_number[a] if a is not None else d for a, d in zip(asked, default, strict=True))
    return track, versions, old, new


@desk_page
@require_safe
def differences(request, campaign, track):
    """Show which documents and characters differ between two versions."""
    track, versions, old, new = _versions(campaign, track, request)
    context = {"track": track, "versions": versions, "old": old, "new": new}
    if old and new:
        try:
            difference = differences_between(old, new)
        except NotComparable as reason:
            context["reason"] = str(reason)
        else:
            context |= {"found": difference, "topics": _shown(track, difference), "totals": difference.totals}
            context["is_short"] = sum(len(topic.documents) for topic in context["topics"]) <= SHORT
    return render_desk(request, "desk/differences.html", campaign, context, tab=TAB)


def _shown(track, found):
    titles, room, shown = dict(track.topics.values_list("number", "title")), DOCUMENTS_SHOWN, []
    for topic in found.changed_topics:
        documents = topic.documents[:room]
        room -= len(documents)
        title = titles.get(topic.topic, "")
        shown.append(ShownTopic(topic, topic.topic, title, documents, len(topic.documents) - len(documents)))
    return shown


@desk_page
@require_safe
def differences_csv(request, campaign, track):
    """Send every document that differs between two versions, as CSV."""
    track, _, old, new = _versions(campaign, track, request)
    if not (old and new):
        raise Http404
    try:
        difference = differences_between(old, new)
    except NotComparable as reason:
        raise Http404(str(reason)) from reason
    head = ["topic", "document", "change", "characters gained", "characters lost"]
    head += ["old entry point", "new entry point", "old grade", "new grade"]
    rows = [
        [
            topic.topic,
            document.document,
            document.change,
            document.gained,
            document.lost,
            document.old_entry_point,
            document.new_entry_point,
            document.old_grade,
            document.new_grade,
        ]
        for topic in difference.topics
        for document in topic.documents
    ]
    name = f"{campaign.slug}-{track.slug}-v{old.version}-v{new.version}.csv"
    return attachment(as_csv([head, *rows]), name)
