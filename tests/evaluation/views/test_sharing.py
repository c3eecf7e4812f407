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
from evaluation.services.analyses import refresh_analyses
from evaluation.services.leaders import leaders_of
from evaluation.services.podiums import Place, podiums_of
from evaluation.services.sharing import card_of
from tests.twelve_topics import compute_all, give_twelve_topics, scored_run
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
    assert said["description"] == (
        "good has the highest iP[0.01], 0.633. Too few topics to tell runs apart. "
        'Leaderboard of Focused, Small. Find "the" <right> text soon'
    )
    assert said["canonical"] == [f"https://lime.example{BOARD}"]
    assert (said["og:title"], said["og:url"]) == ("Focused, Small", f"https://lime.example{BOARD}")
    assert said["og:description"] == said["description"]
    assert said["og:image"] == f"https://lime.example{BOARD}card.png"
    assert said["twitter:card"] == "summary_large_image"


def test_a_board_is_described_by_what_any_visitor_may_know_whoever_asks(scored, client):
    plain = "Leaderboard of Focused, Small."
    for switches in ({"names_visible": "never"}, {"other_scores_visible": "never"}):
        Task.objects.update(names_visible="at-once", other_scores_visible="at-once")
        Task.objects.update(**switches)
        for person in (scored.alice, scored.organiser):
            client.force_login(person)
            said = head(client, BOARD)
            assert said["og:description"] == plain
    Task.objects.update(names_visible="never", other_scores_visible="at-once")
    client.logout()
    assert head(client, BOARD)["description"].startswith(f"{scored.run.code} has the highest iMAP, 0.605.")


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
        places=(("", "good", "Lund", "0.6053", False), ("", "worse", "Delft", "0.1667", False)),
        sentence="Too few topics to tell runs apart",
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


def test_a_card_marks_those_who_share_the_lead_and_gives_nobody_a_place_that_is_not_told(world):
    twelve = give_twelve_topics(world)
    for name, found, turn in (("good", 45, 7), ("near", 44, 3), ("far", 6, 7)):
        scored_run(twelve, name, found, turn=turn)

    waiting = card_of(twelve.task)

    assert waiting.sentence == "Whether the first differ from the others is told on the board"
    assert {place[0] for place in waiting.places} == {""} and not any(place[4] for place in waiting.places)
    compute_all()
    refresh_analyses()  # sees that what was computed is of now
    twelve.task.refresh_from_db()
    told = card_of(twelve.task)
    assert told.sentence == "Two of three runs share the lead"
    assert [(place[0], place[1], place[4]) for place in told.places] == [
        ("1–2", "good", True),
        ("1–2", "near", True),
        ("3", "far", False),
    ]
    assert Image.open(BytesIO(as_png(told))).size == (1200, 630)


def test_a_run_that_stands_alone_is_said_to_lead(world):
    twelve = give_twelve_topics(world)
    for name, found in (("good", 45), ("far", 6), ("further", 3)):
        scored_run(twelve, name, found)
    compute_all()
    refresh_analyses()  # sees that what was computed is of now
    twelve.task.refresh_from_db()

    told = card_of(twelve.task)

    assert told.sentence == "The first is above all two others"
    assert [place[4] for place in told.places] == [True, False, False]
    [leaders] = leaders_of([twelve.task]).values()
    first = leaders.places[0]
    assert leaders.summary == f"good (Lund) leads by iMAP with {first.score:.4f}, above all two others."


def test_a_withdrawn_run_leaves_the_card(scored):
    Run.objects.filter(pk=scored.run.pk).update(withdrawn_at=timezone.now())

    assert [place[1] for place in card_of(scored.task).places] == ["worse"]


def test_runs_that_are_equal_share_a_rank_on_the_podium(scored):
    scored.scored(GOOD_RUN, "same", user=scored.bob, team=scored.bobs)
    edition = scored.task.editions.get()

    podium = podiums_of([edition])[edition.pk]

    places = podium.places
    assert podium.run_count == 3

    assert [place.rank for place in places] == [1, 1, 3]
    worse = Run.objects.get(name="worse")
    assert places[2] == Place(3, "worse", "Delft", pytest.approx(1 / 6), worse.code, "delft")


@pytest.mark.parametrize(
    "text", ["", "東京大学", "\u202eevil\x00\x1b", 3_000 * "W", "👩‍🔬🏳️‍🌈", "فريق עברית", "<b>&amp;"]
)
def test_whatever_texts_say_a_card_is_drawn(text):
    card = Card(text, text, (("1–300", text, text, "0.1234", True),) * 3, text, text)

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
            "/campaigns/",
            "/campaigns/small/",
            BOARD,
            "/campaigns/small/ad-hoc/",
            "/campaigns/small/ad-hoc/topics/",
            "/collections/letters/",
            "/teams/delft/",
            "/teams/lund/",
            *(f"/campaigns/small/ad-hoc/topics/{number}/" for number in (1, 2, 3)),
            *(f"{BOARD}runs/{code}/" for code in sorted((scored.run.code, scored.their_run.code))),
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
    assert client.get("/sitemap.xml").content.decode().count("<loc>") == 2


@pytest.mark.parametrize("switch", ["other_scores_visible", "names_visible"])
def test_runs_and_teams_are_in_the_sitemap_when_scores_and_names_are_out_and_not_before(scored, client, switch):
    Task.objects.update(**{switch: "at-publication"})

    before = client.get("/sitemap.xml").content.decode()

    assert "/runs/" not in before and "/teams/" not in before
    Task.objects.update(published_at=timezone.now())
    after = client.get("/sitemap.xml").content.decode()
    assert after.count("/runs/") == after.count("/teams/") == 2
    Run.objects.filter(pk=scored.run.pk).update(withdrawn_at=timezone.now())
    left = client.get("/sitemap.xml").content.decode()
    assert left.count("/runs/") == left.count("/teams/") == 1


def test_a_long_sitemap_names_its_parts_which_hold_every_address_once(scored, client, settings, monkeypatch):
    settings.SITE_URL = "https://lime.example"
    whole = re.findall("<loc>(.*?)</loc>", client.get("/sitemap.xml").content.decode())
    monkeypatch.setattr("evaluation.services.sitemaps.PART", 4)

    index = client.get("/sitemap.xml").content.decode()

    assert "<sitemapindex " in index
    parts = re.findall("<sitemap><loc>https://lime.example(.*?)</loc></sitemap>", index)
    assert parts == [f"/sitemap-{part}.xml" for part in range(1, -(-len(whole) // 4) + 1)]
    files = [client.get(part).content.decode() for part in parts]
    assert [address for file in files for address in re.findall("<loc>(.*?)</loc>", file)] == whole
    for missing in (0, len(parts) + 1):
        assert client.get(f"/sitemap-{missing}.xml").status_code == 404
    monkeypatch.setattr("evaluation.services.sitemaps.MOST_PARTS", 2)
    assert client.get("/sitemap.xml").content.decode().count("<sitemap>") == 2


def test_the_queries_of_the_sitemap_and_of_a_card_do_not_grow(scored, client, django_assert_max_num_queries):
    for number in range(5):
        team = Team.objects.create(slug=f"team-{number}", name=f"Team {number}")
        Run.objects.create(
            task=scored.task, team=team, name=f"run-{number}", file_name="x", sha256=64 * "0", size=1, stored_file="x"
        )

    with django_assert_max_num_queries(12):
        client.get("/sitemap.xml")
    with django_assert_max_num_queries(5):
        client.get(f"{BOARD}card.png")


def test_robots_are_told_where_nothing_is_for_them(db, client, settings):
    settings.SITE_URL = "https://lime.example"

    lines = client.get("/robots.txt").content.decode().splitlines()

    assert lines[0] == "User-agent: *"
    assert {"Disallow: /desk/", "Disallow: /runs/", "Disallow: /search/", "Disallow: /*?"} <= set(lines)
    assert lines[-1] == "Sitemap: https://lime.example/sitemap.xml"
