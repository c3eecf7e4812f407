"""Loads the demo campaign through the same services that organisers and participants use."""

from datetime import timedelta
from io import BytesIO

from django.conf import settings
from django.utils import timezone

from assessments.services.imports import import_assessments
from campaign.models import (
    Campaign,
    Collection,
    Run,
    Task,
    TaskKind,
    Track,
    Visible,
)
from campaign.services.acting import By
from campaign.services.documents.collections import import_collection
from campaign.services.setup.topics import read_records, take_topics
from evaluation.demo.dates import date_runs
from evaluation.demo.passages import assessments_in
from evaluation.demo.people import accounts, last_minute, registered_team
from evaluation.demo.pilot import SERIES, load_pilot
from evaluation.demo.runs import hand_in, runs_listed_in
from evaluation.demo.scoring import score_now
from evaluation.services.decisions import activate
from limelight.scoring.evaluators import official_measure

SLUG = "demo"
FOLDER = settings.BASE_DIR / "demo"
TEAMS = {
    "argand": ("Argand", "participant"),
    "drummond": ("Drummond", "rival"),
    "fresnel": ("Fresnel", None),
    "swan": ("Swan", None),
}
TASKS = (
    (
        TaskKind.FOCUSED,
        "Return a ranked list of passages or elements that do not overlap: "
        "as much relevant text as possible, with as little else.",
    ),
    (TaskKind.RELEVANT_IN_CONTEXT, "Return documents, and within each the passages that are relevant."),
    (TaskKind.BEST_IN_CONTEXT, "Return documents, and for each the one point where a reader should begin."),
    (
        TaskKind.THOROUGH,
        "Return every element that holds relevant text, ranked; elements may lie in one another. "
        "The board is anonymous until the results are published.",
    ),
)
OPEN = (TaskKind.FOCUSED, TaskKind.THOROUGH)
QUOTAS = {TaskKind.FOCUSED: None, TaskKind.THOROUGH: 3}


def load_demo(say=print):
    """Load the whole campaign; Focused and the anonymous Thorough stay open, the others are closed and published."""
    users = accounts()
    campaign = _campaign(users)
    track = campaign.tracks.get()
    documents = sorted((FOLDER / "collection").glob("*.xml"))
    imported = import_collection(track.collection, ((file.stem, BytesIO(file.read_bytes())) for file in documents))
    if imported.problems:
        raise RuntimeError(f"The demo collection has problems: {imported.problems}")
    topics = take_topics(track, records=read_records(BytesIO((FOLDER / "topics.xml").read_bytes())), file="topics.xml")
    say(f"Demo: {imported.imported} documents, {topics.count} topics.")
    assessment_set = import_assessments(
        track,
        by=By(users["assessor"]),
        stream=BytesIO(assessments_of_demo()),
        file_name="demo-assessments.qrels",
        notes="The first reading of all fifteen topics.",
    )
    activate(assessment_set)
    highlighted = f"{assessment_set.highlighted_characters:,} highlighted characters"
    say(f"Demo: {assessment_set.judgement_count} judgements, {highlighted}.")
    teams = {
        slug: registered_team(campaign, slug=slug, name=name, affiliation="Demo team", leader=users.get(username))
        for slug, (name, username) in TEAMS.items()
    }
    runs = [hand_in(entry, FOLDER, track, teams) for entry in runs_of_demo()]
    _close(track)
    _read_again(track, users["assessor"], say)
    load_pilot(track.collection, teams, users, say)
    rejected = sum(run.state == Run.State.REJECTED for run in runs)
    say(f"Demo: {len(runs) - rejected} runs of {len(teams)} teams scored, {rejected} rejected.")
    return campaign


def _read_again(track, assessor, say):
    """Import and activate the second version, in which an assessor read three topics once more with care."""
    second = import_assessments(
        track,
        by=By(assessor),
        stream=BytesIO(assessments_of_demo(second_reading=True)),
        file_name="demo-assessments-2.qrels",
        notes="A careful re-reading of topics 101, 102 and 110; the reasons stand beside each change in the files.",
    )
    editions = activate(second)
    score_now(edition__in=editions)
    say(f"Demo: assessments v{second.version}, three topics read again, and all boards scored anew.")


def assessments_of_demo(second_reading=False):
    """Return the demo's assessments as a file in the format of 2008 to 2010, as first read or as read again."""
    files = {file.name: file for file in (FOLDER / "assessments").glob("*.toml")}
    if second_reading:
        files |= {file.name: file for file in (FOLDER / "assessments" / "second").glob("*.toml")}
    return assessments_in(files.values(), FOLDER / "collection")


def runs_of_demo():
    """Return what the demo says about each of its runs."""
    return runs_listed_in(FOLDER)


def _campaign(users):
    today = timezone.now()
    campaign = Campaign.objects.create(
        slug=SLUG,
        name="Lamps and Lighthouses",
        year=today.year,
        series=SERIES,
        summary="A small campaign to look around in: 42 articles about artificial light, 15 topics, 4 teams.",
        description=(
            "Everything here is real, though small: the articles were written for it, the relevant text was "
            "highlighted by reading them, and the runs were produced by retrieval systems. Nothing in the scores is "
            "made up."
        ),
        is_public=True,
        agreement="The collection may be used for research and teaching.",
    )
    campaign.organisers.add(users["organiser"])
    collection = Collection.objects.create(
        slug="lamps", name="Lamps and lighthouses", description="Encyclopaedic articles about artificial light."
    )
    track = Track.objects.create(
        campaign=campaign,
        slug="ad-hoc",
        name="Ad hoc",
        description="Fifteen questions about lamps, lenses, signals and the people who tended them.",
        collection=collection,
    )
    track.assessors.add(users["assessor"])
    for position, (kind, description) in enumerate(TASKS, start=1):
        Task.objects.create(
            track=track,
            slug=kind.value,
            name=kind.label,
            kind=kind,
            official_measure=official_measure(kind.value),
            description=description,
            position=position,
            opens_at=today - timedelta(days=60),
            closes_at=last_minute(today + timedelta(days=14)),
            quota=QUOTAS.get(kind, 5),
            other_scores_visible=Visible.AT_ONCE if kind in OPEN else Visible.AT_PUBLICATION,
            names_visible=Visible.AT_PUBLICATION if kind == TaskKind.THOROUGH else Visible.AT_ONCE,
        )
    return campaign


def _close(track):
    now = timezone.now()
    track.tasks.exclude(kind__in=OPEN).update(
        closes_at=last_minute(now - timedelta(days=7)), published_at=now - timedelta(days=3)
    )
    date_runs(track)
