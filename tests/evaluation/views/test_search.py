"""Search: what is found, by whom, and what never is; the same whoever asks."""

from datetime import timedelta
from io import BytesIO

import lxml.html
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from campaign.machinery.limits import RateLimit
from campaign.models import Campaign, Collection, Document, Run, Task, Team, Topic, Track
from campaign.services.documents.collections import import_collection
from evaluation.models import Evaluation
from evaluation.services.search import found_for, words_of
from limelight.wording import counted
from tests.pages import text

BOARD = "/campaigns/small/ad-hoc/focused/"
TOPICS = "/campaigns/small/ad-hoc/topics/"


@pytest.fixture
def scored(world):
    world.activate()
    world.run = world.scored(name="lantern-bm25", description="weights by *wick length*")
    Team.objects.filter(pk=world.alices.pk).update(name="Argand Society")
    Campaign.objects.update(summary="Lamps of all kinds")
    Track.objects.update(description="about beacons")
    Task.objects.update(description="returns glimmers")
    Topic.objects.filter(number="2").update(title="keepers of lighthouses", narrative="who trimmed the mantle")
    Document.objects.filter(identifier="c").update(title="The carbide burner")
    return world


def found(query):
    """Return the names that are found, by kind."""
    return {hits.kind: [hit.name for hit in hits.shown] for hits in found_for(query)}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("lamps", {"campaign": ["Small"]}),
        ("SMALL 2026", {"campaign": ["Small"]}),
        ("beacons", {"track": ["Ad hoc"]}),
        ("glimmers focused", {"task": ["Focused"]}),
        ("lantern", {"run": ["lantern-bm25"]}),
        ("argand bm25", {"run": ["lantern-bm25"]}),
        ("wick", {"run": ["lantern-bm25"]}),
        ("society", {"run": ["lantern-bm25"], "team": ["Argand Society"]}),
        ("mantle", {"topic": ["2 keepers of lighthouses"]}),
        ("lighthouses keepers", {"topic": ["2 keepers of lighthouses"]}),
        ("carbide", {"document": ["The carbide burner"]}),
        ("d", None),
        ("nowhere-to-be-found", {}),
        ("lantern nowhere", {}),
    ],
)
def test_each_kind_is_found_by_its_words(scored, query, expected):
    if expected is None:
        assert found(query)["document"][0] == "D"  # called so, before those that only hold it
    else:
        assert found(query) == expected


def test_topics_that_are_called_so_come_before_those_that_only_say_so(scored):
    Topic.objects.filter(number="1").update(title="a", narrative="lighthouses, too")

    assert found("lighthouses")["topic"] == ["2 keepers of lighthouses", "1 a"]


def test_hits_lead_somewhere_that_everybody_may_open(scored, client):
    for query in ("lamps", "beacons", "glimmers", "lantern", "society", "mantle", "carbide"):
        for hits in found_for(query):
            for hit in hits.shown:
                assert client.get(hit.path).status_code == 200, hit


HIDING = {
    "scores": {"other_scores_visible": "at-publication"},
    "names": {"names_visible": "at-publication"},
    "both": {"other_scores_visible": "at-publication", "names_visible": "at-publication"},
}


@pytest.mark.parametrize("switches", HIDING.values(), ids=HIDING)
def test_runs_and_teams_are_found_when_scores_and_names_are_out_and_not_before(scored, client, switches):
    Task.objects.update(**switches)

    for person in (None, scored.alice, scored.bob, scored.organiser):
        if person:
            client.force_login(person)
        for query in ("lantern", "argand", "wick", "society bm25", scored.run.code):
            page = text(client.get("/search/", {"q": query}))
            assert "Nothing that everybody may see holds" in page
            assert "lantern-bm25" not in page
            assert "Argand Society" not in page
    Task.objects.update(published_at=timezone.now() + timedelta(hours=1))  # under embargo
    assert found("lantern") == {}
    Task.objects.update(published_at=timezone.now() - timedelta(seconds=1))
    assert found("society") == {"run": ["lantern-bm25"], "team": ["Argand Society"]}


def test_scores_that_are_never_shown_keep_runs_from_being_found(scored):
    Task.objects.update(other_scores_visible="never", published_at=timezone.now())

    assert found("lantern") == {}


def test_runs_that_left_or_wait_are_not_found_nor_counted(scored):
    Run.objects.filter(pk=scored.run.pk).update(withdrawn_at=timezone.now())
    assert found("society") == {}

    Run.objects.filter(pk=scored.run.pk).update(withdrawn_at=None, state=Run.State.REJECTED)
    assert found("society") == {}

    Run.objects.filter(pk=scored.run.pk).update(state=Run.State.VALID)
    Evaluation.objects.update(state=Evaluation.State.QUEUED)
    assert found("society") == {}


def test_a_team_is_found_on_a_board_that_names_it_not_on_an_anonymous_one(scored):
    other = scored.new_task("thorough", closes_at=timezone.now() + timedelta(days=1), names_visible="never")
    Run.objects.filter(pk=scored.run.pk).update(task=other)
    Evaluation.objects.update(edition=scored.task.editions.get())
    scored.task.editions.update(task=other)

    assert found("society") == {}


@pytest.mark.parametrize(
    ("gates", "hidden"),
    [
        ({"gates_topics": True}, "mantle"),
        ({"gates_collection": True}, "carbide"),
        ({"is_public": False}, "lamps"),
        ({"is_public": False}, "lantern"),
        ({"is_public": False}, "mantle"),
        ({"is_public": False}, "carbide"),
        ({"is_public": False}, "beacons"),
    ],
)
def test_what_is_kept_for_teams_is_not_found_by_anybody(scored, client, gates, hidden):
    assert found(hidden)
    Campaign.objects.update(**gates)
    client.force_login(scored.organiser)

    assert found(hidden) == {}
    assert "Nothing that everybody may see holds" in text(client.get("/search/", {"q": hidden}))


def test_a_version_that_waits_is_not_searched(scored):
    waiting = Collection.objects.create(slug="letters-next", line="letters", version=None, name="Next")
    Document.objects.create(collection=waiting, identifier="z", title="acetylene", length=1)

    assert found("acetylene") == {}


def test_ten_of_a_kind_are_shown_and_all_are_counted(scored, client):
    Document.objects.bulk_create(
        Document(collection=scored.collection, identifier=f"w{number}", title=f"wax {number}", length=1)
        for number in range(12)
    )

    page = text(client.get("/search/?q=wax"))

    assert "12 documents" in page
    assert "wax 9" in page
    assert "These are the first 10. Another word narrows them down." in page
    assert page.count("Letters · w") == 10
    Document.objects.bulk_create(
        Document(collection=scored.collection, identifier=f"x{number}", title=f"wax {number}", length=1)
        for number in range(1000)
    )
    assert "More than 1,000 documents" in text(client.get("/search/?q=wax"))


def test_empty_and_odd_queries_are_answered_with_a_sentence(scored, client):
    for query in ("", " \t", "\x00", "\u202e\u2028"):
        answer = client.get("/search/", {"q": query})
        assert answer.status_code == 200
        assert "Campaigns, tracks, tasks, topics and documents are found by their words" in text(answer)
    nothing = client.get("/search/", {"q": "<script>alert(1)</script>"})
    assert "holds “<bdi>&lt;script&gt;alert(1)&lt;/script&gt;</bdi>”" in nothing.content.decode()
    for raw in ("q=%ff%fe%80", "q=%00%00", "q=%", "q=%ud800", "q[]=1", "q=%25%25_%5c%27%22", "q=-", "q=%22", "q=a:*|!"):
        assert client.get(f"/search/?{raw}").status_code == 200, raw


def test_a_query_that_is_too_long_is_refused_and_many_words_are_cut(scored, client):
    answer = client.get("/search/", {"q": 201 * "x"})

    assert answer.status_code == 400
    assert "A search has at most 200 characters." in text(answer)
    assert len(words_of(" ".join(map(str, range(50))))) == 8
    assert client.get("/search/", {"q": 200 * "x"}).status_code == 200


def test_words_beyond_the_eighth_are_left_out_and_that_is_said(scored, client):
    eight = "carbide burner the bur bide car ner urn"

    assert "left out" not in text(client.get("/search/", {"q": eight}))
    assert "The first 8 words were looked for; 1 further one was left out." in text(
        client.get("/search/", {"q": f"{eight} nowhere"})
    )
    nothing = text(client.get("/search/", {"q": f"nowhere {eight} x"}))
    assert "Only the first 8 were looked for." in nothing


def test_a_single_letter_is_searched_for_with_a_hint(scored, client):
    hint = "A single letter is in most texts: a whole word, or the beginning of one, finds less."

    assert hint in text(client.get("/search/?q=d"))
    assert hint not in text(client.get("/search/?q=carbide"))


def test_whoever_searches_too_often_is_told_when_to_come_back(scored, client, monkeypatch):
    monkeypatch.setattr("evaluation.views.search.SEARCHES", RateLimit("search-test", most=2, seconds=60))
    early = timezone.now().replace(second=10)  # no minute ends while we search
    monkeypatch.setattr("campaign.machinery.limits.timezone.now", lambda: early)
    for _ in range(2):
        assert client.get("/search/?q=lamps").status_code == 200

    answer = client.get("/search/?q=lamps")

    assert answer.status_code == 429
    wait = int(answer["Retry-After"])
    assert 1 <= wait <= 60
    told = text(answer)
    assert f"That was more than 2 searches in 60 seconds. Search again in {counted(wait, 'second')};" in told
    assert "Lamps of all kinds" not in told and "1 campaign" not in told
    assert 'value="lamps"' in answer.content.decode()
    assert client.get("/search/?q=").status_code == 200  # nothing is searched for
    assert client.get("/search/?q=lamps", REMOTE_ADDR="192.0.2.7").status_code == 200
    client.force_login(scored.alice)
    assert client.get("/search/?q=lamps").status_code == 200


def test_signs_of_patterns_are_letters(scored):
    assert found("l%n") == {}
    assert found("l_ntern") == {}


def test_every_page_has_the_box_and_the_page_of_results_keeps_the_query(scored, client):
    def boxes(path):
        page = lxml.html.fromstring(client.get(path).content.decode())
        return [(box.get("id"), box.get("value")) for box in page.iterfind(".//form[@action='/search/']//input")]

    assert boxes("/") == [("find", None)]
    assert boxes(BOARD) == [("find", None)]
    assert boxes("/search/?q=%22lamps%22%20%3C") == [("find", '"lamps" <')]


def test_a_page_of_results_is_kept_out_of_other_search_engines(scored, client):
    page = client.get("/search/?q=lamps").content.decode()

    assert '<meta name="robots" content="noindex">' in page
    assert "canonical" not in page


def test_the_number_of_queries_is_bounded_however_much_is_found(scored, client):
    def queries(query):
        with CaptureQueriesContext(connection) as caught:
            assert client.get("/search/", {"q": query}).status_code == 200
        counting = ("limelight_cache", "SAVEPOINT")  # how often somebody searches
        return sum(not any(word in asked["sql"] for word in counting) for asked in caught)

    few = queries("a")
    for number in range(30):
        Topic.objects.create(track=scored.track, number=f"a{number}", position=10 + number, title=f"a {number}")
        scored.new_task("focused", slug=f"a{number}", name=f"a {number}", closes_at=timezone.now() + timedelta(days=1))
    import_collection(scored.collection, [(f"a{number}", BytesIO(b"<a><title>a</title></a>")) for number in range(30)])

    assert queries("a") <= few + 2
    assert queries("a") <= 12
