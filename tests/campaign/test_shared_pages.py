"""Pages kept for visitors: given from memory, never longer than they are true, and never to anybody else."""

import gzip
import os
from datetime import timedelta

import pytest
from django.db import DatabaseError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from campaign import shared_pages
from campaign.machinery.page_store import PageStore, stored
from campaign.models import Campaign, Task
from campaign.services.acting import By
from campaign.services.runs.renaming import rename_run
from campaign.services.runs.submissions import withdraw_run
from tests.world import GOOD_RUN


@pytest.fixture
def kept(monkeypatch):
    """Keep pages as a site does; marks are read each time, unless a test says otherwise."""
    monkeypatch.setattr(shared_pages, "pages", PageStore())
    shared_pages._marks.clear()
    return shared_pages.pages


@pytest.fixture
def board(world, kept):
    world.activate()
    world.scored(GOOD_RUN, "good")
    return reverse("board", args=world.task.address)


def queries(client, address, **headers):
    with CaptureQueriesContext(connection) as caught:
        response = client.get(address, headers=headers)
    return response, len(caught)


def test_the_second_visitor_costs_one_statement_and_within_a_second_none(board, monkeypatch):
    first, made = queries(Client(), board)
    second, looked = queries(Client(), board)
    monkeypatch.setattr(shared_pages, "FRESH", 60.0)
    third, at_once = queries(Client(), board)

    assert made > 5
    assert (looked, at_once) == (1, 0)
    assert first.content == second.content == third.content
    assert b"good" in first.content


def test_a_kept_page_bears_the_same_headers_a_validator_and_comes_compressed(board):
    first = Client().get(board)
    again = Client().get(board, headers={"Accept-Encoding": "gzip, br"})

    assert again["Content-Encoding"] == "gzip"
    assert gzip.decompress(again.content) == first.content
    assert int(again["Content-Length"]) == len(again.content) < len(first.content) / 3
    for name in ("Content-Security-Policy", "X-Content-Type-Options", "Cache-Control", "Content-Type"):
        assert again[name] == first[name], name
    assert {"Cookie", "Accept-Encoding"} <= {word.strip() for word in again["Vary"].split(",")}
    known = Client().get(board, headers={"If-None-Match": f'"other", {again["ETag"]}'})
    assert (known.status_code, known.content, known["ETag"]) == (304, b"", again["ETag"])
    assert "Content-Length" not in known.headers


@pytest.mark.parametrize(
    "change",
    [
        lambda run: withdraw_run(run),
        lambda run: rename_run(run, by=By(run.submitted_by), name="better"),
        lambda run: Task.objects.update(names_visible="never"),
        lambda run: Task.objects.update(other_scores_visible="at-publication"),
        lambda run: Task.objects.update(closes_at=timezone.now() - timedelta(minutes=1)),
        lambda run: Campaign.objects.update(is_public=False),
    ],
    ids=["withdrawn", "renamed", "names hidden", "scores hidden", "closed", "campaign hidden"],
)
def test_what_changed_is_never_given_from_memory(world, board, change):
    before = Client().get(board)

    change(world.task.runs.get())

    after = Client().get(board)
    assert (after.status_code, after.content) != (200, before.content)


def test_an_embargo_ends_by_itself(world, board, monkeypatch):
    Task.objects.update(other_scores_visible="at-publication", published_at=timezone.now() + timedelta(hours=1))
    assert b"good" not in Client().get(board).content

    later = timezone.now() + timedelta(hours=2)
    monkeypatch.setattr(timezone, "now", lambda: later)

    assert b"good" in Client().get(board).content


def test_nobody_gets_what_was_made_for_somebody_else(world, board, kept):
    Task.objects.update(other_scores_visible="at-publication")
    own = Client()
    own.force_login(world.alice)

    assert b"good" in own.get(board).content
    assert len(kept) == 0
    assert b"good" not in Client().get(board).content
    assert b"good" in own.get(board).content
    signed_out = Client()
    signed_out.cookies["unknown"] = "1"
    signed_out.get(board)
    assert len(kept) == 1


def test_to_those_signed_in_pages_of_results_alone_come_compressed_and_never_twice_the_same_length(world, board):
    own = Client(headers={"Accept-Encoding": "gzip"})
    own.force_login(world.alice)

    answers = [own.get(board) for _ in range(12)]
    plain = own.get(board, headers={"Accept-Encoding": ""})

    assert {answer["Content-Encoding"] for answer in answers} == {"gzip"}
    assert all("Accept-Encoding" in answer["Vary"] for answer in [*answers, plain])
    assert "Content-Encoding" not in plain.headers
    assert b"good" in gzip.decompress(answers[0].content)
    assert int(answers[0]["Content-Length"]) == len(answers[0].content) < len(plain.content) / 2
    assert len({len(answer.content) for answer in answers}) > 3  # padding: lengths tell nothing of what is repeated
    for path in (reverse("api-tokens"), world.alices.get_absolute_url()):  # they hold secrets
        assert "Content-Encoding" not in own.get(path).headers, path


def test_pages_are_kept_by_their_whole_address_and_host(board, kept):
    for address in (board, f"{board}?sort=run", f"{board}?sort=-run"):
        Client().get(address)
    Client(SERVER_NAME="127.0.0.1").get(board)

    assert len(kept) == 4


def test_what_is_not_there_is_not_kept(world, board, kept):
    Client().get(reverse("edition", args=[*world.task.address, 9]))
    Client().get(reverse("account_login"))

    assert len(kept) == 0


def test_while_the_database_is_away_the_page_that_says_so_is_shown(board, monkeypatch):
    Client().get(board)

    def away(track):
        raise DatabaseError("away")

    monkeypatch.setattr(shared_pages, "mark_of", away)
    with pytest.raises(DatabaseError):
        Client().get(board)


def test_the_store_lets_go_of_what_was_asked_for_longest_ago():
    pages = PageStore(most_bytes=10_000, most_pages=3)
    for number in range(4):
        pages.put(number, stored("track", "mark", 0.0, (), b"page %d" % number))
        pages.get(0)

    assert [pages.get(number) is not None for number in range(4)] == [True, False, True, True]
    pages.put("large", stored("track", "mark", 0.0, (), bytes(range(256)) * 200))
    assert pages.get("large") is not None
    pages.put("huge", stored("track", "mark", 0.0, (), os.urandom(20_000)))
    assert len(pages) == 0


def test_a_page_is_made_anew_after_a_minute_whatever_its_mark(board, monkeypatch):
    Client().get(board)
    monkeypatch.setattr(shared_pages, "LONGEST", 0.0)

    _, made = queries(Client(), board)

    assert made > 5
