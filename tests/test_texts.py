"""Whatever people write appears as text: on every page, in every file, mail, chart and answer of the API."""

import csv
import html
import io
import re
from urllib.parse import quote, urljoin, urlsplit

import lxml.html
import pytest
from django.apps import apps
from django.contrib import admin
from django.core import mail
from django.db import models
from django.test import Client
from django.urls import URLPattern, resolve, reverse
from django.utils import timezone

from assessments.urls import urlpatterns as assessments_addresses
from campaign.models import (
    Campaign,
    Notification,
    Run,
    Task,
    Team,
    Topic,
    Track,
)
from campaign.models.runs import RUN_NAME
from campaign.services.runs.checks import check_run
from campaign.services.telling.mailing import send_due
from campaign.urls import urlpatterns as campaign_addresses
from evaluation.urls import urlpatterns as evaluation_addresses
from limelight.spreadsheets import FORMULA_STARTS, as_csv
from limelight.wording import one_line
from tests.hostile_texts import FREE, MIXTURES, ODD_TOPIC, SHOWN, TEXTS, HostileWorld
from tests.world import GOOD_RUN, score_run

pytestmark = pytest.mark.slow

TRACK = "/campaigns/small/ad-hoc"
TASK = f"{TRACK}/focused"
OLDER_RUN = f"{TASK}/editions/1/runs/the-run/"
NO_LINK_LEADS_THERE = [f"{TASK}/editions/1/", "/account/delete/", "/healthz", "/readyz", "/status.json", "/nowhere/"]
NO_LINK_LEADS_THERE += ["/theme.css", "/sitemap.xml", "/sitemap-1.xml", "/robots.txt", f"{TASK}/card.png", "/search/"]
NO_LINK_LEADS_THERE += [OLDER_RUN, f"{TASK}/figure.json", f"{TASK}/editions/1/figure.json", f"{TASK}/curves.svg"]
NO_LINK_LEADS_THERE += [
    f"{OLDER_RUN}{what}" for what in ("topics/1/", "topics/1/account.csv", "scores.csv", "scores.json", "scored.fol")
]
NO_LINK_LEADS_THERE += [f"{OLDER_RUN}topics/1/documents/a/{what}" for what in ("", "segments.csv")]
NO_LINK_LEADS_THERE += [f"{TASK}/editions/1/compare/?runs=the-run"]
OTHER_STATUSES = {"nowhere": 404, "readyz": 503, "status-json": 503}  # nothing works here but the web server
NOT_READ = {
    "favicon",
    "withdraw",
    "run-rename",
    "run-official",
    "run-beginning",
    "notifications-read",
    "theme",
}
NOT_READ |= {"team-invite", "team-revoke", "team-leave", "team-role", "team-remove", "run-state", "revoke-token"}
NOT_READ |= {"registration-withdraw", "registration-decide", "review", "review-end"}

KEPT = {"slug", "identifier", "number", "token", "digest", "beginning", "sha256", "run_sha256", "measure", "kind"}
KEPT |= {
    "username",
    "password",
    "email",
    "participant_number",
    "submission_key",
    "address",
    "about",
    "failure_reference",
    "other_measure",
    "test",
}
KEPT |= {"stored_file", "columns_file", "places_file", "report_file", "text_file", "held_token", "lease_token"}
KEPT |= {"findings_file", "test", "other_measure"}
KEPT |= {"line"}  # the address that the versions of a collection share
KEPT |= {"campaign_name", "deed", "subject"}  # the trail tells in our words what the other texts are called
KEPT |= {"profile", "official_measure", "engine_version", "result_type", "document", "path", "zero_reason"}
"""Texts that keep to a pattern, or that we write ourselves."""


@pytest.fixture(params=MIXTURES)
def hostile(request, db, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "files"
    return HostileWorld(MIXTURES[request.param], check_run, score_run)


def client_of(user):
    client = Client()
    client.force_login(user)
    return client


def visited(user, *addresses):
    """Yield every page and file that links lead a person to, each with its address."""
    client, waiting, known = client_of(user), list(addresses), set(addresses)
    while waiting:
        address = waiting.pop()
        response = client.get(address, follow=True)
        yield address, response
        if not response["Content-Type"].startswith("text/html"):
            continue
        for link in lxml.html.fromstring(response.content.decode()).iterfind(".//a[@href]"):
            found = urlsplit(urljoin(response.request["PATH_INFO"], link.get("href")))
            is_ours = not found.scheme and not found.netloc and not found.path.startswith(("/admin/", "/static/"))
            if is_ours and found.path not in known:  # sorted by another measure, a board shows the same texts
                known.add(found.path)
                waiting.append(found.path)


def content_of(response):
    return b"".join(response) if response.streaming else response.content


def squeezed(text):
    """Return what a reader sees of a text: no control characters, and white space merged."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


def text_of(page):
    """Return the text of a page, with what its fields hold and what pointing at something shows."""
    values = [value for element in page.iter() for name, value in element.items() if name in ("value", "title")]
    return squeezed(" ".join([page.text_content(), *values]))


def faults_of(source):
    """Yield what came out of a text that should have stayed text."""
    page = lxml.html.fromstring(source)
    for element in page.iter():
        if not isinstance(element.tag, str):
            continue
        is_ours = (
            element.get("src", "").startswith(("/static/", "/admin/jsi18n/"))
            or element.get("type") == "application/json"
        )
        if element.tag in ("script", "img") and not is_ours:
            yield f"an element: {lxml.html.tostring(element)[:80]}"
        if element.get("href", "").startswith("javascript:"):
            yield f"an address: {element.get('href')}"
        yield from (f"{name} of {element.tag}" for name in element.attrib if name.startswith("on"))


def test_every_text_of_the_models_is_free_or_kept():
    fields = {
        (model, field.name)
        for app in ("campaign", "assessments", "evaluation")
        for model in apps.get_app_config(app).get_models()
        for field in model._meta.get_fields()
        if isinstance(field, (models.CharField, models.TextField)) and not field.choices
    }
    free = {(model, field) for model, names in FREE.items() for field in names}

    unknown = {(model.__name__, name) for model, name in fields - free if name not in KEPT}
    assert unknown == {
        ("Notification", "text"),
        ("Run", "name"),
        ("Run", "code"),
        ("Heartbeat", "name"),
        ("Curve", "name"),
        ("Pseudonym", "name"),
    }


def test_texts_appear_as_text_on_every_page_and_in_every_file(hostile):
    faults, seen, kinds = [], {}, set()
    code = hostile.run.code
    starts = ["/", *(address.replace("the-run", code) for address in NO_LINK_LEADS_THERE)]
    walks = [visited(person, *starts) for person in (hostile.alice, hostile.organiser)]
    walks.append((path, client_of(hostile.chief).get(path)) for path in ("/", "/desk/", "/teams/waiting/"))
    walks.append([("/assessing/", client_of(hostile.assessor).get("/assessing/"))])
    invitation = reverse("team-join", args=[hostile.invitation.token])
    walks.append([(invitation, client_of(hostile.visitor_with_account).get(invitation))])

    for walk in walks:
        for address, response in walk:
            name = resolve(urlsplit(address).path).url_name if address != "/nowhere/" else "nowhere"
            content, kind = content_of(response), response["Content-Type"].split(";")[0]
            expected = 409 if address.endswith("/v1/xml") else OTHER_STATUSES.get(name, 200)
            if response.status_code != expected:
                faults.append(f"{address}: status {response.status_code}")
            if kind == "text/html":
                faults += [f"{address}: {fault}" for fault in faults_of(content.decode())]
                seen[name] = seen.get(name, "") + text_of(lxml.html.fromstring(content.decode()))
            if "attachment" in response.get("Content-Disposition", ""):
                assert re.fullmatch(r"[\x20-\x7e]+", response["Content-Disposition"])
            kinds.add((name, kind))

    assert faults == []
    for name, texts in SHOWN.items():
        for model, fields in texts.items():
            for field in fields:
                assert squeezed(hostile.words(model, field)) in seen[name], (name, field)
    assert squeezed(one_line(hostile.text)) in seen["notifications"]
    assert {("run-scores", "text/csv"), ("run-scores", "application/json")} <= kinds
    ours = {
        address.name
        for address in (*campaign_addresses, *assessments_addresses, *evaluation_addresses)
        if isinstance(address, URLPattern)
    }
    assert ours - {name for name, _ in kinds} == NOT_READ


def test_texts_appear_as_text_in_the_administration(hostile):
    client, faults = client_of(hostile.chief), []

    for model in admin.site._registry:
        names = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        row = model.objects.order_by("pk").first()
        addresses = [reverse(f"{names}_changelist")]
        addresses += [reverse(f"{names}_{page}", args=[row.pk]) for page in ("change", "history") if row]
        for address in addresses:
            response = client.get(address)
            faults += [f"{address}: status {response.status_code}"] if response.status_code != 200 else []
            faults += [f"{address}: {fault}" for fault in faults_of(response.content.decode())]
            if address.endswith("/change/"):
                page = text_of(lxml.html.fromstring(response.content.decode()))
                words = [hostile.words(model, field) for field in FREE.get(model, ()) if field != "held_by"]
                faults += [f"{address} lacks {text}" for text in words if squeezed(text) not in page]

    assert faults == []


def test_answers_of_the_api_hold_texts_as_they_are(hostile):
    client = Client(headers={"Authorization": f"Bearer {hostile.secret}"})
    task = f"/api/v1{TASK}"
    expected = {
        "/api/v1/campaigns": [(Campaign, "name"), (Campaign, "summary")],
        "/api/v1/campaigns/small": [(Campaign, "description"), (Track, "description"), (Task, "name")],
        f"/api/v1{TRACK}/topics": [(Topic, "title"), (Topic, "castitle"), (Topic, "narrative")],
        f"/api/v1{TRACK}/topics/{quote(ODD_TOPIC)}": [(Topic, "title"), (Topic, "description")],
        task: [(Task, "name"), (Task, "description"), (Team, "name")],
        f"{task}/board": [(Team, "name"), (Run, "description")],
        f"{task}/editions/1": [(Team, "name")],
        "/api/v1/runs": [(Run, "description"), (Run, "file_name")],
        f"/api/v1/runs/{hostile.run.pk}": [(Run, "description")],
        f"/api/v1/runs/{hostile.run.pk}/state": [],
        f"/api/v1/runs/{hostile.run.pk}/scores": [],
        f"/api/v1/runs/{hostile.rejected.pk}/report": [],
        "/api/v1/status": [],
    }

    for address, texts in expected.items():
        response = client.get(address)
        told = set(strings_in(response.json()))
        assert (response.status_code, response["Content-Type"]) == (200, "application/json; charset=utf-8"), address
        assert response["X-Content-Type-Options"] == "nosniff"
        assert {hostile.words(model, field) for model, field in texts} <= told, address


def strings_in(told):
    """Yield every text of an answer, at whatever depth."""
    if isinstance(told, str):
        yield told
    elif isinstance(told, (dict, list)):
        for part in told.values() if isinstance(told, dict) else told:
            yield from strings_in(part)


def test_mails_are_plain_text_of_one_line_and_one_subject(hostile):
    while Notification.objects.to_mail(timezone.now()).exists():
        assert send_due()

    assert {address for letter in mail.outbox for address in letter.to} >= {
        "alice@example.org",
        "organiser@example.org",
    }
    for letter in mail.outbox:
        source = letter.message()
        assert (source.get_content_type(), source.is_multipart()) == ("text/plain", False)
        assert letter.subject.isprintable() or "\u200d" in letter.subject
        paragraphs = letter.body.split("\n-- \n")[0].strip().split("\n\n")
        assert all(len(paragraph.splitlines()) == 1 for paragraph in paragraphs)
        assert not set("\u202e\x1b") & set(letter.body)
    assert any(one_line(hostile.words(Team, "name")) in letter.body for letter in mail.outbox)
    assert any(letter.body.startswith(one_line(hostile.text)) for letter in mail.outbox)


def test_a_chart_shows_texts_letter_by_letter_and_stays_in_its_element(hostile):
    page = client_of(hostile.alice).get(f"{TASK}/").content.decode()

    [drawing] = re.findall(r'<svg class="curves".*?</svg>\n</div>|<svg class="curves".*\n</svg>', page, re.DOTALL)
    labels = re.findall(r'<tspan [^>]*>([^<]*)</tspan> <tspan class="team"[^>]*>([^<]*)</tspan>', drawing)
    assert {label for label, _ in labels} == {"good", "other"}
    name = one_line(hostile.words(Team, "name"))
    for _, team in labels:
        assert len(html.unescape(team)) <= 24
        assert name.startswith(html.unescape(team).removesuffix("…"))
    carried = client_of(hostile.alice).get(f"{TASK}/figure.json").json()
    assert {run["team"] for run in carried["runs"]} == {name}


def test_no_cell_of_a_table_begins_as_a_formula(hostile):
    client = client_of(hostile.alice)
    told = content_of(client.get(reverse("run-scores", args=[hostile.run.pk, "csv"]))).decode()

    cells = [cell for row in csv.reader(io.StringIO(told)) for cell in row]

    assert f"'{ODD_TOPIC}" in cells
    assert not [cell for cell in cells if cell.startswith(FORMULA_STARTS)]


@pytest.mark.parametrize("text", [*TEXTS.values(), *(f"{start}x" for start in FORMULA_STARTS), 'a\r\n=b,"c"'])
def test_a_table_gives_every_text_back(text):
    [[first, second]] = csv.reader(io.StringIO(as_csv([[text, f"a {text}"]]), newline=""))

    assert not first.startswith(FORMULA_STARTS)
    assert first.removeprefix("'") == text
    assert second == f"a {text}"


@pytest.mark.parametrize("name", TEXTS.values(), ids=TEXTS)
def test_a_run_keeps_to_its_pattern_of_a_name_at_every_door(world, api, name):
    sentence = RUN_NAME.message
    run = world.submit()
    client = client_of(world.alice)
    sent = {"team": world.alices.pk, "name": name}

    form = client.post(f"{TASK}/submit/", sent | {"file": io.BytesIO(GOOD_RUN)})
    renamed = client.post(reverse("run-rename", args=[run.pk]), {"name": name}, follow=True)
    called = api(world.alice).post(f"{TASK}/runs", {"name": name, "file": io.BytesIO(GOOD_RUN)})

    assert (form.status_code, called.status_code) == (422, 422)
    for page in (form, renamed):
        assert sentence in text_of(lxml.html.fromstring(page.content.decode()))
        assert list(faults_of(page.content.decode())) == []
    assert {"field": "name", "line": None, "message": sentence} in called.json()["errors"]
    assert sentence in called.json()["detail"]
    assert [kept.name for kept in Run.objects.all()] == ["good"]
