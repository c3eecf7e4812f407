"""The comparisons page: for those who may see all scores; asking for a test is for people with an account."""

import re
from datetime import timedelta

import pytest

from campaign.models import Run, Task
from campaign.services.runs.renaming import make_official
from evaluation.models import Analysis
from tests.twelve_topics import compute_all, give_twelve_topics, scored_run

BOARD = "/campaigns/small/ad-hoc/focused/"
PAGE = f"{BOARD}comparisons/"


@pytest.fixture
def three(world):
    give_twelve_topics(world)
    bobs = {"user": world.bob, "team": world.bobs}
    scored_run(world, "good", 45)
    scored_run(world, "near", 44, turn=3, **bobs)
    scored_run(world, "far", 6)
    return world


def page(client, query=""):
    return re.sub(r"\s+", " ", client.get(f"{PAGE}{query}").content.decode())


def test_the_board_leads_to_its_comparisons(client, three):
    assert f'<a href="{PAGE}">Comparisons</a>' in client.get(BOARD).content.decode()
    assert f'<a href="{BOARD}editions/1/comparisons/">' in client.get(f"{BOARD}editions/1/").content.decode()


def test_a_page_that_waits_looks_again_by_itself(client, three):
    waiting = page(client)
    assert 'hx-trigger="every 3s" hx-target="#pairs" hx-select="#pairs"' in waiting
    assert "This is being computed. It appears here by itself." in waiting

    compute_all()

    told = page(client)
    assert "2 of 3 pairs differ (Tukey HSD, 5 %, tested among 3 runs)" in told
    assert "hx-trigger" not in told


def test_a_visitor_is_told_to_sign_in_and_reading_writes_nothing(client, three):
    asked = page(client, "?test=t-test")

    assert "Nobody has asked for this yet: it is computed on request." in asked
    assert '?next=%2Fcampaigns%2Fsmall%2Fad-hoc%2Ffocused%2Fcomparisons%2F%3Ftest%3Dt-test">Sign in</a>' in asked
    assert client.post(f"{PAGE}?test=t-test").url.startswith("/sign-in/")
    assert not Analysis.objects.exists()


def test_somebody_with_an_account_has_it_computed_and_comes_back(client, three):
    client.force_login(three.alice)
    assert "Compute it" in page(client, "?test=t-test&level=0.10")

    answer = client.post(f"{PAGE}?test=t-test&level=0.10", {"test": "t-test"})

    assert answer.url == f"{PAGE}?test=t-test&level=0.10"
    assert "This is being computed." in page(client, "?test=t-test&level=0.10")
    compute_all()
    assert "(paired t-test, 10 %, tested among 3 runs)" in page(client, "?test=t-test&level=0.10")


def test_who_asks_for_very_many_is_told_to_wait(client, three, monkeypatch):
    monkeypatch.setattr("campaign.machinery.limits.RateLimit.seconds_to_wait", lambda *_: 17)
    client.force_login(three.alice)

    client.post(PAGE, {"test": "t-test"})

    assert "You asked for many comparisons at once. Try again in 17 seconds." in page(client)
    assert not Analysis.objects.exists()


def test_while_names_are_hidden_runs_are_called_by_their_codes(client, three):
    Task.objects.update(names_visible="never", other_scores_visible="at-once")
    compute_all()

    for text in (page(client), client.get(f"{PAGE}pairs.csv").content.decode()):
        assert "near" not in text
        assert three.bobs.name not in text
        assert three.task.runs.get(name="near").code in text


def test_it_is_told_that_runs_came_after_scores_could_be_seen_where_names_are_visible(client, three):
    later = "Runs were submitted after scores were visible: what is said here describes these topics only."
    assert later in page(client)

    Task.objects.update(names_visible="never")

    assert later not in page(client)


def test_who_may_not_see_all_scores_finds_nothing(client, three):
    Task.objects.update(other_scores_visible="never")
    client.force_login(three.alice)

    for address in (PAGE, f"{PAGE}pairs.csv", f"{BOARD}editions/1/comparisons/"):
        assert client.get(address).status_code == 404
    assert client.post(PAGE).status_code == 404


def test_unknown_words_parts_and_editions_are_answered(client, three):
    compute_all()

    assert "There is no test “dice” here; tukey is shown." in page(client, "?test=dice")
    assert client.get(f"{PAGE}dice.csv").status_code == 404
    assert client.get(f"{PAGE}pairs.csv?test=bootstrap").status_code == 404
    assert client.get(f"{BOARD}editions/7/comparisons/").status_code == 404


def test_pairs_are_sent_as_a_file_named_for_what_it_is(client, three):
    compute_all()

    answer = client.get(f"{BOARD}editions/1/comparisons/pairs.csv")

    assert answer["Content-Disposition"] == 'attachment; filename="small-focused-edition-1-pairs.csv"'
    assert answer.content.decode().startswith(
        "rank,run,other rank,other run,mean difference,p,p read (none),differ\r\n"
    )


def test_parts_that_are_drawn_are_sent_as_drawings_and_the_others_are_not(client, three):
    compute_all()

    answer = client.get(f"{BOARD}editions/1/comparisons/topics.svg")

    assert answer["Content-Type"] == "image/svg+xml"
    assert answer["Content-Disposition"] == 'attachment; filename="small-focused-edition-1-topics.svg"'
    told = page(client, "?measure=charP")
    for part in ("topics", "measures"):
        assert f'<a href="{PAGE}{part}.svg?measure=charP">SVG</a>' in told
        assert f'data-picture="{PAGE}{part}.svg?measure=charP" data-name="small-focused-edition-1-{part}.png"' in told
    assert "pairs.svg" not in told  # three runs are a table
    for unknown in ("redrawn.svg", "topics.pdf", "dice.svg"):
        assert client.get(f"{PAGE}{unknown}").status_code == 404, unknown


def test_a_family_is_asked_for_as_it_is_shown(client, three):
    for name in ("good", "near"):
        make_official(three.task.runs.get(name=name))
    Run.objects.exclude(name="far").update(created_at=three.task.runs.get(name="far").created_at - timedelta(days=2))
    compute_all()
    client.force_login(three.alice)
    assert '<option value="official" selected>' in page(client, "?test=t-test")

    client.post(f"{PAGE}?test=t-test", {"test": "t-test"})
    client.post(f"{PAGE}?test=t-test&measure=charP", {"test": "redrawn"})

    rows = Analysis.objects.filter(test__in=["t-test", "redrawn"], state="queued")
    assert sorted(rows.values_list("family", "measure", "test")) == [
        ("all", "charP", "redrawn"),
        ("official", "iMAP", "t-test"),
    ]


def test_a_board_with_one_family_offers_no_choice_of_families(client, three):
    assert 'name="family"' not in page(client)
