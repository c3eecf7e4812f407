"""How many queries each page with a list makes: a number a page, the same for 3 and for 30 of everything on it."""

from datetime import timedelta
from io import BytesIO

import pytest
from allauth.account.models import EmailAddress
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from assessments.services.pools import make_pool, poolable_runs
from assessments.services.previews import take_file
from campaign.models import Campaign, Document, Membership, Run, Task, TaskKind, Topic, Track, User
from campaign.services.acting import By
from campaign.services.documents.imports import receive_collection
from campaign.services.people.tokens import create_token
from campaign.services.runs.checks import check_run
from campaign.services.runs.rejections import reject
from campaign.services.visibility.grants import grant
from campaign.services.visibility.publication import make_reviewer_link
from evaluation.models import Evaluation
from evaluation.services.scoring import evaluate
from tests.world import ASSESSMENTS, World

pytestmark = pytest.mark.slow

UNSCORED = b"1 Q0 a 1 9.5 unscored 0 50\n"
TASK = ("campaign", "track", "task")
# Who looks, at which address, with which parts: how many queries that makes for somebody who has been there before.
# A campaign's tracks and tasks are few, and may each cost some; of what people bring there can be any number.
BUDGETS = {
    ("visitor", "home"): 6,
    ("visitor", "status"): 29,
    ("visitor", "campaigns"): 4,
    ("visitor", "team", "team"): 4,
    ("visitor", "campaign", "campaign"): 11,
    ("visitor", "track", "campaign", "track"): 8,
    ("visitor", "topics", "campaign", "track"): 6,
    ("visitor", "topic", "campaign", "track", "number"): 7,
    ("visitor", "collection", "collection"): 5,
    ("visitor", "board", *TASK): 11,
    ("member", "home"): 25,
    ("member", "campaign", "campaign"): 21,
    ("member", "board", *TASK): 18,
    ("member", "topics", "campaign", "track"): 10,
    ("member", "topic", "campaign", "track", "number"): 11,
    ("member", "submit", *TASK): 11,
    ("member", "ranked-list", *TASK, "code", "number"): 13,
    ("member", "overlay", *TASK, "code", "number", "identifier"): 14,
    ("member", "runs"): 11,
    ("member", "team", "team"): 14,
    ("member", "notifications"): 6,
    ("member", "api-tokens"): 4,
    ("member_of_many", "teams"): 7,
    ("member_of_many", "register", "campaign"): 6,
    ("assessor", "assessing"): 7,
    ("organiser", "board", *TASK): 16,
    ("visitor", "comparisons", *TASK): 8,
    ("visitor", "compare", *TASK): 7,
    ("visitor", "compare", *TASK, 2): 12,
    ("visitor", "compare", *TASK, 6): 12,
    ("member", "compare", *TASK, 6): 16,
    ("organiser", "compare", *TASK, 6): 17,
    ("organiser", "comparisons", *TASK): 13,
    ("organiser", "topic", "campaign", "track", "number"): 14,
    ("organiser", "moved", *TASK, "number"): 15,
    ("organiser", "desk"): 18,
    ("organiser", "unconfirmed-accounts"): 5,
    ("organiser", "campaign-desk", "campaign"): 80,
    ("organiser", "desk-setup", "campaign"): 19,
    ("organiser", "desk-settings", "campaign"): 10,
    ("organiser", "desk-material", "campaign"): 18,
    ("organiser", "desk-trail", "campaign"): 9,
    ("organiser", "desk-publication", "campaign"): 8,
    ("organiser", "desk-preview", *TASK): 15,
    ("organiser", "desk-assessments", "campaign"): 15,
    ("organiser", "desk-differences", "campaign", "track"): 8,
    ("organiser", "desk-boards", "campaign"): 17,
    ("organiser", "desk-measures", *TASK): 9,
    ("organiser", "desk-runs", "campaign"): 18,
    ("organiser", "desk-queue", "campaign"): 8,
    ("organiser", "desk-grants", "campaign"): 11,
    ("organiser", "desk-pools", "campaign"): 12,
    ("organiser", "desk-pool-new", "campaign", "track"): 8,
    ("organiser", "desk-coverage", "campaign"): 17,
    ("organiser", "desk-leave-one-out", "campaign"): 18,
    ("visitor", "figure", *TASK): 6,
    ("member", "figure", *TASK): 9,
    ("organiser", "figure", *TASK): 9,
    ("superuser", "site-trail"): 6,
    ("member", "api-v1:list_campaigns"): 17,
    ("member", "api-v1:show_campaign", "campaign"): 21,
    ("member", "api-v1:list_topics", "campaign", "track"): 18,
    ("member", "api-v1:show_board", *TASK): 22,
    ("member", "api-v1:show_edition", *TASK, "number"): 24,
    ("member", "api-v1:list_runs"): 20,
}


class Crowd(World):
    """A campaign with so many of everything that a page lists."""

    def __init__(self, size):
        super().__init__()
        self.member, self.member_of_many = self.alice, self.visitor_with_account
        self.superuser = self.person("superuser", is_staff=True, is_superuser=True)
        self.unscored = self._task_without_assessments()
        self._add_topics_and_documents(range(4, size + 1))
        self.activate()
        for number in range(size):
            self._add_what_teams_bring(number)
            self._add_what_organisers_bring(number)
        self.activate()  # a second edition, so that something can have moved
        for evaluation in Evaluation.objects.claimable():
            evaluate(evaluation.pk)
        runs = poolable_runs(self.track, [self.task])[:2]
        for depth in range(1, size + 1):
            make_pool(self.track, by=By(self.organiser), runs=runs, depth=depth)
        for person in User.objects.filter(username__startswith="person"):
            Membership.objects.create(team=self.alices, user=person)

    def _task_without_assessments(self):
        other = Track.objects.create(campaign=self.campaign, slug="other", name="Other", collection=self.collection)
        Topic.objects.create(track=other, number="1", position=1, title="topic 1")
        return self._open_task(other)

    def _open_task(self, track):
        now = timezone.now()
        times = {"opens_at": now - timedelta(days=1), "closes_at": now + timedelta(days=1)}
        return Task.objects.create(track=track, slug="focused", name="Focused", kind=TaskKind.FOCUSED, **times)

    def _add_topics_and_documents(self, numbers):
        Topic.objects.bulk_create(
            Topic(track=self.track, number=str(n), position=n, title=f"topic {n}") for n in numbers
        )
        Document.objects.bulk_create(
            Document(collection=self.collection, identifier=f"more-{n}", title=f"More {n}", length=200) for n in numbers
        )

    def _add_what_teams_bring(self, number):
        user, team = self.team_of(f"person-{number}", f"Team-{number}")
        Membership.objects.create(team=team, user=self.member_of_many)
        newcomer = self.person(f"newcomer-{number}")
        EmailAddress.objects.create(user=newcomer, email=newcomer.email)
        create_token(self.alice, f"program {number}")
        for whose in ({"user": user, "team": team}, {}):
            check_run(self.submit(name=f"scored-{number}", **whose).pk)
            check_run(self.submit(UNSCORED, name=f"unscored-{number}", task=self.unscored, **whose).pk)
            self.submit(name=f"waiting-{number}", **whose)
            failed = self.submit(name=f"failed-{number}", **whose)
            Run.objects.filter(pk=failed.pk).update(state=Run.State.FAILED, failure_reference=f"ref-{number}")
            reject(
                [self.submit(name=f"rejected-{number}", **whose)], by=By(self.organiser), reason=f"A copy, {number}."
            )
        until = self.task.closes_at + timedelta(days=1)
        grant(self.task, by=By(self.organiser), team=team, reason="late train", open_until=until)

    def _add_what_organisers_bring(self, number):
        other = Campaign.objects.create(slug=f"other-{number}", name=f"Other {number}", year=2026, is_public=True)
        other.organisers.add(self.organiser)
        other.registrations.create(team=self.alices, agreement_version=1, accepted_at=timezone.now())
        self._open_task(Track.objects.create(campaign=other, slug="only", name="Only", collection=self.collection))
        self.campaign.organisers.add(self.person(f"organiser-{number}"))
        self.track.assessors.add(self.person(f"assessor-{number}"))
        make_reviewer_link(self.campaign, by=By(self.organiser), label=f"reviewers {number}")
        assessments = ASSESSMENTS + b"3 Q0 a %d 200 0 0:%d\n" % (number + 1, number + 1)
        self.import_assessments(assessments)
        take_file(self.track, by=By(self.organiser), upload=BytesIO(assessments), file_name=f"next-{number}.qrels")
        receive_collection(
            self.collection,
            by=By(self.organiser),
            upload=SimpleUploadedFile("lengths.txt", b"new-%d 200\n" % number),
            file_name=f"lengths-{number}.txt",
        )


def queries_of(crowd, role, name, *needed):
    """Return how many queries an address makes for somebody who has been there before."""
    parts = {"campaign": "small", "track": "ad-hoc", "task": "focused", "collection": "letters", "number": 2}
    parts |= {"identifier": "a"}
    parts |= {"team": crowd.alices.slug, "code": crowd.alices.runs.filter(name="scored-0", task=crowd.task).get().code}
    path = reverse(name, kwargs={part: parts[part] for part in needed if part in parts})
    for number in set(needed) - set(parts):  # so many runs are compared
        codes = crowd.task.runs.valid().filter(name__startswith="scored-").order_by("pk").values_list("code", flat=True)
        path += f"?runs={','.join(codes[:number])}"
    client = Client()
    if path.startswith("/api/"):
        client.defaults["HTTP_AUTHORIZATION"] = f"Bearer {create_token(crowd.member, 'the one that counts')[1]}"
    elif role != "visitor":
        client.force_login(getattr(crowd, role))
    client.get(path)
    with CaptureQueriesContext(connection) as caught:
        response = client.get(path)
        response.getvalue()
    assert response.status_code == 200, f"{path}: {response.status_code}"
    return len(caught)


@pytest.mark.parametrize("size", [3, 30])
def test_every_list_keeps_its_budget(db, settings, tmp_path, size):
    settings.MEDIA_ROOT = tmp_path / "files"
    crowd = Crowd(size)

    assert {page: queries_of(crowd, *page) for page in BUDGETS} == BUDGETS
