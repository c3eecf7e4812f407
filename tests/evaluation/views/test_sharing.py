"""What other sites' machines read: descriptions, cards, the sitemap and robots.txt, by what any visitor may know."""

import re
from datetime import timedelta
from io import BytesIO

import lxml.etree
import lxml.html
import pytest
from django.utils import timezone
from PIL import Image

from campaign.models import Campaign, Run, Task, Team
from evaluation.cards import Card, as_png, drawable, fitted
from evaluation.services.podiums import Place, podiums_of
from evaluation.services.sharing import card_of
from tests.world import GOOD_RUN

BOARD = "/campaigns/small/ad-hoc/focused/"
WORSE_RUN = b"1 Q0 b 1 9.5 worse 0 50\n1 Q0 a 2 8.0 worse 0 50\n"


@pytest.fixture
def scored(world):
    world.activate()
    world.run = world.scored()
    world.their_run = world.scored(WORSE_RUN, "worse", user=world.bob, team=world.bobs)
    return world


def head(client, path):
    """Return what the head of a page says: title, description and the rest by name."""
    page = lxml.html.fromstring(client.get(path).content.decode())
    said = {meta.get("property") or meta.get("name"): meta.get("content") for meta in page.iterfind(".//head/meta")}
    said["canonical"] = [link.get("href") for link in page.iterfind(".//head/link[@rel='canonical']")]
    said["title"] = page.findtext(".//title")
    return said


def test_a_board_is_described_with_its_card(scored, client, settings):
    settings.SITE_URL = "https://lime.example"
    Task.objects.update(description='*Find* "the" <right> text\n\n- soon')

    said = head(client, f"{BOARD}?sort=iP[0.01]&utm=1")

    assert said["title"] == "Focused, Small · Limelight"
    assert said["description"] == 'Leaderboard of Focused, Small. Find "the" <right> text soon'
    assert said["canonical"] == [f"https://lime.example{BOARD}"]
    assert (said["og:title"], said["og:url"]) == ("Focused, Small", f"https://lime.example{BOARD}")
    assert said["og:description"] == said["description"]
    assert said["og:image"] == f"https://lime.example{BOARD}card.png"
    assert said["twitter:card"] == "summary_large_image"


@pytest.mark.parametrize(
    ("path", "description"),
    [
        ("/", "Evaluation campaigns for focused retrieval: who returned the right text, character by character."),
        ("/campaigns/small/", "About lamps"),
        ("/campaigns/small/ad-hoc/topics/", "The topics of Ad hoc, Small: what systems were asked."),
        ("/campaigns/small/ad-hoc/topics/1/", "topic 1"),
        ("/collections/letters/", "Documents of Letters."),
        ("/collections/letters/a/", "A, a document of Letters."),
    ],
)
def test_pages_are_described_in_a_line(world, client, settings, path, description):
    settings.SITE_URL = "https://lime.example"
    Campaign.objects.update(description="About *lamps*")

    said = head(client, path)

    assert said["description"] == description
    assert said["canonical"] == [f"https://lime.example{path}"]


def test_only_the_page_of_a_list_belongs_to_an_address(world, client):
    assert head(client, "/collections/letters/?page=2&q=x")["canonical"][0].endswith("/collections/letters/?page=2")
    for page in ("1", "0", "-1", "x", "²", 30 * "9" + "x"):
        assert head(client, f"/collections/letters/?page={page}")["canonical"][0].endswith("/collections/letters/")


def test_a_page_that_is_not_there_has_no_address(world, client):
    Campaign.objects.update(gates_topics=True)

    for path in ("/nowhere/", "/campaigns/small/ad-hoc/topics/"):
        said = head(client, path)
        assert said["canonical"] == []
        assert "og:url" not in said


def test_a_card_is_a_picture_of_the_first_three(scored, client):
    answer = client.get(f"{BOARD}card.png")

    picture = Image.open(BytesIO(answer.content))
    assert (picture.format, picture.size) == ("PNG", (1200, 630))
    assert (answer["Content-Type"], answer["Cross-Origin-Resource-Policy"]) == ("image/png", "cross-origin")
    assert len(answer.content) < 60_000
    again = client.get(f"{BOARD}card.png", headers={"If-None-Match": answer["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert card_of(scored.task) == Card(
        above="Small › Ad hoc",
        heading="Focused",
        places=(("1", "good", "Lund", "0.6053"), ("2", "worse", "Delft", "0.1667")),
        sentence="",
        below="2 runs · 2 teams · 3 topics · ranked by iMAP · edition 1",
    )


def test_a_card_tells_nothing_before_scores_are_published_and_all_of_it_afterwards(scored):
    Task.objects.update(other_scores_visible="at-publication", names_visible="at-publication")
    scored.task.refresh_from_db()

    before = card_of(scored.task)

    assert before.places == ()
    assert re.fullmatch(r"Open until \d+ \w+ \d{4}, \d\d:\d\d AoE", before.sentence)
    assert before.below == "Focused"
    scored.task.published_at = timezone.now()
    scored.task.save()
    assert [place[1:3] for place in card_of(scored.task).places] == [("good", "Lund"), ("worse", "Delft")]


def test_a_card_of_an_anonymous_board_has_codes_and_pseudonyms(scored, client):
    Task.objects.update(names_visible="never")
    scored.task.refresh_from_db()

    told = card_of(scored.task)

    assert [place[1] for place in told.places] == [scored.run.code, scored.their_run.code]
    assert all(re.fullmatch("Team [0-9A-F]{4}", place[2]) for place in told.places)
    # Whoever asks, a member or an organiser: the picture is the same.
    answers = []
    for person in (None, scored.alice, scored.organiser):
        if person:
            client.force_login(person)
        answers.append(client.get(f"{BOARD}card.png").content)
    assert len(set(answers)) == 1


def test_a_card_of_a_hidden_campaign_is_not_there_for_anybody(scored, client):
    Campaign.objects.update(is_public=False)
    client.force_login(scored.organiser)

    assert client.get(f"{BOARD}card.png").status_code == 404


def test_a_card_says_when_a_task_opens_and_when_it_has_closed(world):
    now = timezone.now()
    world.task.opens_at, world.task.closes_at = now + timedelta(hours=1), now + timedelta(hours=2)
    assert card_of(world.task).sentence.startswith("Opens ")

    world.task.opens_at, world.task.closes_at = now - timedelta(hours=2), now - timedelta(hours=1)
    assert card_of(world.task).sentence == "Closed; no results to show yet."


def test_a_withdrawn_run_leaves_the_card(scored):
    Run.objects.filter(pk=scored.run.pk).update(withdrawn_at=timezone.now())

    assert [place[1] for place in card_of(scored.task).places] == ["worse"]


def test_runs_that_are_equal_share_a_rank_on_the_podium(scored):
    scored.scored(GOOD_RUN, "same", user=scored.bob, team=scored.bobs)
    edition = scored.task.editions.get()

    places = podiums_of([edition])[edition.pk]

    assert [place.rank for place in places] == [1, 1, 3]
    worse = Run.objects.get(name="worse")
    assert places[2] == Place(3, "worse", "Delft", pytest.approx(1 / 6), worse.code, "delft")


@pytest.mark.parametrize(
    "text", ["", "東京大学", "\u202eevil\x00\x1b", 3_000 * "W", "👩‍🔬🏳️‍🌈", "فريق עברית", "<b>&amp;"]
)
def test_whatever_texts_say_a_card_is_drawn(text):
    card = Card(text, text, (("1", text, text, "0.1234"),) * 3, text, text)

    assert Image.open(BytesIO(as_png(card))).size == (1200, 630)
    assert "\u202e" not in drawable(text)
    assert len(fitted(text, 300, (20,))[0]) <= 60


def test_the_sitemap_lists_what_everybody_may_open(scored, client, settings):
    settings.SITE_URL = "https://lime.example"

    answer = client.get("/sitemap.xml")

    assert answer["Content-Type"] == "application/xml; charset=utf-8"
    space = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9"}
    tree = lxml.etree.fromstring(answer.content)
    assert tree.xpath("s:url/s:loc/text()", namespaces=space) == [
        f"https://lime.example{path}"
        for path in (
            "/",
            "/campaigns/small/",
            BOARD,
            "/campaigns/small/ad-hoc/",
            "/campaigns/small/ad-hoc/topics/",
            "/collections/letters/",
            *(f"/campaigns/small/ad-hoc/topics/{number}/" for number in (1, 2, 3)),
        )
    ]
    [changed] = tree.xpath("s:url/s:lastmod/text()", namespaces=space)
    assert changed == f"{scored.task.editions.get().live_at:%Y-%m-%dT%H:%M:%SZ}"
    for path in tree.xpath("s:url/s:loc/text()", namespaces=space):
        assert client.get(path.removeprefix("https://lime.example")).status_code == 200


def test_the_sitemap_knows_neither_hidden_campaigns_nor_gated_topics_nor_when_hidden_boards_changed(scored, client):
    Task.objects.update(other_scores_visible="never")
    Campaign.objects.update(gates_topics=True, gates_collection=True)

    gated = client.get("/sitemap.xml").content.decode()

    assert f"{BOARD}</loc>" in gated
    assert "topics" not in gated
    assert "collections" not in gated
    assert "lastmod" not in gated
    Campaign.objects.update(is_public=False)
    client.force_login(scored.organiser)
    assert client.get("/sitemap.xml").content.decode().count("<loc>") == 1


def test_the_queries_of_the_sitemap_and_of_a_card_do_not_grow(scored, client, django_assert_max_num_queries):
    for number in range(5):
        team = Team.objects.create(slug=f"team-{number}", name=f"Team {number}")
        Run.objects.create(
            task=scored.task, team=team, name=f"run-{number}", file_name="x", sha256=64 * "0", size=1, stored_file="x"
        )

    with django_assert_max_num_queries(7):
        client.get("/sitemap.xml")
    with django_assert_max_num_queries(5):
        client.get(f"{BOARD}card.png")


def test_robots_are_told_where_nothing_is_for_them(db, client, settings):
    settings.SITE_URL = "https://lime.example"

    lines = client.get("/robots.txt").content.decode().splitlines()

    assert lines[0] == "User-agent: *"
    assert {"Disallow: /desk/", "Disallow: /runs/", "Disallow: /search/", "Disallow: /*?"} <= set(lines)
    assert lines[-1] == "Sitemap: https://lime.example/sitemap.xml"
