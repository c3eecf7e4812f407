"""A small campaign to test with: three topics, four documents, two teams, one open Focused task."""

from datetime import timedelta
from io import BytesIO

from django.utils import timezone

from assessments.services.imports import import_assessments
from campaign.machinery.leases import MAX_ATTEMPTS
from campaign.models import (
    Campaign,
    Collection,
    Document,
    Membership,
    Notification,
    Registration,
    Task,
    TaskKind,
    Team,
    Topic,
    Track,
    User,
)
from campaign.services.acting import By
from campaign.services.documents.changes import document_changes, known_documents, length_changes
from campaign.services.documents.collections import import_changes
from campaign.services.documents.versions import make_version
from campaign.services.runs.checks import check_run
from campaign.services.runs.submissions import submit_run
from evaluation.models import Evaluation
from evaluation.services.decisions import activate
from evaluation.services.queue import enter_missing
from evaluation.services.scoring import evaluate

ASSESSMENTS = b"""\
1 Q0 a 50 200 0 0:50
1 Q0 b 0 200
2 Q0 a 20 200 100 100:20
2 Q0 c 100 200 0 0:100
3 Q0 d 40 200 10 10:40
"""
GOOD_RUN = b"""\
1 Q0 a 1 9.5 good 0 50
1 Q0 b 2 8.0 good 0 50
2 Q0 c 1 7.0 good 0 200
3 Q0 d 1 6.0 good 0 100
"""
BROKEN_RUN = b"""\
1 Q0 a 1 9.5 broken 0 50
1 Q0 a 2 9.0 broken 20 50
1 Q0 a 3 8.0 broken ten 50
"""
OVERLAPPING_RUN = b"""\
1 Q0 a 1 9.5 overlapping 0 50
1 Q0 a 2 9.0 overlapping 20 50
"""


class World:
    """Everything a test needs to name; made in the database when constructed."""

    def __init__(self, kind=TaskKind.FOCUSED):
        now = timezone.now()
        self.organiser = self.person("organiser")
        self.visitor_with_account = self.person("bystander")
        self.collection = Collection.objects.create(slug="letters", name="Letters")
        Document.objects.bulk_create(
            Document(collection=self.collection, identifier=name, title=name.upper(), length=200) for name in "abcd"
        )
        self.campaign = Campaign.objects.create(slug="small", name="Small", year=2026, is_public=True)
        self.campaign.organisers.add(self.organiser)
        self.track = Track.objects.create(
            campaign=self.campaign, slug="ad-hoc", name="Ad hoc", collection=self.collection
        )
        self.assessor = self.person("assessor")
        self.track.assessors.add(self.assessor)
        Topic.objects.bulk_create(
            Topic(track=self.track, number=str(number), position=number, title=f"topic {number}")
            for number in (1, 2, 3)
        )
        self.task = self.new_task(kind, closes_at=now + timedelta(days=1), other_scores_visible="at-once")
        self.alice, self.alices = self.team_of("alice", "Lund")
        self.bob, self.bobs = self.team_of("bob", "Delft")

    def person(self, username, **fields):
        return User.objects.create_user(username, f"{username}@example.org", "secret-words", **fields)

    def team_of(self, username, name):
        user = self.person(username)
        team = Team.objects.create(slug=name.lower(), name=name)
        Membership.objects.create(team=team, user=user, role=Membership.Role.LEADER)
        Registration.objects.create(
            campaign=self.campaign,
            team=team,
            state=Registration.State.APPROVED,
            agreement_version=1,
            accepted_by=user,
            accepted_at=timezone.now(),
        )
        return user, team

    def new_task(self, kind, **fields):
        now = timezone.now()
        defaults = {"slug": str(kind), "name": TaskKind(kind).label, "opens_at": now - timedelta(days=1)}
        return Task.objects.create(track=self.track, kind=kind, **(defaults | fields))

    def submit(self, content=GOOD_RUN, user=None, team=None, task=None, name="good", **fields):
        return submit_run(
            task or self.task,
            by=By(user or self.alice),
            team=team or self.alices,
            upload=BytesIO(content),
            file_name=f"{name}.fol",
            name=name,
            **fields,
        ).run

    def checked(self, content=GOOD_RUN, name="good", **fields):
        """Submit a run and have it checked."""
        return checked(self.submit(content, name=name, **fields))

    def scored(self, content=GOOD_RUN, name="good", **fields):
        """Submit a run and have it checked and scored."""
        run = self.checked(content, name, **fields)
        score_run(run.pk)
        run.refresh_from_db()
        return run

    def give_text(self, **documents):
        """Give documents another text, in a new version of the collection."""

        def changes_of(known, _):
            return document_changes(known, [(name, BytesIO(content)) for name, content in documents.items()])

        self.collection = make_version(self.collection, changes_of).collection
        self.track.refresh_from_db()
        self.task.track = self.track

    def import_assessments(self, content=ASSESSMENTS):
        return import_assessments(self.track, by=By(self.organiser), stream=BytesIO(content), file_name="small.qrels")

    def activate(self, content=ASSESSMENTS):
        assessment_set = self.import_assessments(content)
        activate(assessment_set)
        return assessment_set


def checked(run):
    check_run(run.pk)
    run.refresh_from_db()
    return run


def list_lengths(collection, **lengths):
    """Add documents to a collection of which only the lengths are known."""
    return import_changes(collection, length_changes(known_documents(collection), lengths))


def told(user, kind=None):
    """Return what a person was told, oldest first."""
    rows = Notification.objects.filter(user=user).order_by("pk")
    return [row.text for row in (rows.filter(kind=kind) if kind else rows)]


def use_up_attempts(rows):
    """Leave rows as workers leave them that died on every attempt."""
    rows.update(state=rows.model.WORKING, attempts=MAX_ATTEMPTS, held_until=timezone.now() - timedelta(seconds=1))


RICHER = ASSESSMENTS + b"3 Q0 a 10 200 0 0:10\n"


def score_run(key):
    """Have a run scored now in every edition that takes runs, as by a worker that is at nothing else."""
    enter_missing()
    for evaluation in Evaluation.objects.claimable().filter(run=key):
        evaluate(evaluation.pk)


def score_all():
    for key in Evaluation.objects.claimable().values_list("pk", flat=True):
        evaluate(key)


def states(task):
    return list(task.editions.order_by("number").values_list("number", "state"))


def fail_all(edition):
    edition.evaluations.update(state=Evaluation.State.FAILED, failure="Traceback", failure_reference="ABC123")


def article(length=200):
    """Return a document with so many characters, in two paragraphs."""
    words = ("salt  and\npepper " * length)[:length]
    return f"<article><p>{words[:50]}</p><p>{words[50:]}</p></article>".encode()


def with_text(world, **changed):
    """Give the world's documents their text."""
    documents = {name: article() for name in "abcd"} | changed
    world.give_text(**documents)
