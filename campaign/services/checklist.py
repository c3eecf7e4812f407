"""What a campaign still needs before it can open, and before it can show results."""

from dataclasses import dataclass

from django.db.models import Count
from django.urls import reverse
from django.utils import timezone

from campaign.deadlines import spoken
from campaign.models import CollectionImport
from campaign.services.notifications import counted
from evaluation.evaluators import EVALUATORS


@dataclass(frozen=True, slots=True)
class Item:
    """One line of the checklist: done or missing, in a sentence, with the page where it is done."""

    done: bool
    sentence: str
    url: str
    to_open: bool = True

    @property
    def word(self):
        """Return the state in a word."""
        return "done" if self.done else "missing" if self.to_open else "later"


def checklist(campaign, moment=None):
    """Return what is done and what is missing; the items that keep a campaign from opening come first."""
    moment, slug = moment or timezone.now(), campaign.slug
    settings = reverse("desk-settings", args=[slug])
    tracks = list(campaign.tracks.select_related("collection").prefetch_related("tasks").annotate(Count("topics")))
    items = [
        Item(True, "The agreement that teams accept is written.", settings)
        if campaign.agreement.strip()
        else Item(False, "There is no agreement for teams to accept. Write one.", settings),
        Item(True, f"The campaign has {counted(len(tracks), 'track')}.", reverse("desk-setup", args=[slug]))
        if tracks
        else Item(False, "The campaign has no track. Create one.", reverse("track-new", args=[slug])),
    ]
    for track in tracks:
        items += _of_track(campaign, track, moment)
    items.append(
        Item(True, "Everybody finds the campaign.", settings)
        if campaign.is_public
        else Item(False, "Only organisers and admitted teams see the campaign. List it for everyone.", settings)
    )
    for track in tracks:
        items += _results_of_track(campaign, track)
    return items


def _of_track(campaign, track, moment):
    material = f"{reverse('desk-material', args=[campaign.slug])}#{track.slug}"
    edit = reverse("track-edit", args=[campaign.slug, track.slug])
    if track.topics__count:
        yield Item(True, f"{track.name} has {counted(track.topics__count, 'topic')}.", material)
    else:
        yield Item(False, f"{track.name} has no topics. Upload them.", material)
    yield _collection_item(track, material, edit)
    tasks = list(track.tasks.all())
    if not tasks:
        new = reverse("task-new", args=[campaign.slug, track.slug])
        yield Item(False, f"{track.name} has no task. Create one.", new)
    for task in tasks:
        yield _task_item(campaign, track, task, moment)


def _collection_item(track, material, edit):
    collection = track.collection
    if collection is None:
        return Item(False, f"{track.name} has no collection. Choose or make one.", edit)
    documents = collection.documents.count()
    if documents:
        return Item(True, f"{collection.name} has {counted(documents, 'document')}.", material)
    if CollectionImport.objects.unfinished().filter(collection=collection).exists():
        return Item(False, f"{collection.name} is being read.", material)
    return Item(False, f"{collection.name} has no documents. Upload them.", material)


def _task_item(campaign, track, task, moment):
    edit = reverse("task-edit", args=[campaign.slug, track.slug, task.slug])
    name = f"{task.name} ({track.name})"
    if task.kind not in EVALUATORS:
        return Item(False, f"{name} takes no runs yet: there are no measures for its kind.", edit)
    if task.has_closed(moment):
        if task.runs.exists():
            return Item(True, f"{name} closed on {spoken(task.closes_at)}.", edit)
        return Item(False, f"{name} closed on {spoken(task.closes_at)} without runs. Give it new dates.", edit)
    if task.is_open(moment):
        return Item(True, f"{name} is open until {spoken(task.closes_at)}.", edit)
    return Item(True, f"{name} opens on {spoken(task.opens_at)} and closes on {spoken(task.closes_at)}.", edit)


def _results_of_track(campaign, track):
    """Tell of assessments and boards, which a campaign needs only after it has opened."""
    assessments, desk = (reverse(name, args=[campaign.slug]) for name in ("desk-assessments", "desk-boards"))
    if track.assessment_sets.exists():
        yield Item(True, f"{track.name} has assessments.", assessments, to_open=False)
    else:
        yield Item(
            False, f"{track.name} has no assessments yet. Runs are scored once they are there.", assessments, False
        )
    tasks = [task for task in track.tasks.all() if task.kind in EVALUATORS]
    boards = [task for task in tasks if task.editions.filter(state="live").exists()]
    if tasks:
        sentence = f"Boards of {track.name} that are live: {len(boards)} of {len(tasks)}."
        yield Item(len(boards) == len(tasks), sentence, desk, to_open=False)


def missing_of(campaign):
    """Return what keeps a campaign from opening."""
    return [item for item in checklist(campaign) if item.to_open and not item.done]
