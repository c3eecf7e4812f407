"""Feeds of results: new boards and published results, as any visitor may know them."""

from datetime import timedelta

import lxml.etree
import pytest
from django.utils import timezone

from campaign.models import Campaign, Run, Task, Team
from evaluation.models import Edition
from evaluation.services.analyses import refresh_analyses
from evaluation.services.result_feeds import LONGEST_FEED, news_of
from tests.twelve_topics import compute_all, give_twelve_topics, scored_run
from tests.world import RICHER, score_all

SITE, CAMPAIGN, TASK = "/results.atom", "/campaigns/small/results.atom", "/campaigns/small/ad-hoc/focused/results.atom"
BOARD = "/campaigns/small/ad-hoc/focused/"
ATOM = {"a": "http://www.w3.org/2005/Atom"}


@pytest.fixture
def scored(world, settings):
    settings.SITE_URL = "https://lime.example"
    world.activate()
    world.run = world.scored()
    return world


def entries(client, path=SITE):
    """Return the entries of a feed: title, address, key, moment and summary."""
    answer = client.get(path)
    assert answer["Content-Type"] == "application/atom+xml; charset=utf-8"
    tree = lxml.etree.fromstring(answer.content)
    return [
        (
            entry.findtext("a:title", namespaces=ATOM),
            entry.find("a:link", namespaces=ATOM).get("href"),
            entry.findtext("a:id", namespaces=ATOM),
            entry.findtext("a:updated", namespaces=ATOM),
            entry.findtext("a:summary", namespaces=ATOM),
        )
        for entry in tree.iterfind("a:entry", namespaces=ATOM)
    ]


@pytest.mark.parametrize("path", [SITE, CAMPAIGN, TASK])
def test_a_new_board_is_news_with_its_first_places(scored, client, path):
    [entry] = entries(client, path)

    live_at = scored.task.editions.get().live_at
    assert entry == (
        "Focused, Small: new board, edition 1",
        f"https://lime.example{BOARD}editions/1/",
        f"https://lime.example{BOARD}editions/1/",
        live_at.isoformat(),
        "Highest iMAP: good (Lund) 0.6053. One run so far.",
    )


def test_a_feed_says_what_it_is(scored, client):
    tree = lxml.etree.fromstring(client.get(TASK).content)

    assert tree.findtext("a:title", namespaces=ATOM) == "Results of Focused, Small"
    assert tree.findtext("a:author/a:name", namespaces=ATOM) == "Limelight"
    links = {link.get("rel"): link.get("href") for link in tree.iterfind("a:link", namespaces=ATOM)}
    assert links == {"alternate": f"https://lime.example{BOARD}", "self": f"https://lime.example{TASK}"}


def test_before_publication_a_feed_is_empty_and_afterwards_it_tells(scored, client):
    Task.objects.update(other_scores_visible="at-publication", names_visible="at-publication")
    assert entries(client) == []

    now = timezone.now()
    Task.objects.update(published_at=now)

    [(title, _, key, updated, summary)] = entries(client)
    assert (title, updated) == ("Focused, Small: results are open", now.isoformat())
    assert key == f"https://lime.example{BOARD}editions/1/"
    assert summary == "Highest iMAP: good (Lund) 0.6053. One run so far."


def test_a_board_that_gave_way_before_anybody_could_see_it_is_no_news(scored, client):
    Task.objects.update(other_scores_visible="at-publication")
    scored.activate(RICHER)
    score_all()
    Task.objects.update(published_at=timezone.now())

    assert [title for title, *_ in entries(client)] == ["Focused, Small: results are open"]
    assert entries(client)[0][1].endswith("/editions/2/")


def test_publication_is_news_of_its_own_where_scores_were_open_before(scored, client):
    Task.objects.update(published_at=timezone.now())

    published, board = entries(client)

    assert published[:3] == (
        "Focused, Small: results are published",
        f"https://lime.example{BOARD}",
        f"https://lime.example{BOARD}#published",
    )
    assert board[0] == "Focused, Small: new board, edition 1"
    Task.objects.update(published_at=timezone.now() + timedelta(days=1))  # under embargo
    assert len(entries(client)) == 1


def test_only_the_board_of_today_tells_its_first_places(scored, client):
    scored.activate(RICHER)
    score_all()

    [new, old] = entries(client)

    assert (new[0][-9:], old[0][-9:]) == ("edition 2", "edition 1")
    assert new[4].startswith("Highest iMAP: good (Lund) ")
    assert old[4] == "The board is at this address."


def test_news_says_how_many_share_the_lead(world, client):
    twelve = give_twelve_topics(world)
    for name, found in (("good", 45), ("near", 44), ("nearer", 44.5), ("same", 45), ("far", 6)):
        scored_run(twelve, name, int(found), turn=len(name))
    compute_all()
    refresh_analyses()  # sees that what was computed is of now

    summary = entries(client)[0][4]

    assert summary.startswith("Four of five runs share the lead by iMAP: ")
    assert summary.endswith(" and one more.")
    assert summary.count("(Lund) 0.") == 3 and "far" not in summary


def test_equal_scores_are_told_as_equal(scored, client):
    scored.scored(name="same", user=scored.bob, team=scored.bobs)

    summary = entries(client)[0][4]

    first, second = sorted((run.code, f"{run.name} ({run.team.name})") for run in Run.objects.all())
    assert summary == f"Highest iMAP: {first[1]} and {second[1]} 0.6053 each. Too few topics to tell runs apart."


def test_hidden_names_are_in_no_feed_whoever_asks(scored, client):
    Task.objects.update(names_visible="at-publication")

    for person in (None, scored.alice, scored.organiser):
        if person:
            client.force_login(person)
        for path in (SITE, CAMPAIGN, TASK):
            feed = client.get(path).content.decode()
            assert scored.run.code in feed
            assert "Lund" not in feed
            assert "good" not in feed


def test_a_hidden_campaign_has_no_feed_even_for_its_organiser(scored, client):
    Campaign.objects.update(is_public=False)
    client.force_login(scored.organiser)

    assert entries(client) == []
    assert client.get(CAMPAIGN).status_code == 404
    assert client.get(TASK).status_code == 404


def test_a_run_that_left_is_gone_from_the_feed(scored, client):
    Run.objects.update(withdrawn_at=timezone.now())

    assert entries(client)[0][4] == "The board is at this address."


def test_odd_texts_do_not_break_a_feed(scored, client):
    Task.objects.update(name="<b>\x01\x1b &amp; \u202eevil\u2028")
    Team.objects.update(name="]]>\x08")

    [(title, *_, summary)] = entries(client)

    assert title == "<b> &amp; evil , Small: new board, edition 1"
    assert summary == "Highest iMAP: good (]]&gt; ) 0.6053. One run so far."  # as HTML, which it is


def test_a_feed_that_did_not_change_is_not_sent_again(scored, client):
    answer = client.get(SITE)

    assert client.get(SITE, headers={"If-None-Match": answer["ETag"]}).status_code == 304


def test_a_feed_is_short_and_its_queries_do_not_grow(scored, django_assert_num_queries):
    edition = scored.task.editions.get()
    for number in range(2, 30):
        edition.pk, edition.number, edition.state = None, number, Edition.State.SUPERSEDED
        edition.live_at = timezone.now() - timedelta(days=number)
        edition.superseded_at = timezone.now()
        edition.save()

    with django_assert_num_queries(3):
        news = news_of()

    assert len(news) == LONGEST_FEED
    assert [entry.at for entry in news] == sorted((entry.at for entry in news), reverse=True)


def test_pages_lead_to_their_feeds_and_calendars(scored, client):
    for path, linked in (
        ("/", {SITE, "/deadlines.ics"}),
        ("/campaigns/small/", {CAMPAIGN, "/campaigns/small/deadlines.ics"}),
    ):
        page = lxml.etree.HTML(client.get(path).content.decode())
        assert linked <= set(page.xpath("//body//a/@href"))
        assert linked <= set(page.xpath("//head/link[@rel='alternate']/@href"))
    page = lxml.etree.HTML(client.get(BOARD).content.decode())
    assert TASK in page.xpath("//body//a/@href")
    assert TASK in page.xpath("//head/link[@rel='alternate']/@href")
