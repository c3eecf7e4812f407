"""The desk's tab for assessments: upload, what is on its way in, and the versions of each track."""

from dataclasses import dataclass
from itertools import zip_longest

from django.conf import settings
from django.contrib import messages
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST, require_safe

from assessments.forms.imports import AssessmentsForm, NotesForm
from assessments.models import AssessmentSet
from assessments.services.exports import export_formats
from assessments.services.previews import take_file
from assessments.services.versions import change_notes, shown_notes
from campaign.forms.attempting import attempted
from campaign.forms.uploads import refuse_too_large
from campaign.models import Track
from campaign.services.acting import By
from campaign.services.telling.audit import fingerprint
from campaign.views.desk.frame import desk_page, render_desk
from evaluation.models import Edition
from evaluation.services.editions import newest_edition

TAB = "desk-assessments"


@dataclass(frozen=True, slots=True)
class Version:
    """A version as the list shows it: with its formats, the tasks it is live for, and those it is being built for."""

    assessment_set: AssessmentSet
    earlier: int | None
    formats: tuple
    live: list
    building: list
    seen: str
    typed: str | None
    """Notes that somebody wrote and that were not saved."""


@dataclass(frozen=True, slots=True)
class TrackOnDesk:
    """A track with its form, the imports that wait, and its versions."""

    track: Track
    form: AssessmentsForm
    imports: list
    versions: list
    newest: int
    is_scored: bool


@desk_page
@require_safe
def assessments(request, campaign):
    """Show the assessments of a campaign's tracks."""
    return _page(request, campaign)


def _page(request, campaign, filled=None, notes=None, status=200):
    tracks = campaign.tracks.select_related("campaign", "collection").prefetch_related(
        "assessment_sets__imported_by", "assessment_sets__collection", "assessment_sets__merged_into"
    )
    shown = [_on_desk(track, filled, notes or {}) for track in tracks]
    context = {"tracks": shown, "upload_limit": settings.UPLOAD_LIMIT_MB}
    return render_desk(request, "desk/assessments.html", campaign, context, tab=TAB, status=status)


def _on_desk(track, filled, notes):
    form = AssessmentsForm(prefix=track.slug)
    if filled and filled[0] == track:
        form = filled[1]
    editions = list(Edition.objects.scoring().filter(task__track=track).select_related("task"))
    sets = sorted(track.assessment_sets.all(), key=lambda version: -version.version)
    versions = [
        Version(
            assessment_set,
            older.version if older else None,
            export_formats(assessment_set),
            _tasks(editions, assessment_set, Edition.State.LIVE),
            _tasks(editions, assessment_set, Edition.State.BUILDING),
            fingerprint(shown_notes(assessment_set)),
            notes.get(assessment_set.pk),
        )
        for assessment_set, older in zip_longest(sets, sets[1:])
    ]
    imports = list(track.assessment_imports.open().select_related("created_by"))
    is_scored = any(edition.state == Edition.State.LIVE for edition in editions)
    return TrackOnDesk(track, form, imports, versions, newest_edition(track), is_scored)


def _tasks(editions, assessment_set, state):
    return [e.task for e in editions if e.assessment_set_id == assessment_set.pk and e.state == state]


@desk_page
@require_POST
def upload(request, campaign, track):
    """Take a file of assessments for a track."""
    track = get_object_or_404(campaign.tracks.select_related("campaign", "collection"), slug=track)
    form = AssessmentsForm(request.POST, request.FILES, prefix=track.slug)
    refuse_too_large(form, request, "Pack it with gzip or zip.")
    if found := attempted(form, take_file, track, by=By(request.user)):
        return redirect("desk-import", campaign.slug, found.pk)
    return _page(request, campaign, (track, form), status=422)


@desk_page
@require_POST
def notes(request, campaign, track, version):
    """Write the notes of a version anew."""
    found = get_object_or_404(
        AssessmentSet.objects.select_related("track__campaign"),
        track__campaign=campaign,
        track__slug=track,
        version=version,
    )
    form = NotesForm(request.POST)
    if attempted(form, change_notes, found, by=By(request.user), seen=request.POST.get("seen", "")):
        messages.success(request, f"The notes of v{found.version} are changed.")
        return redirect(TAB, campaign.slug)
    messages.error(request, next(iter(form.errors.values()))[0])
    return _page(request, campaign, notes={found.pk: request.POST.get("notes", "")}, status=422)
