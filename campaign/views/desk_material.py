"""Topics and collections: uploaded, looked at, taken over."""

from django.conf import settings
from django.contrib import messages
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from campaign.models import CollectionImport
from campaign.services import collection_imports, topics
from campaign.services.notifications import counted
from campaign.services.refusals import Refused
from campaign.services.tracks import may_fill
from campaign.setup_forms import UploadForm
from campaign.views.desk_pages import desk_page, render_desk
from campaign.views.desk_tracks import rechecked_sentence, track_of

TOPICS_LABEL = "File with topics"
DOCUMENTS_LABEL = "File with documents"
SHOWN_PROBLEMS = 200
LONGEST_LIST = 20_000


@desk_page
@require_safe
def material(request, campaign):
    """Show the topics and the collection of each track, and take files for them."""
    return _material_page(request, campaign)


def _material_page(request, campaign, wrong=None):
    """Show all tracks; `wrong` has the form that was refused, by track and label."""
    wrong = wrong or {}
    rows = []
    for track in campaign.tracks.select_related("collection"):
        collection = track.collection
        rows.append(
            {
                "track": track,
                "topic_count": track.topics.count(),
                "document_count": collection.documents.count() if collection else 0,
                "imports": collection.imports.all()[:5] if collection else (),
                "may_fill": collection is not None and may_fill(request.user, collection),
                "topics_form": wrong.get((track.pk, TOPICS_LABEL)) or _upload_form(track, TOPICS_LABEL),
                "documents_form": wrong.get((track.pk, DOCUMENTS_LABEL)) or _upload_form(track, DOCUMENTS_LABEL),
            }
        )
    context = {"rows": rows, "upload_limit": settings.UPLOAD_LIMIT_MB}
    status = 422 if wrong else 200
    return render_desk(request, "desk/material.html", campaign, context, tab="desk-material", status=status)


def _upload_form(track, label, request=None):
    options = {"label": label, "auto_id": f"id_{track.pk}_{label.split()[-1]}_%s"}
    if request is None:
        return UploadForm(**options)
    form = UploadForm(request.POST, request.FILES, **options)
    if getattr(request, "upload_too_large", False):
        form.full_clean()
        form.errors.pop("file", None)
        form.add_error(
            "file",
            f"This file is larger than {settings.UPLOAD_LIMIT_MB} MB. Compress it, or import it on the server with "
            f"manage.py {'import_topics' if label == TOPICS_LABEL else 'import_collection'}.",
        )
    return form


@desk_page
@require_POST
def upload_topics(request, campaign, track):
    """Show what a file of topics would change."""
    found = track_of(campaign, track)
    form = _upload_form(found, TOPICS_LABEL, request)
    if not form.is_valid():
        return _material_page(request, campaign, {(found.pk, TOPICS_LABEL): form})
    upload = form.cleaned_data["file"]
    preview = topics.preview_upload(found, upload)
    context = {"track": found, "preview": preview, "file_name": upload.name}
    context |= {"problems": preview.problems[:SHOWN_PROBLEMS], "more": len(preview.problems) - SHOWN_PROBLEMS}
    status = 422 if preview.problems else 200
    return render_desk(request, "desk/topics_preview.html", campaign, context, tab="desk-material", status=status)


@desk_page
@require_POST
def confirm_topics(request, campaign, track):
    """Take over the topics of a file that was looked at."""
    found = track_of(campaign, track)
    try:
        taken = topics.confirm_topics(
            user=request.user,
            track=found,
            sha256=request.POST.get("sha256", ""),
            file_name=request.POST.get("file_name", "")[:255],
        )
    except Refused as refusal:
        messages.error(request, refusal.reason)
    else:
        messages.success(request, f"Imported into {found.name}: {taken.sentence}.{rechecked_sentence(taken.rechecked)}")
    return redirect("desk-material", campaign.slug)


@desk_page
@require_POST
def remove_topics(request, campaign, track):
    """Remove topics that came in by mistake."""
    found = track_of(campaign, track)
    try:
        removed, rechecked = topics.remove_topics(
            user=request.user, track=found, numbers=request.POST.get("numbers", "")[:LONGEST_LIST]
        )
    except Refused as refusal:
        messages.error(request, refusal.reason)
    else:
        told = counted(len(removed), "topic")
        messages.success(request, f"{told} of {found.name} removed.{rechecked_sentence(rechecked)}")
    return redirect("desk-material", campaign.slug)


@desk_page
@require_POST
def upload_collection(request, campaign, track):
    """Take an archive or a list, for a worker to read."""
    found = track_of(campaign, track)
    form = _upload_form(found, DOCUMENTS_LABEL, request)
    if form.is_valid():
        upload = form.cleaned_data["file"]
        if found.collection is None:
            messages.error(request, f"{found.name} has no collection. Choose or make one first.")
            return redirect("track-edit", campaign.slug, found.slug)
        try:
            row = collection_imports.receive_collection(
                user=request.user, collection=found.collection, upload=upload, file_name=upload.name
            )
        except Refused as refusal:
            form.add_error(refusal.field, refusal.reason)
        else:
            return redirect("collection-import", campaign.slug, row.pk)
    return _material_page(request, campaign, {(found.pk, DOCUMENTS_LABEL): form})


def _import_of(campaign, pk):
    rows = CollectionImport.objects.select_related("collection").filter(collection__tracks__campaign=campaign)
    return get_object_or_404(rows.distinct(), pk=pk)


@desk_page
@require_safe
def collection_import(request, campaign, pk):
    """Show how far the reading of a collection is."""
    row = _import_of(campaign, pk)
    return render_desk(request, "desk/collection_import.html", campaign, {"row": row}, tab="desk-material")


@desk_page
@require_safe
def collection_import_state(request, campaign, pk):
    """Show the part of the page that changes."""
    return render(request, "desk/_collection_import.html", {"campaign": campaign, "row": _import_of(campaign, pk)})


@desk_page
@require_POST
def start_import_again(request, campaign, pk):
    """Read a file again that failed on our side."""
    row = _import_of(campaign, pk)
    collection_imports.start_again(row)
    return redirect("collection-import", campaign.slug, row.pk)
