"""What a campaign still needs before it can open, and before it can show results."""

from dataclasses import dataclass, replace

from django.db import transaction
from django.db.models import Count
from django.urls import reverse
from django.utils import timezone

from campaign.later import boards_of, has_assessments
from campaign.models import Campaign, CollectionImport
from campaign.services.refusals import Refused
from campaign.services.telling import trail
from limelight.moments import spoken
from limelight.wording import counted

LONGEST_REASON = 500


@dataclass(frozen=True, slots=True)
class Item:
    """One line of the checklist: done or missing, in a sentence, with the page where it is done.

    What does not apply to a campaign is set aside, with a reason.
    """

    key: str
    done: bool
    sentence: str
    url: str
    to_open: bool = True
    reason: str = ""

    @property
    def is_settled(self):
        """Return whether nothing is left to do about it."""
        return self.done or bool(self.reason)

    @property
    def word(self):
        """Return the state in a word."""
        if self.done:
            return "done"
        return "set aside" if self.reason else "missing" if self.to_open else "later"


def checklist(campaign, moment=None):
    """Return what is done and what is missing; the items that keep a campaign from opening come first."""
    moment = moment or timezone.now()
    return [replace(item, reason=campaign.set_aside.get(item.key, "")) for item in _items(campaign, moment)]


def _items(campaign, moment):
    slug = campaign.slug
    settings = reverse("desk-settings", args=[slug])
    tracks = list(campaign.tracks.select_related("collection").prefetch_related("tasks").annotate(Count("topics")))
    if campaign.agreement.strip():
        yield Item("agreement", True, "The agreement that teams accept is written.", settings)
    else:
        yield Item("agreement", False, "There is no agreement for teams to accept. Write one.", settings)
    if tracks:
        setup = reverse("desk-setup", args=[slug])
        yield Item("tracks", True, f"The campaign has {counted(len(tracks), 'track')}.", setup)
    else:
        yield Item("tracks", False, "The campaign has no track. Create one.", reverse("track-new", args=[slug]))
    for track in tracks:
        yield from _of_track(campaign, track, moment)
    if campaign.is_public:
        yield Item("listed", True, "Everybody finds the campaign.", settings)
    else:
        sentence = "Only organisers and admitted teams see the campaign. List it for everyone."
        yield Item("listed", False, sentence, settings)
    for track in tracks:
        yield from _results_of_track(campaign, track, moment)


def _of_track(campaign, track, moment):
    material = f"{reverse('desk-material', args=[campaign.slug])}#{track.slug}"
    edit = reverse("track-edit", args=[campaign.slug, track.slug])
    if track.topics__count:
        yield Item(f"topics-{track.pk}", True, f"{track.name} has {counted(track.topics__count, 'topic')}.", material)
    else:
        yield Item(f"topics-{track.pk}", False, f"{track.name} has no topics. Upload them.", material)
    yield _collection_item(track, material, edit)
    tasks = list(track.tasks.all())
    if not tasks:
        new = reverse("task-new", args=[campaign.slug, track.slug])
        yield Item(f"tasks-{track.pk}", False, f"{track.name} has no task. Create one.", new)
    for task in tasks:
        yield _task_item(campaign, track, task, moment)


def _collection_item(track, material, edit):
    collection, key = track.collection, f"collection-{track.pk}"
    if collection is None:
        return Item(key, False, f"{track.name} has no collection. Choose or make one.", edit)
    documents = collection.documents.count()
    if documents:
        return Item(key, True, f"{collection.name} has {counted(documents, 'document')}.", material)
    if CollectionImport.objects.unfinished().filter(collection=collection).exists():
        return Item(key, False, f"{collection.name} is being read.", material)
    return Item(key, False, f"{collection.name} has no documents. Upload them.", material)


def _task_item(campaign, track, task, moment):
    edit = reverse("task-edit", args=[campaign.slug, track.slug, task.slug])
    name, key = f"{task.name} ({track.name})", f"task-{task.pk}"
    if not task.traits.is_scored:
        return Item(key, False, f"{name} takes no runs yet: there are no measures for its kind.", edit)
    if task.has_closed(moment):
        if task.runs.exists():
            return Item(key, True, f"{name} closed on {spoken(task.closes_at)}.", edit)
        return Item(key, False, f"{name} closed on {spoken(task.closes_at)} without runs. Give it new dates.", edit)
    if task.is_open(moment):
        return Item(key, True, f"{name} is open until {spoken(task.closes_at)}.", edit)
    return Item(key, True, f"{name} opens on {spoken(task.opens_at)} and closes on {spoken(task.closes_at)}.", edit)


def _results_of_track(campaign, track, moment):
    """Tell of assessments, boards and publication, which a campaign needs only after it has opened."""
    names = ("desk-assessments", "desk-boards", "desk-publication")
    assessments, boards, publication = (reverse(name, args=[campaign.slug]) for name in names)
    key = f"assessments-{track.pk}"
    if has_assessments(track):
        yield Item(key, True, f"{track.name} has assessments.", assessments, to_open=False)
    else:
        sentence = f"{track.name} has no assessments yet. Runs are scored once they are there."
        yield Item(key, False, sentence, assessments, to_open=False)
    tasks = [task for task in track.tasks.all() if task.traits.is_scored]
    if tasks:
        live = [task for task in tasks if boards_of(task).are_live]
        sentence = f"Boards of {track.name} that are live: {len(live)} of {len(tasks)}."
        yield Item(f"boards-{track.pk}", len(live) == len(tasks), sentence, boards, to_open=False)
        out = [task for task in tasks if task.is_published(moment)]
        sentence = f"Results of {track.name} that are published: {len(out)} of {len(tasks)}."
        yield Item(f"published-{track.pk}", len(out) == len(tasks), sentence, publication, to_open=False)


def missing_of(campaign, moment=None):
    """Return what keeps a campaign from opening."""
    return [item for item in checklist(campaign, moment) if item.to_open and not item.is_settled]


def set_aside(campaign, *, by, key, reason, seen=None):
    """Say why a line of the checklist does not apply; `seen` is the reason that the page showed."""
    reason = reason.strip()
    if not reason:
        raise Refused("Say why it does not apply: the other organisers read it.")
    if len(reason) > LONGEST_REASON:
        raise Refused(f"A reason has at most {LONGEST_REASON} characters.")
    _change_reason(by, campaign, key, reason, seen)


def take_up_again(campaign, *, by, key, seen=None):
    """Put a line that was set aside back on the checklist."""
    _change_reason(by, campaign, key, "", seen)


def _change_reason(by, campaign, key, reason, seen):
    with transaction.atomic():
        locked = Campaign.objects.select_for_update().get(pk=campaign.pk)
        item = next((item for item in checklist(locked) if item.key == key), None)
        if item is None:
            raise Refused("This line is no longer on the checklist.")
        if item.reason == reason:
            return  # a second click
        if seen is not None and item.reason != seen:
            theirs = f"set it aside: “{item.reason}”" if item.reason else "put it back on the checklist"
            yours = f" You wrote: “{reason}”" if reason else ""
            raise Refused(f"Somebody {theirs} after you opened this page. Nothing was changed.{yours}")
        kept = {one: told for one, told in locked.set_aside.items() if one != key}
        locked.set_aside = kept | ({key: reason} if reason else {})
        locked.save(update_fields=["set_aside"])
        subject = f"checklist of {locked.name}"
        trail.record(
            locked, trail.CHANGED, subject, by=by, line=item.sentence, changes={"set aside": [item.reason, reason]}
        )
