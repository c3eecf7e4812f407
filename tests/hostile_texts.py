"""Texts that people do enter, and a campaign all of whose texts are one of them."""

from datetime import timedelta
from io import BytesIO
from xml.sax.saxutils import escape

from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.utils import timezone

from assessments.models import AssessmentImport, AssessmentSet
from assessments.services.previews import read_import, take_file
from campaign.models import (
    ApiToken,
    Campaign,
    Collection,
    CollectionImport,
    Document,
    Grant,
    Membership,
    Notification,
    Registration,
    Rejection,
    ReviewerLink,
    Run,
    Task,
    Team,
    Topic,
    Track,
    User,
)
from campaign.services.acting import By
from campaign.services.documents.collections import import_collection
from campaign.services.documents.imports import receive_collection
from campaign.services.people.teams import invite
from campaign.services.people.tokens import create_token
from campaign.services.runs.rejections import reject
from campaign.services.telling.notifications import (
    failed_on_our_side,
    member_joined,
    notify,
    registration_decided,
    registration_requested,
    tell_of_deadlines,
)
from campaign.services.visibility.grants import grant
from campaign.services.visibility.publication import make_reviewer_link
from evaluation.models import Analysis, Difference, Edition, Evaluation, LateFindings
from tests.world import ASSESSMENTS, GOOD_RUN, World

TEXTS = {
    "html": "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "attributes": "\" autofocus onfocus=alert(1) x=' onmouseover='alert(1)",
    "plotly": '<b>%{meta}</b><br><a href="javascript:alert(1)">x</a> &lt;sub&gt; $x^2$',
    "formula": "=cmd|' /C calc'!A0",
    "plus": "+1",
    "at": "@SUM(A1)",
    "emoji": "👩‍🔬👨‍👩‍👧‍👦🏳️‍🌈🇸🇪🔦e\u0301",
    "right-to-left": "فريق 12 (עברית) \u202eevil",
    "long": 500 * "x",
    "control": "a\x01\x08\x1b[2J\x7f\u2028\tb",
    "template": "{{ 7*7 }}{% now %}{# no #}${7*7}",
}

MIXTURES = {
    "formula-html": TEXTS["formula"] + TEXTS["html"],
    "plus-attributes": TEXTS["plus"] + TEXTS["attributes"],
    "at-template-label": TEXTS["at"] + "{{ 7*7 }}{% now %}%{meta}<b>x</b>&lt;<a href='javascript:alert(1)'>x</a>",
    "scripts-controls": TEXTS["emoji"] + TEXTS["control"] + TEXTS["right-to-left"],
    "long": TEXTS["long"],
}
"""All of them in as few campaigns as will do; each fits into the shortest field."""

FREE = {
    User: ["first_name", "last_name"],
    Team: ["name", "affiliation"],
    Campaign: ["name", "summary", "description", "agreement", "contact", "series"],
    Registration: ["reason"],
    Track: ["name", "description"],
    Task: ["name", "description"],
    Collection: ["name", "description"],
    Document: ["title"],
    Topic: ["title", "castitle", "phrasetitle", "description", "narrative"],
    Run: ["description", "file_name", "failure", "held_by", "rejection_reason"],
    Evaluation: ["failure", "held_by"],
    Analysis: ["failure", "held_by"],
    Difference: ["failure", "held_by"],
    LateFindings: ["failure", "held_by"],
    AssessmentSet: ["notes", "file_name"],
    AssessmentImport: ["notes", "file_name", "failure", "held_by"],
    CollectionImport: ["file_name", "failure", "held_by"],
    Edition: ["notes"],
    Grant: ["reason"],
    Rejection: ["reason"],
    ReviewerLink: ["label"],
    ApiToken: ["name"],
    Notification: ["mail_error"],
}
"""Every text that people, their files or their machines are free to choose."""

SHOWN = {
    "home": {Campaign: ["name", "summary"], Track: ["name"], Task: ["name"]},
    "campaign": {
        Campaign: ["name", "description"],
        Track: ["name", "description"],
        Task: ["name"],
        Collection: ["name"],
        Team: ["name"],
        Registration: ["reason"],
    },
    "register": {Campaign: ["name", "agreement"], Team: ["name"], Registration: ["reason"], User: ["first_name"]},
    "topics": {Campaign: ["name"], Track: ["name"], Topic: ["title", "description"]},
    "topic": {Track: ["name"], Topic: ["title", "castitle", "phrasetitle", "description", "narrative"]},
    "collection": {Collection: ["name", "description"], Document: ["title"]},
    "document": {Collection: ["name"], Document: ["title"]},
    "board": {Campaign: ["name"], Track: ["name"], Task: ["name", "description"], Team: ["name"]},
    "edition": {Task: ["name"], Team: ["name"]},
    "submit": {Task: ["name"], Team: ["name"]},
    "run": {Team: ["name"], Task: ["name"], Run: ["description", "file_name"], Topic: ["title"], User: ["last_name"]},
    "runs": {Team: ["name"], Task: ["name"], Campaign: ["name"]},
    "team": {Team: ["name", "affiliation"], User: ["first_name", "last_name"], Campaign: ["name"]},
    "teams": {Team: ["name"], Campaign: ["name"]},
    "team-join": {Team: ["name", "affiliation"], User: ["first_name"]},
    "account": {User: ["first_name", "last_name"], Team: ["name"]},
    "api-tokens": {ApiToken: ["name"]},
    "assessing": {Campaign: ["name"], Track: ["name"], Topic: ["title"]},
    "desk": {Campaign: ["name"], Task: ["name"], Team: ["name", "affiliation"], Registration: ["reason"]},
}
"""Which texts the pages show, by the names of their addresses."""

ODD_TOPIC = "=3/<b>"
"""A topic's number may be anything printable without a blank."""


def marked(text, model, field):
    """Return a text that fits into a field and can be told from the same text in other fields."""
    end = f"·{model._meta.model_name}.{field}"
    longest = model._meta.get_field(field).max_length or 500
    return text[: longest - len(end)] + end


def fill(text):
    """Write a text into every field that takes any."""
    for model, fields in FREE.items():
        model.objects.update(**{field: marked(text, model, field) for field in fields})


def with_odd_topic(content):
    """Return an assessment or run file in which the last topic has the odd number."""
    return content.replace(b"\n3 Q0", f"\n{ODD_TOPIC} Q0".encode())


class HostileWorld(World):
    """A small campaign with runs in every state and teams of every standing, all its texts made of one."""

    def __init__(self, text, check=None, score=None):
        super().__init__()
        self.text = text
        Topic.objects.filter(number="3").update(number=ODD_TOPIC)
        self.chief = self.person("chief", is_staff=True, is_superuser=True)
        self.track.collection = self.collection
        self._teams()
        self._fill()  # before the runs, so that what is told of them holds the texts
        self.assessments = self.activate(with_odd_topic(ASSESSMENTS))
        self.run = self.submit(with_odd_topic(GOOD_RUN), description="a way to search")
        self.others_run = self.submit(with_odd_topic(GOOD_RUN), user=self.bob, team=self.bobs, name="other")
        self.rejected = self.submit(self.broken_file(), name="broken")
        with transaction.atomic():  # no worker gets hold of it
            self.failing = self.submit(with_odd_topic(GOOD_RUN), name="failing")
            Run.objects.filter(pk=self.failing.pk).update(state="failed", failure_reference="7F3A22")
        for run in (self.run, self.others_run, self.rejected) if check else ():
            check(run.pk)
        for run in (self.run, self.others_run) if score else ():
            score(run.pk)
        self.invitation = invite(self.alices, by=By(self.alice))
        self.token, self.secret = create_token(self.alice, "laptop")
        self._desk()
        self._fill()
        self._tell()

    def broken_file(self):
        """Return a run whose report quotes the text."""
        return f"1 Q0 a 1 9.5 broken ten {self.text}\n".encode()

    def words(self, model, field):
        """Return what a field of a model says in this world."""
        return marked(self.text, model, field)

    def _teams(self):
        """Give alice a refused team, and the organisers one to decide about."""
        self.refused = Team.objects.create(slug="refused", name="r")
        waiting = Team.objects.create(slug="waiting", name="w")
        Membership.objects.create(team=self.refused, user=self.alice, role=Membership.Role.LEADER)
        Membership.objects.create(team=waiting, user=self.bob, role=Membership.Role.LEADER)
        now = timezone.now()
        for team, state in ((self.refused, "refused"), (waiting, "pending")):
            Registration.objects.create(
                campaign=self.campaign,
                team=team,
                state=state,
                agreement_version=1,
                accepted_by=self.alice,
                accepted_at=now,
                decided_by=self.organiser,
                decided_at=now,
            )
        Task.objects.update(closes_at=now + timedelta(hours=20), quota=9)
        xml = f"<article><title>{escape(self.readable())}</title><p>{escape(self.readable())}</p></article>"
        outcome = import_collection(self.collection, [("told", BytesIO(xml.encode()))])
        assert outcome.problems == []

    def readable(self):
        """Return the text without what XML cannot hold."""
        return "".join(letter for letter in self.text if letter.isprintable() or letter in "\t\u2028\u202e")

    def _fill(self):
        fill(self.text)
        for row in vars(self).values():
            if type(row) in FREE:
                row.refresh_from_db()

    def _desk(self):
        """Do what organisers do that leaves texts behind."""
        make_reviewer_link(self.campaign, by=By(self.organiser), label="reviewers")
        upload = SimpleUploadedFile("lengths.txt", b"a 200\n")
        receive_collection(self.collection, by=By(self.organiser), upload=upload, file_name="lengths.txt")
        assessments = BytesIO(with_odd_topic(ASSESSMENTS))
        found = take_file(self.track, by=By(self.organiser), upload=assessments, file_name="next.qrels", notes="notes")
        read_import(found.pk)
        with transaction.atomic():
            spare = self.submit(with_odd_topic(GOOD_RUN), user=self.bob, team=self.bobs, name="spare")
            reject([spare], by=By(self.organiser), reason="A copy.")
        longer = self.task.closes_at + timedelta(days=1)
        grant(self.task, by=By(self.organiser), team=self.alices, reason="late train", open_until=longer)

    def _tell(self):
        """Let everybody be told everything, in the words of the services."""
        approved = Registration.objects.get(team=self.alices)
        for registration in Registration.objects.all():
            registration_decided(registration)
        registration_requested(approved)
        member_joined(self.alices, self.alice)
        failed_on_our_side(self.run, "Scoring", "7F3A21", [self.alice])
        tell_of_deadlines()
        everybody = [self.alice, self.organiser, self.chief]
        notify(everybody, Notification.Kind.TEAM, "a text", self.text, "/teams/")
        Notification.objects.update(mail_error=self.words(Notification, "mail_error"))
