"""Some runs compared, for those who see their scores; what a worker has to compute is asked for by people."""

import re
from html import unescape

import pytest

from campaign.models import Run, Task
from evaluation.models import Difference
from evaluation.services.differences import differ
from tests.world import RICHER, score_all

BOARD = "/campaigns/small/ad-hoc/focused/"
PAGE = f"{BOARD}compare/"
ONE = b"1 Q0 a 1 9 one 0 50\n1 Q0 b 2 8 one 0 50\n2 Q0 c 1 7 one 0 200\n3 Q0 d 1 6 one 0 100\n"
OTHER = b"1 Q0 b 1 9 other 0 50\n1 Q0 a 2 8 other 30 90\n2 Q0 a 1 7 other 100 60\n3 Q0 d 1 6 other 0 30\n"
OPEN = {"other_scores_visible": "at-once", "names_visible": "at-once", "runs_visible": "at-once"}


@pytest.fixture
def three(world):
    """Return a world with three runs on the board, everything open."""
    world.activate()
    bobs = {"user": world.bob, "team": world.bobs}
    runs = [world.scored(ONE, "one"), world.scored(OTHER, "other", **bobs), world.scored(ONE, "third", **bobs)]
    world.codes = [run.code for run in runs]
    Task.objects.update(**OPEN, assessments_visible="at-once")
    return world


def asking(world, *places, more=""):
    return f"?runs={','.join(world.codes[place] for place in places)}{more}"


def page(client, query, address=PAGE):
    answer = client.get(f"{address}{query}")
    assert answer.status_code == 200
    return unescape(re.sub(r"\s+", " ", answer.content.decode()))


def words(text):
    return re.sub(r"\s+", " ", re.sub(r"<(script|style).*?</\1>|<[^>]+>", " ", text))


def test_the_board_and_a_run_lead_to_it(client, three):
    board, run = page(client, "", BOARD), page(client, "", f"{BOARD}runs/{three.codes[0]}/")

    assert f'id="compare" method="get" action="{PAGE}"' in board
    assert board.count('name="runs" value="') == 3
    assert f'name="runs" value="{three.codes[0]}" form="compare" data-curve="{three.codes[0]}"' in board
    assert f'<a href="{PAGE}?runs={three.codes[0]}">Compare it with other runs</a>' in run


def test_two_runs_side_by_side(client, three):
    told = page(client, asking(three, 1, 0))

    assert "<title>one and other, Focused, Small" in told
    assert "they cannot be told apart." in told
    assert "Above the line one is better, below it other : better on 3 topics, the same on 0, worse on 0." in words(
        told
    )
    assert told.count('class="above hue-') == 3
    assert f"{PAGE}{asking(three, 1, 0)}" not in told  # addresses of the page are told by their queries alone
    assert f'href="{asking(three, 1, 0)}&topic=2#topic"' in told
    assert f'data-drawn="{three.codes[0]},{three.codes[1]}"' in told or (
        f'data-drawn="{three.codes[1]},{three.codes[0]}"' in told
    )
    assert f'<a href="{BOARD}?curves={three.codes[1]},{three.codes[0]}">Choose other runs on the board</a>' in told
    assert "Held against" not in told


def test_three_runs_have_a_reference_and_a_pair_to_choose(client, three):
    told = page(client, asking(three, 0, 1, 2, more="&test=randomisation"))

    assert "<title>one, other and third, Focused" in told
    assert "differ (paired randomisation, 5 %, Holm over 3 pairs)." in told
    assert "Held against" in told
    assert f'<option value="{three.codes[0]}" selected>one</option>' in told
    assert told.count('<figure class="topics">') == 2


def test_a_visitor_is_told_to_sign_in_and_reading_writes_nothing(client, three):
    told = page(client, asking(three, 0, 1))

    assert "Nobody has asked for this pair yet: all topics are computed on request." in told
    assert ">Sign in</a> to have it computed." in told
    assert "Compute it" not in told
    assert client.post(f"{PAGE}{asking(three, 0, 1)}").url.startswith("/sign-in/")
    assert not Difference.objects.exists()


def test_somebody_with_an_account_has_it_computed_and_comes_back(client, three):
    client.force_login(three.visitor_with_account)
    query = asking(three, 0, 1)
    assert "Compute it" in page(client, query)

    answer = client.post(f"{PAGE}{query}")

    assert answer.url == f"{PAGE}{query}"
    waiting = page(client, query)
    assert "This is being computed. It appears here by itself." in waiting
    assert 'hx-trigger="every 3s" hx-target="#parts" hx-select="#parts"' in waiting
    assert "Reload this page to see whether it is ready." in waiting
    differ()
    told = page(client, query)
    assert "hx-trigger" not in told
    assert "This is bookkeeping over exchanged ingredients, not a cause." in told
    assert "4 relevant documents in which one run returns highlighted text that the other does not" in told
    overlay = f"{BOARD}runs/{three.codes[0]}/topics/2/documents/c/?with={three.codes[1]}"
    assert f'<a href="{overlay}"><bdi>c</bdi></a>' in told


def test_a_topic_is_looked_at_without_waiting(client, three):
    told = page(client, asking(three, 0, 1, more="&topic=2"))

    look = told[told.index('<section id="topic"') : told.index('<section id="parts"')]
    assert "Topic 2 <bdi>topic 2</bdi>" in look
    assert f'<a href="{BOARD}runs/{three.codes[0]}/topics/2/">' in look
    assert "This is bookkeeping over exchanged ingredients, not a cause." in look
    assert "2 relevant documents in which one run returns highlighted text that the other does not" in look


def test_an_older_edition_keeps_its_addresses(client, three):
    three.activate(RICHER)
    score_all()
    older = f"{BOARD}editions/1/compare/"

    told = page(client, asking(three, 0, 1, more="&topic=2"), older)

    assert f'action="{older}"' in told
    assert f'This is how they stand in <a href="{BOARD}editions/1/">edition 1</a>, by assessments v1.' in told
    assert f'<a href="{PAGE}{asking(three, 0, 1, more="&topic=2")}">On the current board</a>' in told
    assert f'<a href="{BOARD}editions/1/runs/{three.codes[0]}/topics/2/">' in told
    assert f'<a href="{BOARD}editions/1/?curves={three.codes[0]},{three.codes[1]}">' in told
    assert f'action="{older}"' in page(client, "", f"{BOARD}editions/1/")


def test_unknown_and_too_few_runs_are_told_in_a_sentence(client, three):
    assert "Tick two to six runs, and compare them topic by topic." in page(client, "")
    assert "Tick one to five more runs to compare one with." in page(client, asking(three, 0))
    strange = page(client, "?runs=%3Cscript%3E,%00,x%E2%80%AE")
    assert "There is no run “<script>”, “”, “x” among those you see on this board." in strange
    assert "<script>”" not in client.get(f"{PAGE}?runs=%3Cscript%3E").content.decode()


def test_with_nothing_to_tick_there_is_no_form(client, three):
    Run.objects.filter(code__in=three.codes[1:]).update(withdrawn_at=three.task.opens_at)

    told = page(client, "")

    assert "You see only one run on this board, and nothing to compare it with." in told
    assert 'name="runs"' not in told


def test_who_sees_no_run_finds_nothing(client, three):
    Task.objects.update(other_scores_visible="never")

    assert client.get(f"{PAGE}{asking(three, 0, 1)}").status_code == 404
    assert client.get(f"{BOARD}editions/1/compare/{asking(three, 0, 1)}").status_code == 404
    assert client.get(f"{BOARD}editions/7/compare/{asking(three, 0, 1)}").status_code == 404


def test_nobody_asks_for_what_they_may_not_see(client, three):
    Task.objects.update(runs_visible="never")
    client.force_login(three.alice)

    assert client.post(f"{PAGE}{asking(three, 0, 1)}").status_code == 404
    assert client.post(f"{PAGE}{asking(three, 0)}").status_code == 404
    assert not Difference.objects.exists()


def test_a_refusal_is_told_on_the_page(client, three, monkeypatch):
    monkeypatch.setattr("campaign.machinery.limits.RateLimit.seconds_to_wait", lambda *_: 17)
    client.force_login(three.alice)

    client.post(f"{PAGE}{asking(three, 0, 1)}")

    told = page(client, asking(three, 0, 1))
    assert "You asked for many comparisons at once. Try again in 17 seconds." in told
    assert not Difference.objects.exists()


def test_a_name_with_markup_does_no_harm(client, three):
    Run.objects.filter(code=three.codes[0]).update(name="a<b>bold")

    told = client.get(f"{PAGE}{asking(three, 0, 1, more='&topic=2')}").content.decode()

    assert "<b>bold" not in told
    assert told.count("a&lt;b&gt;bold") > 5
