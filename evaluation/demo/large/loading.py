"""Loads the large demo through the same services that organisers and participants use."""

import time
from datetime import timedelta
from io import BytesIO

from django.utils import timezone

from assessments.services.imports import import_assessments
from campaign.models import Campaign, Collection, Run, Task, TaskKind, Team, Track, Visible
from campaign.services.acting import By
from campaign.services.documents.collections import import_collection
from campaign.services.runs.checks import check_run
from campaign.services.runs.renaming import make_official
from campaign.services.runs.submissions import submit_run, withdraw_run
from campaign.services.setup.topics import read_records, take_topics
from campaign.services.slugs import free_slug
from campaign.services.visibility.publication import publish
from evaluation.demo.dates import date_runs
from evaluation.demo.people import accounts, last_minute, registered_team
from evaluation.demo.scoring import score_now
from evaluation.models import Evaluation
from evaluation.services.decisions import activate
from evaluation.services.scoring import evaluate
from limelight.scoring.evaluators import official_measure

SLUG = "large"
SAID_EVERY = 10
"""Seconds between two sentences about how far it has come."""

TASKS = {
    TaskKind.FOCUSED: "Return a ranked list of passages or elements that do not overlap.",
    TaskKind.RELEVANT_IN_CONTEXT: "Return documents, and within each the passages that are relevant.",
    TaskKind.BEST_IN_CONTEXT: "Return documents, and for each the one point where a reader should begin.",
    TaskKind.THOROUGH: "Return every element that holds relevant text. The board is anonymous until publication.",
}
ANONYMOUS = TaskKind.THOROUGH
LEADERS = ("participant", "rival")
"""The accounts that lead the first teams; the others have leaders who cannot sign in."""


class Progress:
    """Says now and then how much of something long is done."""

    def __init__(self, say, doing, total):
        self.say, self.doing, self.total, self.done = say, doing, total, 0
        self.next_at = time.monotonic() + SAID_EVERY

    def step(self):
        """Count one more."""
        self.done += 1
        if time.monotonic() >= self.next_at and self.done < self.total:
            self.say(f"Large demo: {self.done:,} of {self.total:,} {self.doing}.")
            self.next_at = time.monotonic() + SAID_EVERY


def load_large_demo(world, say=print):
    """Load a whole campaign: all tasks closed, all but the anonymous one published, with two editions each."""
    users = accounts()
    track = _track(world, users)
    _read_material(world, track, say)
    assessment_set = _import(world, track, users, say)
    activate(assessment_set)
    teams = _teams(world, track.campaign, users)
    runs = _take_part(world, track, teams, say)
    _take_back(world, runs)
    _close(track, users)
    _read_again(world, track, users, say)
    states = [run.state for run in runs]
    say(
        f"Large demo: {states.count(Run.State.VALID):,} runs of {len(teams):,} teams scored, "
        f"{sum(entry.is_withdrawn for entry in world.entries):,} of them withdrawn, and "
        f"{states.count(Run.State.REJECTED):,} rejected."
    )
    return track.campaign


def _track(world, users):
    today = timezone.now()
    campaign = Campaign.objects.create(
        slug=SLUG,
        name="The Encyclopaedia of Aldermere",
        year=today.year,
        summary=(
            f"A large campaign, made from a seed: {len(world.articles)} articles, {world.topic_count} topics, "
            f"{len(world.entrants)} teams."
        ),
        description=(
            "Everything here is made up, from the province and its articles to the teams. The systems did not search: "
            "each knows what is relevant and errs in a way of its own. Files, checks and scores are real."
        ),
        is_public=True,
        agreement="The collection may be used by anybody for anything.",
    )
    campaign.organisers.add(users["organiser"])
    taken = set(Collection.objects.values_list("slug", flat=True))
    collection = Collection.objects.create(
        slug=free_slug("Aldermere", taken, "collection"),
        name="The Encyclopaedia of Aldermere",
        description="Articles about a province that does not exist.",
    )
    track = Track.objects.create(
        campaign=campaign,
        slug="ad-hoc",
        name="Ad hoc",
        description="Questions about the bridges, mills and harbours of a province that does not exist.",
        collection=collection,
    )
    track.assessors.add(users["assessor"])
    for position, (kind, description) in enumerate(TASKS.items(), start=1):
        _task(track, kind, description, position, today)
    return track


def _task(track, kind, description, position, today):
    scores, names = Visible.AT_PUBLICATION, Visible.AT_ONCE
    if kind == ANONYMOUS:
        scores, names = Visible.AT_DEADLINE, Visible.AT_PUBLICATION
    Task.objects.create(
        track=track,
        slug=kind.value,
        name=kind.label,
        kind=kind,
        official_measure=official_measure(kind.value),
        description=description,
        position=position,
        opens_at=today - timedelta(days=90),
        closes_at=last_minute(today + timedelta(days=14)),
        other_scores_visible=scores,
        names_visible=names,
        assessments_visible=scores,
    )


def _read_material(world, track, say):
    documents = ((article.identifier, BytesIO(article.content)) for article in world.articles)
    imported = import_collection(track.collection, documents)
    if imported.problems:
        raise RuntimeError(f"The large demo's collection has problems: {imported.problems}")
    topics = take_topics(track, records=read_records(BytesIO(world.topics)), file="topics.xml")
    say(f"Large demo: {imported.imported:,} documents, {topics.count:,} topics.")


def _import(world, track, users, say, second_reading=False):
    version = 2 if second_reading else 1
    again = f"Topics {world.topics_read_again[0]} to {world.topics_read_again[-1]} were read again, by stricter eyes."
    assessment_set = import_assessments(
        track,
        by=By(users["assessor"]),
        stream=BytesIO(world.assessments(second_reading)),
        file_name=f"large-assessments-{version}.qrels",
        notes=again if second_reading else "The first reading of all topics.",
    )
    say(f"Large demo: assessments v{version}, {assessment_set.judgement_count:,} judgements.")
    return assessment_set


def _teams(world, campaign, users):
    leaders = [users[username] for username in LEADERS]
    taken = set(Team.objects.values_list("slug", flat=True))
    teams = {}
    for place, entrant in enumerate(world.entrants):
        teams[entrant.slug] = registered_team(
            campaign,
            slug=free_slug(entrant.slug, taken, "team"),
            name=entrant.name,
            affiliation=entrant.affiliation,
            leader=leaders[place] if place < len(leaders) else None,
        )
    return teams


def _take_part(world, track, teams, say):
    tasks = {task.slug: task for task in track.tasks.select_related("track__campaign", "track__collection")}
    members = {slug: By(team.memberships.get().user) for slug, team in teams.items()}
    progress, runs = Progress(say, "runs submitted, checked and scored", len(world.entries)), []
    for entry in world.entries:
        run = _submit(world, entry, tasks[entry.task], teams[entry.team], members[entry.team])
        runs.append(run)
        progress.step()
    return runs


def _submit(world, entry, task, team, by):
    run, _ = submit_run(
        task,
        by=by,
        team=team,
        upload=BytesIO(world.run_file(entry)),
        file_name=f"{entry.team}_{entry.name}.{'xml' if entry.returns_elements else 'txt'}",
        name=entry.name,
        description=entry.description,
        query=entry.query,
        topic_fields=entry.topic_fields,
    )
    check_run(run.pk)
    run.refresh_from_db()
    if run.state != (Run.State.REJECTED if entry.is_rejected else Run.State.VALID):
        raise RuntimeError(f"The run {run.name} of {team.name} is {run.state}: {run.problems[:3] or run.failure}")
    if entry.is_official:
        make_official(run)
    score_now(run=run)
    return run


def _take_back(world, runs):
    for entry, run in zip(world.entries, runs, strict=True):
        if entry.is_withdrawn:
            withdraw_run(run)


def _close(track, users):
    """Let the deadline pass, and publish what isn't to stay anonymous."""
    track.tasks.update(closes_at=last_minute(timezone.now() - timedelta(days=7)))
    date_runs(track)
    publish(list(track.tasks.exclude(kind=ANONYMOUS)), by=By(users["organiser"]))


def _read_again(world, track, users, say):
    editions = activate(_import(world, track, users, say, second_reading=True))
    waiting = list(Evaluation.objects.filter(edition__in=editions).order_by("pk").values_list("pk", flat=True))
    progress = Progress(say, "runs scored anew", len(waiting))
    for evaluation in waiting:
        evaluate(evaluation)
        progress.step()
