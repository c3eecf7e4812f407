"""A campaign with seven people at its doors: what each of them asks and sends, what it changes and what they read."""

import re
from collections import defaultdict
from datetime import timedelta
from io import BytesIO

from allauth.account.models import EmailAddress
from django.apps import apps
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection, transaction
from django.test import Client
from django.urls import URLPattern, get_resolver, reverse
from django.utils import timezone

from assessments.services.pools import make_pool, poolable_runs
from assessments.services.previews import read_import, take_file
from campaign.models import SWITCHES, ApiToken, Campaign, Membership, Registration, Task, Team, Topic
from campaign.services.acting import By
from campaign.services.documents.collections import import_collection
from campaign.services.documents.imports import read_collection, receive_collection
from campaign.services.people.teams import create_team, invite
from campaign.services.people.tokens import create_token
from campaign.services.runs.checks import check_run
from campaign.services.runs.rejections import reject
from campaign.services.visibility.grants import grant
from campaign.services.visibility.publication import make_reviewer_link
from evaluation.models import Evaluation, Score
from evaluation.services.differences import differ, request_difference
from evaluation.services.scoring import evaluate
from tests.world import World, score_run

ROLES = ("visitor", "own", "other", "assessor", "organiser", "elsewhere", "superuser")
APPS = {"campaign", "assessments", "evaluation", "account"}
OUR_RUN = b"1 Q0 a 1 9.5 secret-our-file 3 41\n2 Q0 c 1 7.0 secret-our-file 0 170\n3 Q0 d 1 6.0 secret-our-file 0 97\n"
THEIR_RUN = b"1 Q0 a 1 9.0 secret-their-file 31 61\n2 Q0 c 1 8.0 secret-their-file 61 83\n"
DOCUMENT = b"<article><title>secret-document</title><p>secret-document, told in full</p></article>"
OURS = ("campaign", "assessments", "evaluation", "config")
DOCUMENTATION = {"api-v1:openapi-json": 200, "api-v1:openapi-view": 200, "api-v1:api-root": 404}
IMPORT_PAGES = ("", "-state", "-list", "-accept", "-discard", "-again")
PARAMETER = re.compile(r"\(\?P<(\w+)>[^)]*\)|<(?:\w+:)?(\w+)>")


def addresses(resolver=None, namespace="", route=""):
    """Yield every address of the site: its name (None where it has none), its route and its view."""
    for pattern in (resolver or get_resolver()).url_patterns:
        below = route + str(pattern.pattern).lstrip("^")
        if isinstance(pattern, URLPattern):
            yield namespace + pattern.name if pattern.name else None, below.rstrip("$"), pattern.callback
        else:
            inside = namespace + f"{pattern.namespace}:" if pattern.namespace else namespace
            yield from addresses(pattern, inside, below)


def is_third_party(name, route, view):
    """Return whether an address is not ours and has a rule instead of a line."""
    package = view.__module__.partition(".")[0]
    return route.startswith("admin/") or (package not in OURS and (package == "allauth" or name in DOCUMENTATION))


def code_of(response, is_changed=False):
    """Write an answer as the tables do."""
    to_sign_in = response.status_code == 302 and response.url.startswith(reverse("account_login"))
    return ("in" if to_sign_in else str(response.status_code)) + "!" * is_changed


class Stage(World):
    """The small campaign with a scored run of each of two teams, and a person for each role."""

    def __init__(self, campaign=None, task=None, other="approved"):
        super().__init__()
        self._play()
        Campaign.objects.filter(pk=self.campaign.pk).update(**campaign or {})
        Task.objects.filter(pk=self.task.pk).update(**task or {})
        Registration.objects.filter(team=self.bobs).update(state=other)
        self._let_in()
        self._fill_in()
        self.rows = rows()
        self.found = defaultdict(set)
        self.secrets = {
            "our run": ("secret-our-run", "secret-our-description", "secret-our-file", "secret-our-team"),
            "their run": ("secret-their-run", "secret-their-description", "secret-their-file", "secret-their-team"),
            "our scores": scores_of(self.run, self.their_run),
            "their scores": scores_of(self.their_run, self.run),
            "topics": ("secret-topic",),
            "documents": ("secret-document",),
            "assessments": ("secret-assessments",),
            "campaign": ("secret-campaign",),
            "name of the campaign": ("secret-name",),
            "agreement": ("secret-agreement",),
            "address of a member": (self.carol.email,),
            "address of a newcomer": (self.unconfirmed.email,),
        }

    def _play(self):
        """Let everything happen that leaves something to see, with words in it that can be looked for."""
        self.carol = self.person("carol")
        Membership.objects.create(team=self.alices, user=self.carol, role=Membership.Role.LEADER)
        Team.objects.filter(pk=self.alices.pk).update(name="secret-our-team")
        Team.objects.filter(pk=self.bobs.pk).update(name="secret-their-team")
        texts = {"name": "secret-name", "summary": "secret-campaign", "description": "secret-campaign, told in full"}
        Campaign.objects.update(agreement="secret-agreement", **texts)
        Topic.objects.update(title="secret-topic", narrative="secret-topic, told in full")
        import_collection(self.collection, [("wick", BytesIO(DOCUMENT))])
        assessments = self.activate()
        assessments.file_name = "secret-assessments.qrels"
        assessments.save()
        self.run = self._scored(OUR_RUN, "our")
        self.their_run = self._scored(THEIR_RUN, "their", user=self.bob, team=self.bobs)
        self.second_team = create_team(by=By(self.alice), name="Second")
        self.invitation = invite(self.alices, by=By(self.alice))
        self.unconfirmed = EmailAddress.objects.create(user=self.visitor_with_account, email="newcomer@example.org")
        self.reviewer_link = make_reviewer_link(self.campaign, by=By(self.organiser), label="reviewers")
        self.pool = make_pool(self.track, by=By(self.organiser), runs=list(poolable_runs(self.track)), depth=10).pool
        assessments_file = BytesIO(b"1 Q0 a 50 200 0 0:50\n")
        documents_file = SimpleUploadedFile("lengths.txt", b"a 200\n")
        self.assessment_import = take_file(
            self.track, by=By(self.organiser), upload=assessments_file, file_name="next.qrels"
        )
        read_import(self.assessment_import.pk)
        self.collection_import = receive_collection(
            self.collection, by=By(self.organiser), upload=documents_file, file_name="lengths.txt"
        )
        read_collection(self.collection_import.pk)
        longer = self.task.closes_at + timedelta(days=1)
        self.grant = grant(self.task, by=By(self.organiser), team=self.alices, reason="late train", open_until=longer)
        self.activate()  # a second edition, so that something can have moved
        for evaluation in Evaluation.objects.claimable():
            evaluate(evaluation.pk)
        differ(self._compared())
        self.other_campaign = Campaign.objects.create(slug="elsewhere", name="Elsewhere", year=2026, is_public=True)
        reject([self.submit(OUR_RUN, name="spare")], by=By(self.organiser), reason="A copy.")
        self.rejection = self.campaign.rejections.get()
        self.registration = self.alices.registrations.get()
        self.registration_elsewhere = Registration.objects.create(
            campaign=self.other_campaign,
            team=self.second_team,
            state="approved",
            agreement_version=1,
            accepted_at=timezone.now(),
        )

    def _scored(self, content, whose, **submission):
        run = self.submit(content, name=f"secret-{whose}-run", description=f"secret-{whose}-description", **submission)
        check_run(run.pk)
        score_run(run.pk)
        return run

    def _compared(self):
        """Have it asked what the difference between the two runs on the board is made of."""
        edition = self.task.editions.live().get()
        evaluations = (edition.evaluations.get(run=run) for run in (self.run, self.their_run))
        request_difference(edition, by=By(self.organiser), **dict(zip(("one", "other"), evaluations, strict=True)))
        return edition.differences.get().pk

    def _let_in(self):
        """Sign everybody in, in a browser with the password given just now, and with a token."""
        elsewhere = self.person("elsewhere")
        self.other_campaign.organisers.add(elsewhere)
        superuser = self.person("superuser", is_staff=True, is_superuser=True)
        people = (None, self.alice, self.bob, self.assessor, self.organiser, elsewhere, superuser)
        self.people = dict(zip(ROLES, people, strict=True))
        self.cookies, self.headers = {"visitor": {}}, {"visitor": {}}
        for role, person in self.people.items():
            if person is None:
                continue
            EmailAddress.objects.create(user=person, email=person.email, verified=True, primary=True)
            client = Client()
            client.force_login(person)
            client.post(reverse("account_reauthenticate"), {"password": "secret-words"})
            self.cookies[role] = {name: cookie.value for name, cookie in client.cookies.items()}
            self.headers[role] = {"Authorization": f"Bearer {create_token(person, 'a program')[1]}"}
        ApiToken.objects.update(last_used_at=timezone.now() + timedelta(hours=1))  # so that none notes its use

    def _fill_in(self):
        """Say what stands for each parameter of an address, and in each field of a form; some differ by address."""
        self.parameters = {
            "campaign": "small",
            "track": "ad-hoc",
            "task": "focused",
            "number": 1,
            "collection": "letters",
            "identifier": "wick",
            "file_format": "fol",
            "pk": self.run.pk,
            "run": self.run.pk,
            "code": self.run.code,
            "team": self.alices.slug,
            "person": self.carol.pk,
            "token": self.invitation.token,
            "version": 1,
            "provider_id": "orcid",
            "app_label": "campaign",
        }
        self.parameters_at = {
            "assessment-set": {"file_format": "imported"},
            "run-scores": {"file_format": "csv"},
            "curves": {"file_format": "csv"},
            "edition-curves": {"file_format": "csv"},
            "board-file": {"file_format": "csv"},
            "public-scores-as": {"file_format": "json"},
            "edition-scores-as": {"file_format": "json"},
            "edition-board-file": {"file_format": "csv"},
            "topics-file": {"file_format": "xml"},
            "topic": {"number": 3},
            "run-report": {"file_format": "txt"},
            "confirm-account": {"pk": self.unconfirmed.pk},
            "registration-withdraw": {"pk": self.registration_elsewhere.pk},
            "registration-decide": {"pk": self.registration.pk},
            "notification": {"pk": self.alice.notifications.first().pk},
            "moved": {"number": 2},
            "comparisons-file": {"part": "topics", "file_format": "csv"},
            "edition-comparisons-file": {"part": "topics", "file_format": "csv"},
            "desk-trail-file": {"file_format": "csv"},
            "site-trail-file": {"file_format": "csv"},
            "desk-import-report": {"file_format": "txt", "pk": self.assessment_import.pk},
            "desk-pool-file": {"file_format": "xml", "pk": self.pool.pk},
            "desk-building-deed": {"deed": "pause"},
            "organiser-remove": {"person": self.organiser.pk},
            "desk-grant-revoke": {"pk": self.grant.pk},
            "desk-rejection-undo": {"pk": self.rejection.pk},
            **{f"desk-pool{what}": {"pk": self.pool.pk} for what in ("", "-delete")},
            **{
                f"desk-import{what}": {"pk": self.assessment_import.pk}
                for what in ("", "-state", "-accept", "-discard", "-again")
            },
            **{f"collection-import{what}": {"pk": self.collection_import.pk} for what in IMPORT_PAGES},
            "desk-revoke-link": {"pk": self.reviewer_link.pk},
            "review": {"token": self.reviewer_link.token},
            "revoke-token": {"pk": self.alice.api_tokens.get().pk},
        }
        both = f"?runs={self.run.code},{self.their_run.code}"
        self.query_at = {"compare": both, "edition-compare": both}
        self.form = {
            "team": self.alices.pk,
            "name": "renamed",
            "first_name": "Ada",
            "role": "member",
            "approve": "no",
            "reason": "too late",
            "version": 1,
            "accepted": "on",
            "newest": 10**9,
            "task": "all",
            "label": "other reviewers",
        }
        switches = {f"task-{self.task.pk}-{name}": "never" for name in SWITCHES}
        self.form_at = {
            "register": {"team": self.second_team.pk},
            "desk-switches": switches,
            "theme": {"theme": "dark"},
            "desk-activate": {"track": "ad-hoc"},
            "desk-import-accept": {"how": "replace", "seen": 2},
            "desk-roll-back": {"edition": self.task.editions.get(number=1).pk},
            "api-v1:submit": {"team": self.alices.slug},
        }

    def path(self, name, route):
        """Return an address with something in place of each of its parameters, and what it has to be asked with."""
        values = self.parameters | self.parameters_at.get(name, {})
        path = "/" + PARAMETER.sub(lambda found: str(values.get(found[1] or found[2], 1)), route)
        return path + self.query_at.get(name, "")

    def ask(self, role, method, name, path):
        """Send a request as somebody, undo it, and return the answer and whether it had changed anything."""
        client = Client(raise_request_exception=False)
        options = {}
        if path.startswith("/api/v1/"):
            options["headers"] = self.headers[role]
        else:
            client.cookies.load(self.cookies[role])
        if method == "POST":
            person = self.people[role]
            file = SimpleUploadedFile("mine.fol", b"1 Q0 a 1 9.5 mine 0 50\n")
            fields = self.form | {"file": file, "username": person.username if person else "nobody"}
            options["data"] = fields | self.form_at.get(name, {})
        with transaction.atomic():
            response = getattr(client, method.lower())(path, **options)
            if name != "team-join":  # whoever has the link reads whose it is
                self._search(response, role, f"{method} {name or path}")
            is_changed = rows() != self.rows
            transaction.set_rollback(True)
        return response, is_changed

    def _search(self, response, role, place):
        """Note which of the secrets are in an answer."""
        text = f"{response.headers} {response.getvalue().decode(errors='replace')}"
        for secret, words in self.secrets.items():
            if any(word in text for word in words):
                self.found[secret, role].add(place)


def scores_of(run, other):
    """Return a run's scores as pages and the API write them, without those that could be anybody's."""
    scores, others = Score.objects.filter(evaluation__run=run), Score.objects.filter(evaluation__run=other)
    means = {score.mean for score in scores} - {score.mean for score in others}
    means -= {value for score in others for value in score.topic_values.tolist()}
    return [text for mean in means if len(str(mean)) > 8 for text in (f"{mean:.4f}", str(mean)[:8])]


def rows():
    """Return everything that our tables and those of accounts hold."""
    models = [model for model in apps.get_models(include_auto_created=True) if model._meta.app_label in APPS]
    with connection.cursor() as cursor:
        return {
            model: cursor.execute(f"SELECT * FROM {model._meta.db_table} ORDER BY id").fetchall() for model in models
        }
