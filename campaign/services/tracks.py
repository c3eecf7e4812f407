"""Tracks: making, changing, ordering and deleting them, and their collections and assessors."""

from django.db import IntegrityError, transaction
from django.db.models import Max, ProtectedError

from campaign.models import Campaign, Collection, Run, Track
from campaign.services import trail
from campaign.services.campaigns import find_person
from campaign.services.changes import changed_fields, told
from campaign.services.notifications import counted
from campaign.services.ordering import move
from campaign.services.permissions import organises
from campaign.services.rechecks import recheck_track
from campaign.services.refusals import Refused
from campaign.services.slugs import free_slug

TAKEN_BY_PAGES = {"new", "register"}


def usable_collections(user):
    """Return the collections that an organiser may put under a track."""
    collections = Collection.objects.prefetch_related("tracks__campaign")
    return [collection for collection in collections if may_use(user, collection)]


def may_use(user, collection):
    """Tell whether a person may put a collection under a track: who organises a campaign that uses it already.

    Reading it is not enough: another campaign's gates would open what one campaign keeps shut.
    """
    tracks = collection.tracks.all()
    return user.is_superuser or any(organises(user, track.campaign) for track in tracks)


def may_fill(user, collection):
    """Tell whether a person may import documents into a collection: who organises every campaign that uses it."""
    tracks = list(collection.tracks.select_related("campaign"))
    return user.is_superuser or (bool(tracks) and all(organises(user, track.campaign) for track in tracks))


def create_track(*, user, campaign, name, description="", collection=None, new_collection="", assessors=""):
    """Make a track; the same form sent twice makes one."""
    with transaction.atomic():
        Campaign.objects.select_for_update().get(pk=campaign.pk)
        same = campaign.tracks.filter(name__iexact=name).first()
        if same is not None:
            raise Refused(f"{campaign.name} has a track {same.name} already.", "name")
        people = _people(assessors)
        taken = TAKEN_BY_PAGES.union(campaign.tracks.values_list("slug", flat=True))
        last = campaign.tracks.aggregate(last=Max("position"))["last"] or 0
        track = Track.objects.create(
            campaign=campaign,
            slug=free_slug(name, taken, "track"),
            name=name,
            description=description,
            collection=_collection(user, None, collection, new_collection),
            position=last + 1,
        )
        track.assessors.set(people)
        trail.record(campaign, trail.CREATED, f"track {track.name}", actor=user)
    return track


def change_track(*, user, track, name, description="", collection=None, new_collection="", assessors=""):
    """Change a track; another collection checks its runs again. Returns the track and how many runs are re-checked."""
    campaign = track.campaign
    with transaction.atomic():
        locked = Track.objects.select_for_update(of=("self",)).select_related("campaign").get(pk=track.pk)
        if same := campaign.tracks.filter(name__iexact=name).exclude(pk=locked.pk).first():
            raise Refused(f"{campaign.name} has a track {same.name} already.", "name")
        people = _people(assessors)
        entered = {
            "name": name,
            "description": description,
            "collection": _collection(user, locked, collection, new_collection),
        }
        changed = changed_fields(locked, entered)
        details = told(locked, entered, changed)
        before = set(locked.assessors.all())
        if before != set(people):
            details["assessors"] = [sorted(person.pk for person in group) for group in (before, people)]
            locked.assessors.set(people)
        if not details:
            return locked, 0
        for field in changed:
            setattr(locked, field, entered[field])
        if changed:
            locked.save(update_fields=changed)
        rechecked = recheck_track(locked) if "collection" in changed else 0
        details |= {"rechecked": rechecked} if rechecked else {}
        trail.record(campaign, trail.CHANGED, f"track {locked.name}", actor=user, changes=details)
    return locked, rechecked


def move_track(*, user, track, down):
    """Move a track one place up or down among those of its campaign."""
    with transaction.atomic():
        Campaign.objects.select_for_update().get(pk=track.campaign_id)
        if move(track, track.campaign.tracks.all(), down=down):
            trail.record(track.campaign, trail.CHANGED, f"order of the tracks of {track.campaign.name}", actor=user)


def delete_track(*, user, track):
    """Delete a track without runs and assessments, with its topics and tasks; its collection stays."""
    with transaction.atomic():
        Track.objects.select_for_update().get(pk=track.pk)
        runs = Run.objects.filter(task__track=track).count()
        if runs:
            raise Refused(f"{track.name} has {counted(runs, 'run')}. A track with runs is not deleted.")
        trail.record(track.campaign, trail.DELETED, f"track {track.name}", actor=user, topics=track.topics.count())
        try:
            with transaction.atomic():
                track.delete()
        except (ProtectedError, IntegrityError):
            raise Refused(f"{track.name} has assessments. A track with assessments is not deleted.") from None


def _collection(user, track, collection, new_collection):
    new_collection = new_collection.strip()
    if new_collection:
        if collection is not None and (track is None or track.collection != collection):
            raise Refused("Choose a collection, or name a new one: not both.", "new_collection")
        taken = set(Collection.objects.values_list("slug", flat=True))
        slug = free_slug(new_collection, taken, "collection")
        return Collection.objects.create(slug=slug, name=new_collection)
    kept = track is not None and track.collection == collection
    if collection is not None and not kept and not may_use(user, collection):
        raise Refused("This collection is not open to you.", "collection")
    return collection


def _people(text):
    """Return the people named by user name or e-mail address, separated by blanks, commas or lines."""
    people = []
    for word in text.replace(",", " ").replace(";", " ").split():
        try:
            people.append(find_person(word))
        except Refused as refusal:
            raise Refused(refusal.reason, "assessors") from None
    return people
