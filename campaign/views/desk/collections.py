"""Documents of a collection on their way in: uploaded, looked at, accepted, and gone back from."""

from django.contrib import messages
from django.http import FileResponse, Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from campaign.forms.attempting import attempted
from campaign.machinery.storage import open_stored
from campaign.models import Collection, CollectionImport
from campaign.services.acting import By
from campaign.services.documents import decisions as collection_decisions
from campaign.services.documents.imports import receive_collection
from campaign.services.documents.versions import use_version
from campaign.views.buttons import pressed
from campaign.views.desk.frame import desk_page, render_desk
from campaign.views.desk.material import DOCUMENTS_LABEL, material_page, upload_form
from campaign.views.desk.tracks import rechecked_sentence, track_of
from campaign.views.sending import content_type_of
from limelight.formats.fields import whole_number

TAB = "desk-material"
SHOWN = 5
"""Documents of a kind that are shown at once; the others are folded under them."""

KINDS = (
    ("changed", "Changed"),
    ("damaged", "Damaged, and left out"),
    ("absent", "Not in this file: they stay"),
    ("new", "New"),
)


@desk_page
@require_POST
def upload_collection(request, campaign, track):
    """Take an archive or a list, for a worker to read."""
    track = track_of(campaign, track)
    form = upload_form(track, DOCUMENTS_LABEL, request)
    if form.is_valid() and track.collection is None:
        messages.error(request, f"{track.name} has no collection. Choose or make one first.")
        return redirect("track-edit", campaign.slug, track.slug)
    if row := attempted(form, receive_collection, track.collection, by=By(request.user)):
        return redirect("collection-import", campaign.slug, row.pk)
    return material_page(request, campaign, {(track.pk, DOCUMENTS_LABEL): form})


def _import_of(campaign, pk):
    lines = Collection.objects.filter(tracks__campaign=campaign).values("line")
    rows = CollectionImport.objects.select_related("collection", "prepared").filter(collection__line__in=lines)
    return get_object_or_404(rows, pk=pk)


def _context(row):
    lists = row.outcome.get("lists", {})
    return {
        "row": row,
        "is_waiting": row.state in (row.State.RECEIVED, row.State.READING),
        "kinds": [
            {
                "name": name,
                "title": title,
                "count": row.outcome[name],
                "first": lists[name][:SHOWN],
                "others": lists[name][SHOWN:],
            }
            for name, title in KINDS
            if lists.get(name)
        ],
        "is_stale": collection_decisions.is_stale(row),
        "seen": collection_decisions.seen_of(row),
    }


@desk_page
@require_safe
def collection_import(request, campaign, pk):
    """Show how far the reading of a collection is, and then what it would change."""
    context = _context(_import_of(campaign, pk))
    return render_desk(request, "desk/collection_import.html", campaign, context, tab=TAB)


@desk_page
@require_safe
def collection_import_state(request, campaign, pk):
    """Show the part of the page that changes."""
    return render(request, "desk/_collection_import.html", {"campaign": campaign, **_context(_import_of(campaign, pk))})


@desk_page
@require_safe
def collection_import_list(request, campaign, pk):
    """Send all documents of an import that are new, changed, damaged or absent, as CSV."""
    row = _import_of(campaign, pk)
    if "list_file" not in row.outcome:
        raise Http404
    stream = open_stored(row.outcome["list_file"])
    name = f"{row.collection.line}-import-{row.pk}.csv"
    return FileResponse(stream, as_attachment=True, filename=name, content_type=content_type_of(name))


@desk_page
@require_POST
def accept_import(request, campaign, pk):
    """Put the version that an import makes in the place of the collection."""
    row = _import_of(campaign, pk)
    seen = request.POST.get("seen", "")
    pressed(request, collection_decisions.accept_import, row, by=By(request.user), seen=seen, told=_told_accepted)
    return redirect("collection-import", campaign.slug, pk)


def _told_accepted(row):
    version = row.prepared.label if row.prepared else row.collection.label
    return f"{version} is in use now.{rechecked_sentence(row.outcome.get('rechecked', 0))}"


@desk_page
@require_POST
def discard_import(request, campaign, pk):
    """Drop an import and what it prepared."""
    row = _import_of(campaign, pk)
    told = f"{row.file_name} is discarded. {row.collection.name} is as it was."
    if pressed(request, collection_decisions.discard_import, row, by=By(request.user), told=told):
        return redirect(TAB, campaign.slug)
    return redirect("collection-import", campaign.slug, pk)


@desk_page
@require_POST
def start_import_again(request, campaign, pk):
    """Have a file read again."""
    row = _import_of(campaign, pk)
    collection_decisions.start_again(row)
    return redirect("collection-import", campaign.slug, row.pk)


@desk_page
@require_POST
def change_version(request, campaign, track):
    """Put another version of a track's collection in use."""
    track = track_of(campaign, track)
    version, seen = (whole_number(request.POST.get(name, "")) for name in ("version", "seen"))
    if track.collection is None or version is None:
        raise Http404
    chosen = {"collection": track.collection, "version": version, "seen": seen}
    pressed(request, use_version, by=By(request.user), told=_told_used, **chosen)
    return redirect(TAB, campaign.slug)


def _told_used(change):
    used, rechecked = change
    return f"{used.name} v{used.version} is in use.{rechecked_sentence(rechecked)}"
