"""The pilot of the year before: a board that hides nothing, so that visitors can see what results lead to.

The tasks of the demo share their topics, and while one of them is open nobody may see its answer key. The pilot has
topics of its own, over the same documents.
"""

from datetime import timedelta
from io import BytesIO

from django.conf import settings
from django.utils import timezone

from assessments.services.imports import import_assessments
from campaign.machinery.wake import wake
from campaign.models import Campaign, Notification, Task, TaskKind, Track, Visible
from campaign.services.acting import By
from campaign.services.setup.topics import read_records, take_topics
from evaluation.demo.dates import date_runs
from evaluation.demo.passages import assessments_in
from evaluation.demo.people import last_minute, let_in
from evaluation.demo.runs import hand_in, runs_listed_in
from evaluation.models import Edition
from evaluation.services.decisions import activate
from evaluation.services.excerpts import TASK
from limelight.scoring.evaluators import official_measure

SERIES = "Lamps and Lighthouses"
SLUG = "demo-pilot"
FOLDER = settings.BASE_DIR / "demo" / "pilot"
LONG_AGO = timedelta(days=400)


def load_pilot(collection, teams, users, say=print):
    """Load the pilot with a run of each team; it is closed and published, and everything of it is open."""
    began = timezone.now()
    campaign = _campaign(users)
    track = _track(campaign, collection)
    topics = take_topics(track, records=read_records(BytesIO((FOLDER / "topics.xml").read_bytes())), file="topics.xml")
    assessment_set = import_assessments(
        track,
        by=By(users["assessor"]),
        stream=BytesIO(assessments_in((FOLDER / "assessments").glob("*.toml"), FOLDER.parent / "collection")),
        file_name="pilot-assessments.qrels",
        notes="All four topics, read once.",
    )
    activate(assessment_set)
    for team in teams.values():
        let_in(team, campaign)
    runs = [hand_in(entry, FOLDER, track, teams) for entry in runs_listed_in(FOLDER)]
    _publish(track, began)
    say(f"Demo: the pilot of the year before, {topics.count} topics and {len(runs)} runs, all of it open.")
    return campaign


def _campaign(users):
    campaign = Campaign.objects.create(
        slug=SLUG,
        name="Lamps and Lighthouses, the pilot",
        year=(timezone.now() - LONG_AGO).year,
        series=SERIES,
        summary="Four topics over the same 42 articles, a year earlier, with everything published.",
        description=(
            "A small trial before the first campaign. It is over, and nothing of it is hidden: follow a score to its "
            "topics, to the ranked list and to the text, and see what was highlighted there and what a run returned."
        ),
        is_public=True,
        agreement="The collection may be used for research and teaching.",
    )
    campaign.organisers.add(users["organiser"])
    return campaign


def _track(campaign, collection):
    now = timezone.now()
    track = Track.objects.create(
        campaign=campaign,
        slug="ad-hoc",
        name="Ad hoc",
        description="Four questions about lamps, taxes, wars and mirrors.",
        collection=collection,
    )
    kind = TaskKind.FOCUSED
    Task.objects.create(
        track=track,
        slug=kind.value,
        name=kind.label,
        kind=kind,
        official_measure=official_measure(kind.value),
        description="Return a ranked list of passages or elements that do not overlap.",
        opens_at=now - LONG_AGO - timedelta(days=60),
        closes_at=last_minute(now + timedelta(days=2)),
        quota=1,
        other_scores_visible=Visible.AT_PUBLICATION,
    )
    return track


def _publish(track, began):
    """Let it have closed, been published and been told long ago; have the passage made that the front page shows."""
    closed = last_minute(timezone.now() - LONG_AGO)
    track.tasks.update(closes_at=closed, published_at=closed + timedelta(days=30))
    Edition.objects.filter(task__track=track).update(live_at=closed + timedelta(days=29))
    date_runs(track)
    Notification.objects.filter(user__is_demo=True, created_at__gte=began).update(read_at=closed)
    wake(TASK, f"{Edition.objects.live().get(task__track=track).pk}")
