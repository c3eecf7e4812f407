"""Versions of a collection: prepared beside the one in use, put in its place in one step, and gone back to.

A version has rows of its own for its documents and shares the files of those that did not change. Editions point at
the version they were scored with, so that old boards can be made again.
"""

import secrets
from dataclasses import dataclass, field
from datetime import timedelta

from django.db import transaction
from django.db.models import Exists, F, Max, OuterRef, Subquery
from django.utils import timezone

from campaign.models import Collection, CollectionImport, Document, Track
from campaign.services.documents.changes import DAMAGED, UNCHANGED, known_documents
from campaign.services.documents.collections import BATCH, document_of, write_documents
from campaign.services.permissions.managing import may_fill_collection
from campaign.services.refusals import Refused, Stale
from campaign.services.runs.rechecks import recheck_collection
from campaign.services.telling import trail

COPIED_AT_ONCE = 2_000
LEFT_OVER_AFTER = timedelta(days=1)
LONGEST_SLUG = Collection._meta.get_field("slug").max_length


@dataclass
class Reading:
    """What reading a file for a collection found, besides the documents that come in."""

    documents: int = 0
    unchanged: int = 0
    damaged: list = field(default_factory=list)
    absent: list = field(default_factory=list)


def mark_of(collection):
    """Return what tells whether a collection is still as it was when a file was held against it."""
    return f"{collection.pk} {collection.changed_at.isoformat() if collection.changed_at else ''}"


def prepare(collection):
    """Make an empty version beside a collection, for the documents that a file would bring."""
    return Collection.objects.create(
        slug=f"prepared-{secrets.token_hex(8)}",
        line=collection.line,
        version=None,
        supersedes=collection,
        name=collection.name,
        description=collection.description,
    )


def stage(prepared, changes_of, *, progress=None):
    """Write the documents that come in into a prepared version, in batches; what was written before is passed over.

    `changes_of` returns the changes, given the documents of the collection and the ids that were read before.
    """
    known, reading, batch = known_documents(prepared.supersedes), Reading(), []
    absent = set(known)
    read_before = frozenset(prepared.documents.values_list("identifier", flat=True))
    for change in changes_of(known, read_before):
        absent.discard(change.identifier)
        reading.documents += 1
        reading.unchanged += change.kind == UNCHANGED
        if change.kind == DAMAGED:
            reading.damaged.append(change)
        if change.comes_in:
            batch.append(document_of(prepared, change))
        if len(batch) >= BATCH:
            write_documents(prepared, batch)
            batch = []
        if progress:
            progress(change)
    write_documents(prepared, batch)
    reading.absent = [(identifier, known[identifier][1]) for identifier in sorted(absent)]
    return reading


def new_documents(prepared):
    """Return the documents of a prepared version that the collection does not have."""
    return prepared.documents.filter(~Exists(_as_they_were(prepared)))


def changed_documents(prepared):
    """Return the documents of a prepared version that the collection has, with their lengths there as `before`.

    Those that would lose most stand first.
    """
    before = Subquery(_as_they_were(prepared).values("length")[:1])
    found = prepared.documents.filter(Exists(_as_they_were(prepared))).annotate(before=before)
    return found.order_by(F("length") - F("before"), "identifier")


def _as_they_were(prepared):
    return Document.objects.filter(collection=prepared.supersedes_id, identifier=OuterRef("identifier")).order_by()


def complete(prepared):
    """Give a prepared version all documents of the collection that the file leaves alone, sharing their files."""
    last = 0
    while True:
        rows = Document.objects.filter(collection=prepared.supersedes_id, pk__gt=last).order_by("pk")
        batch = list(rows[:COPIED_AT_ONCE])
        if not batch:
            return
        last = batch[-1].pk
        for document in batch:
            document.pk, document.collection, document._state.adding = None, prepared, True
        write_documents(prepared, batch)  # those that changed are there already and stay


def take_in(prepared, mark):
    """Move the new documents of a prepared version into the collection; returns how many runs are checked again."""
    with transaction.atomic():
        collection = _held(prepared, mark)
        came = prepared.documents.update(collection=collection)
        if came:
            changed = {"changed_at": timezone.now(), "has_text": collection.has_text or prepared.has_text}
            Collection.objects.filter(pk=collection.pk).update(**changed)
        prepared.delete()
        return recheck_collection(collection) if came else 0


def put_in_place(prepared, mark):
    """Put a prepared version in the place of the collection it was made of.

    Returns it, and how many runs are checked again. Tracks move along; the old version stays to be read.
    """
    with transaction.atomic():
        collection = _held(prepared, mark)
        newest = Collection.objects.versions_of(collection).aggregate(newest=Max("version"))["newest"]
        Collection.objects.filter(pk=prepared.pk).update(version=newest + 1, changed_at=timezone.now())
        return _switch(collection, Collection.objects.get(pk=prepared.pk))


@dataclass(frozen=True, slots=True)
class MadeVersion:
    """A version that was made in one go: how many documents came in, what was read, how many runs are checked again."""

    collection: Collection
    came: int
    reading: Reading
    rechecked: int


def make_version(collection, changes_of, *, record=None):
    """Read, prepare and put in place a new version without asking; `record` is called in the last transaction."""
    for prepared in left_over(collection):
        drop(prepared)
    mark, prepared = mark_of(collection), prepare(collection)
    try:
        reading = stage(prepared, changes_of)
        came = prepared.documents.count()
        complete(prepared)
        with transaction.atomic():
            version, rechecked = put_in_place(prepared, mark)
            made = MadeVersion(version, came, reading, rechecked)
            if record:
                record(made)
    except BaseException:
        drop(prepared)
        raise
    return made


def _held(prepared, mark):
    """Lock the collection of a prepared version, if it still is what the file was held against."""
    collection = next(version for version in _hold(prepared.line) if version.pk == prepared.supersedes_id)
    if not collection.is_in_use or mark_of(collection) != mark:
        raise Stale(f"{collection.name} has changed since this file was read. Have it read again, and look once more.")
    return collection


def _hold(line):
    """Lock all versions of a collection, always in the same order, and return them as they are then."""
    return list(Collection.objects.select_for_update().filter(line=line).order_by("pk"))


def _switch(old, new):
    """Let one version take the address and the tracks of another; the caller holds the one in use."""
    Collection.objects.filter(pk=old.pk).update(slug=_address(old))
    Collection.objects.filter(pk=new.pk).update(slug=new.line)
    new.slug = new.line
    Track.objects.filter(collection=old).update(collection=new)
    return new, recheck_collection(new)


def _address(collection):
    ending = f"-v{collection.version}"
    wanted = f"{collection.line[: LONGEST_SLUG - len(ending) - 5]}{ending}"
    taken = Collection.objects.filter(slug=wanted).exclude(pk=collection.pk).exists()
    return f"{wanted}-{secrets.token_hex(2)}" if taken else wanted


def drop(prepared):
    """Throw away a version that was prepared and not accepted."""
    if prepared is not None and prepared.version is None:
        prepared.delete()


def use_version(collection, *, by, version, seen):
    """Put another version of a collection in use, an earlier one or the one that was left; twice changes nothing.

    Returns it, and how many runs are checked again.
    """
    with transaction.atomic():
        # Not by a condition: PostgreSQL would ask it again of a row that was let go, and find none.
        in_use = next(version for version in _hold(collection.line) if version.is_in_use)
        if not may_fill_collection(by.user, in_use):
            raise Refused(f"{in_use.name} is used by campaigns that you do not organise. Its documents stay.")
        wanted = Collection.objects.versions_of(in_use).filter(version=version).first()
        if wanted is None:
            raise Refused(f"{in_use.name} has no v{version}.")
        if wanted == in_use:
            return in_use, 0
        if in_use.version != seen:
            raise Refused(f"{in_use.name} is at v{in_use.version} by now. Look at its versions again.")
        campaigns = {track.campaign for track in in_use.tracks.select_related("campaign")}
        wanted, rechecked = _switch(in_use, wanted)
        details = {"changes": {"version": [f"v{in_use.version}", f"v{wanted.version}"]}}
        details |= {"rechecked": rechecked} if rechecked else {}
        for campaign in sorted(campaigns, key=lambda campaign: campaign.pk):
            trail.record(campaign, trail.CHANGED, f"documents of {in_use.name}", by=by, **details)
    return wanted, rechecked


def left_over(collection):
    """Return what commands that were broken off have left behind: prepared versions that no import leads to."""
    led_to = CollectionImport.objects.filter(prepared__isnull=False).values("prepared")
    long_ago = timezone.now() - LEFT_OVER_AFTER
    return Collection.objects.filter(line=collection.line, version=None, created_at__lt=long_ago).exclude(pk__in=led_to)
