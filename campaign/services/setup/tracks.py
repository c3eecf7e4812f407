"""Tracks: making, changing, ordering and deleting them, and their collections and assessors."""

from django.db import IntegrityError, transaction
from django.db.models import Max, ProtectedError

from campaign.addresses import PAGE_NAMES
from campaign.models import Campaign, Collection, Run, Track
from campaign.services.generations import raise_generation
from campaign.services.people.conflicts import teams_in
from campaign.services.permissions.managing import may_use_collection
from campaign.services.refusals import Refused
from campaign.services.runs.rechecks import recheck_track
from campaign.services.setup.campaigns import find_person
from campaign.services.setup.ordering import move
from campaign.services.slugs import free_slug
from campaign.services.telling import trail
from campaign.services.telling.audit import NOTHING_DONE, changed_fields, refuse_stale, refuse_unseen, told
from limelight.wording import counted


def usable_collections(user):
    """Return the collections that an organiser may put under a track."""
    collections = Collection.objects.in_use().prefetch_related("tracks__campaign")
    return [collection for collection in collections if may_use_collection(user, collection)]


def shown_track(track):
    """Return what the page of a track shows."""
    people = track.assessors.order_by("username").values_list("username", flat=True)
    return {
        "name": track.name,
        "description": track.description,
        "collection": track.collection.name if track.collection else None,
        "assessors": list(people),
    }


def contents_of(track):
    """Return what goes with a track that is deleted."""
    return shown_track(track) | {
        "tasks": list(track.tasks.order_by("pk").values_list()),
        "topics": list(track.topics.order_by("pk").values_list("number", "title")),
    }


def shown_order(siblings):
    """Return the order in which a page shows tracks or tasks."""
    return {"order": list(siblings.order_by("position", "name").values_list("name", flat=True))}


def create_track(campaign, *, by, name, description="", collection=None, new_collection="", assessors=""):
    """Make a track; the same form sent twice makes one."""
    with transaction.atomic():
        Campaign.objects.select_for_update().get(pk=campaign.pk)
        same = campaign.tracks.filter(name__iexact=name).first()
        if same is not None:
            raise Refused(f"{campaign.name} has a track {same.name} already.", "name")
        people = _people(assessors)
        taken = PAGE_NAMES.union(campaign.tracks.values_list("slug", flat=True))
        last = campaign.tracks.aggregate(last=Max("position"))["last"] or 0
        track = Track.objects.create(
            campaign=campaign,
            slug=free_slug(name, taken, "track"),
            name=name,
            description=description,
            collection=_collection(by.user, None, collection, new_collection),
            position=last + 1,
        )
        track.assessors.set(people)
        trail.record(campaign, trail.CREATED, f"track {track.name}", by=by)
    return track


def change_track(track, *, by, name, description="", collection=None, new_collection="", assessors="", seen=""):
    """Change a track; another collection checks its runs again. Returns the track and how many runs are re-checked."""
    campaign = track.campaign
    with transaction.atomic():
        locked = Track.objects.select_for_update(of=("self",)).select_related("campaign").get(pk=track.pk)
        refuse_stale("this track", shown_track(locked), seen)
        if same := campaign.tracks.filter(name__iexact=name).exclude(pk=locked.pk).first():
            raise Refused(f"{campaign.name} has a track {same.name} already.", "name")
        people = _people(assessors)
        entered = {
            "name": name,
            "description": description,
            "collection": _collection(by.user, locked, collection, new_collection),
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
            raise_generation(*locked.tasks.all())
            locked.save(update_fields=changed)
        rechecked = recheck_track(locked) if "collection" in changed else 0
        details |= {"rechecked": rechecked} if rechecked else {}
        trail.record(campaign, trail.CHANGED, f"track {locked.name}", by=by, changes=details)
    return locked, rechecked


def runs_to_recheck(track, entered):
    """Count the valid runs that another collection would send through the check again."""
    collection = entered.get("collection")
    is_other = bool(entered.get("new_collection")) or (collection.pk if collection else None) != track.collection_id
    return Run.objects.valid().filter(task__track=track).count() if is_other else 0


def move_track(track, *, by, down, seen=""):
    """Move a track one place up or down among those of its campaign."""
    with transaction.atomic():
        Campaign.objects.select_for_update().get(pk=track.campaign_id)
        refuse_stale(
            f"the order of the tracks of {track.campaign.name}", shown_order(track.campaign.tracks), seen, NOTHING_DONE
        )
        if move(track, track.campaign.tracks.all(), down=down):
            trail.record(track.campaign, trail.CHANGED, f"order of the tracks of {track.campaign.name}", by=by)


def delete_track(track, *, by, seen=""):
    """Delete a track without runs and assessments, with its topics and tasks; its collection stays."""
    with transaction.atomic():
        refuse_unseen(
            f"{track.name}, or something in it,", contents_of(Track.objects.select_for_update().get(pk=track.pk)), seen
        )
        runs = Run.objects.filter(task__track=track).count()
        if runs:
            raise Refused(f"{track.name} has {counted(runs, 'run')}. A track with runs is not deleted.")
        trail.record(track.campaign, trail.DELETED, f"track {track.name}", by=by, topics=track.topics.count())
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
    if collection is not None and not kept and not may_use_collection(user, collection):
        raise Refused("This collection is not open to you.", "collection")
    return collection


def new_assessors_who_take_part(campaign, assessors, track=None):
    """Return who of the people that are to assess is in a team of the campaign and did not assess before."""
    try:
        people = _people(assessors)
    except Refused:
        return []  # told with the other faults
    known = set(track.assessors.all()) if track else set()
    return teams_in([person for person in people if person not in known], campaign)


def _people(text):
    """Return the people named by user name or e-mail address, separated by blanks, commas or lines."""
    people, unknown = [], []
    for word in text.replace(",", " ").replace(";", " ").split():
        try:
            people.append(find_person(word))
        except Refused as refusal:
            unknown.append(refusal.reason)
    if unknown:
        raise Refused(" ".join(unknown), "assessors")
    return people
