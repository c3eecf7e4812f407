"""Topics and collections: uploaded, looked at, taken over."""

from django.conf import settings
from django.contrib import messages
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from campaign.forms.setup import UploadForm
from campaign.forms.uploads import refuse_too_large
from campaign.models import Collection
from campaign.services.acting import By
from campaign.services.documents.imports import imports_of
from campaign.services.permissions.managing import may_fill_collection
from campaign.services.refusals import Refused
from campaign.services.runs.check_results import outcome_of
from campaign.services.setup import topics
from campaign.views.desk.frame import desk_page, render_desk
from campaign.views.desk.tracks import rechecked_sentence, track_of
from campaign.views.questions import answered, ask
from limelight.wording import counted

TOPICS_LABEL = "File with topics"
DOCUMENTS_LABEL = "File with documents"
SHOWN_IMPORTS = 5
SHOWN_NUMBERS = 20
LONGEST_LIST = 20_000


@desk_page
@require_safe
def material(request, campaign):
    """Show the topics and the collection of each track, and take files for them."""
    return material_page(request, campaign)


def material_page(request, campaign, wrong=None):
    """Show all tracks; `wrong` has the form that was refused, by track and label."""
    wrong = wrong or {}
    rows = []
    for track in campaign.tracks.select_related("collection"):
        collection = track.collection
        versions = list(Collection.objects.versions_of(collection)) if collection else []
        rows.append(
            {
                "track": track,
                "topic_count": track.topics.count(),
                "document_count": collection.documents.count() if collection else 0,
                "imports": imports_of(collection)[:SHOWN_IMPORTS] if collection else (),
                "versions": versions if len(versions) > 1 else (),
                "may_fill": collection is not None and may_fill_collection(request.user, collection),
                "topics_form": wrong.get((track.pk, TOPICS_LABEL)) or upload_form(track, TOPICS_LABEL),
                "documents_form": wrong.get((track.pk, DOCUMENTS_LABEL)) or upload_form(track, DOCUMENTS_LABEL),
            }
        )
    context = {"rows": rows, "upload_limit": settings.UPLOAD_LIMIT_MB}
    status = 422 if wrong else 200
    return render_desk(request, "desk/material.html", campaign, context, tab="desk-material", status=status)


def upload_form(track, label, request=None):
    """Return the form for a track's file, as it was sent or empty."""
    options = {"label": label, "auto_id": f"id_{track.pk}_{label.split()[-1]}_%s"}
    if request is None:
        return UploadForm(**options)
    form = UploadForm(request.POST, request.FILES, **options)
    command = "import_topics" if label == TOPICS_LABEL else "import_collection"
    refuse_too_large(form, request, f"Compress it, or import it on the server with manage.py {command}.")
    return form


@desk_page
@require_POST
def upload_topics(request, campaign, track):
    """Show what a file of topics would change."""
    track = track_of(campaign, track)
    form = upload_form(track, TOPICS_LABEL, request)
    if not form.is_valid():
        return material_page(request, campaign, {(track.pk, TOPICS_LABEL): form})
    upload = form.cleaned_data["file"]
    preview = topics.preview_upload(track, upload)
    return _topics_preview(request, campaign, track, preview, upload.name, upload)


def _topics_preview(request, campaign, track, preview, file_name, upload=None, is_stale=False):
    context = {"track": track, "preview": preview, "file_name": file_name, "is_stale": is_stale}
    if preview.problems and upload is not None:
        context["report"] = outcome_of(None, preview.problems, upload)
    status = 422 if preview.problems or is_stale else 200
    return render_desk(request, "desk/topics_preview.html", campaign, context, tab="desk-material", status=status)


@desk_page
@require_POST
def confirm_topics(request, campaign, track):
    """Take over the topics of a file that was looked at."""
    found, sha256 = track_of(campaign, track), request.POST.get("sha256", "")
    file_name = request.POST.get("file_name", "")[:255]
    try:
        taken = topics.confirm_topics(
            found, by=By(request.user), sha256=sha256, file_name=file_name, seen=request.POST.get("seen", "")
        )
    except Refused as refusal:
        messages.error(request, refusal.reason)
    else:
        if taken is None:
            preview = topics.preview_stored(found, sha256)
            return _topics_preview(request, campaign, found, preview, file_name, is_stale=True)
        messages.success(request, f"Imported into {found.name}: {taken.sentence}.{rechecked_sentence(taken.rechecked)}")
    return redirect("desk-material", campaign.slug)


@desk_page
@require_POST
def remove_topics(request, campaign, track):
    """Remove topics that came in by mistake, after a question."""
    found, numbers = track_of(campaign, track), request.POST.get("numbers", "")[:LONGEST_LIST]
    try:
        removal = topics.removal_of(found, numbers)
        if answered(request) != removal.seen:
            return _ask_to_remove(request, campaign, found, removal)
        removed, rechecked = topics.remove_topics(found, by=By(request.user), numbers=numbers, seen=removal.seen)
    except Refused as refusal:
        messages.error(request, refusal.reason)
    else:
        told = counted(len(removed), "topic")
        messages.success(request, f"{told} of {found.name} removed.{rechecked_sentence(rechecked)}")
    return redirect("desk-material", campaign.slug)


def _ask_to_remove(request, campaign, track, removal):
    many, shown = counted(len(removal.numbers), "topic"), removal.numbers[:SHOWN_NUMBERS]
    more = f" and {len(removal.numbers) - len(shown)} more" if len(removal.numbers) > len(shown) else ""
    rows = [[task.name, count] for task, count in removal.runs_by_task]
    table = {"caption": "Valid runs that are checked again", "head": ["Task", "Runs"], "rows": rows, "numbers": True}
    sentence = "Runs that answer one of them are refused then, leave the board, and their teams are told."
    return ask(
        request,
        campaign,
        heading=f"Remove {many} of {track.name}?",
        sentences=[f"{', '.join(shown)}{more}.", *([sentence] if removal.run_count else [])],
        tables=[table] if removal.run_count else [],
        button=f"Remove {many}",
        seen=removal.seen,
        tab="desk-material",
        grave=True,
        changed="The topics or runs changed after you were asked. Nothing was removed." if answered(request) else "",
    )
