"""Words on pages: one of a thing is written as one, and no time loses its day."""

import html
import re
from io import BytesIO

import pytest
from django.apps import apps
from django.test import Client
from django.urls import reverse

from assessments.services.pools import make_pool, poolable_runs
from assessments.services.previews import read_import, take_file
from campaign.models import Document, Topic
from campaign.services.acting import By
from campaign.services.documents.collections import import_collection
from campaign.services.people.teams import invite
from campaign.services.runs.checks import check_run
from campaign.services.visibility.grants import grant
from campaign.services.visibility.publication import make_reviewer_link
from tests.world import World, score_run

pytestmark = pytest.mark.slow

ONE_TOO_MANY = re.compile(r"(?<![\w.,/:()\[-])1 ((?:[a-z]+ )?[a-z]{3,}s)\b(?!:)")
NOT_PLURALS = {"less", "was", "has", "this", "its", "falls", "stays", "address"}
LOST_DAY = re.compile(r"(?<!\d{4}, )(?<![\d:T])([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)? (UTC|AoE)")
ASSESSMENTS = b"1 Q0 a 1 200 0 0:1\n"
RUN = b"1 Q0 a 1 9.5 one 0 1\n"
ARTICLE = b"<article><title>One</title><p>One line.</p></article>"
PASSED_OVER = re.compile(
    r"/(sign-out|static|api|admin/jsi18n|admin/logout|admin/password)|/file/|\.(csv|json|xml|txt|zip|fol|qrels)$"
)


@pytest.fixture
def world(db):
    """A campaign with one of everything."""
    world = World()
    Topic.objects.exclude(number="1").delete()
    Document.objects.exclude(identifier="a").delete()
    import_collection(world.collection, [("one", BytesIO(ARTICLE))])
    world.bobs.registrations.all().delete()
    world.activate(ASSESSMENTS)
    run = world.submit(RUN, name="one")
    check_run(run.pk)
    score_run(run.pk)
    rejected = world.submit(b"1 Q0 a 2 9.5 two 0 1\n1 Q0 a 1 9.0 two 5 1\n", name="two")
    check_run(rejected.pk)
    make_pool(world.track, by=By(world.organiser), runs=list(poolable_runs(world.track)), depth=1)
    preview = take_file(world.track, by=By(world.organiser), upload=BytesIO(ASSESSMENTS), file_name="next.qrels")
    read_import(preview.pk)
    world.task.quota = 1
    world.task.save()
    grant(world.task, by=By(world.organiser), team=world.alices, reason="once", extra_runs=1)
    invite(world.alices, by=By(world.alice))
    make_reviewer_link(world.campaign, by=By(world.organiser), label="reviewers")
    return world


def pages_for(user):
    """Follow every link of the site as one person; yields addresses and what can be read there."""
    client = Client()
    if user is not None:
        client.force_login(user)
    waiting, seen = ["/"], {"/"}
    while waiting:
        address = waiting.pop()
        response = client.get(address, follow=True)
        if not response.get("Content-Type", "").startswith("text/html"):
            continue
        page = response.content.decode()
        yield address, readable(page)
        for link in re.findall(r'href="([^"#]+)', page):
            link = html.unescape(link)
            if link.startswith("/") and not PASSED_OVER.search(link) and link not in seen and len(seen) < 400:
                seen.add(link)
                waiting.append(link)


def readable(page):
    body = re.sub(r"<(script|style|svg)\b.*?</\1>", " ", page, flags=re.DOTALL)
    text = re.sub(r"<(?!/?(a|b|bdi|span|strong|mark|code|time|small)\b)[^>]*>", "\n", body)
    return html.unescape(re.sub(r"[ \t]+", " ", re.sub(r"<[^>]*>", "", text)))


def people(world):
    superuser = world.person("root", is_staff=True, is_superuser=True)
    return {"visitor": None, "member": world.alice, "organiser": world.organiser, "superuser": superuser}


@pytest.mark.parametrize("who", ["visitor", "member", "organiser", "superuser"])
def test_one_of_a_thing_is_written_as_one_and_no_time_loses_its_day(world, who):
    seen, wrong = 0, set()
    for address, text in pages_for(people(world)[who]):
        seen += 1
        for found in ONE_TOO_MANY.finditer(text):
            if not set(found[1].split()) & NOT_PLURALS:
                wrong.add((address, found[0]))
        wrong |= {(address, found[0]) for found in LOST_DAY.finditer(text)}

    assert not wrong
    assert seen > {"visitor": 5, "member": 15, "organiser": 40, "superuser": 60}[who]


def test_models_know_how_they_are_called_when_there_are_several():
    names = [
        model._meta.verbose_name_plural
        for label in ("campaign", "assessments", "evaluation")
        for model in apps.get_app_config(label).get_models()
    ]

    assert [str(name) for name in names if re.search(r"[^aeiou]ys\b|[sx]s\b", str(name))] == []


def test_invitations_and_embargoes_are_told_in_the_zones_of_deadlines(world, client):
    client.force_login(world.alice)

    page = readable(client.get(reverse("team", args=[world.alices.slug])).content.decode())

    assert re.search(
        r"Whoever has it can join, until \d+ \w+ \d{4}, \d\d:\d\d AoE · \d+ \w+ \d{4}, \d\d:\d\d UTC", page
    )
