"""The addresses of curves: what is sent, under which name and to whom, and what is said of what is not there."""

import json

import pytest
from django.urls import reverse
from lxml import etree

from campaign.models import Run, Task

TASK = "/campaigns/small/ad-hoc/focused"


@pytest.fixture
def board(world):
    world.activate()
    world.scored(name="lamp")
    world.scored(name="wick", user=world.bob, team=world.bobs)
    return world


def test_a_figure_is_fetched_with_a_mark_by_which_it_need_not_be_sent_again(board, client):
    answer = client.get(f"{TASK}/figure.json")

    assert (answer.status_code, answer["Content-Type"]) == (200, "application/json")
    assert {run["name"] for run in answer.json()["runs"]} == {"lamp", "wick"}
    assert answer["Cache-Control"] == "no-cache"
    again = client.get(f"{TASK}/figure.json", headers={"If-None-Match": answer["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_the_figure_of_somebody_who_is_signed_in_is_theirs(board, client):
    client.force_login(board.alice)

    assert client.get(f"{TASK}/figure.json")["Cache-Control"] == "private, no-cache"


def test_every_edition_has_its_own_address(board, client):
    assert client.get(f"{TASK}/editions/1/figure.json").json() == client.get(f"{TASK}/figure.json").json()
    assert client.get(f"{TASK}/editions/7/figure.json").status_code == 404


def test_unknown_names_answer_with_a_sentence(board, client):
    known = Run.objects.get(name="lamp").code

    told = client.get(f"{TASK}/figure.json?curves={known},nope&zoom=x").json()

    assert [run["name"] for run in told["runs"]] == ["lamp"]
    assert told["notes"] == [
        "There is no run “nope” among those you see on this board.",
        "“x” is no stretch of the curves: it is written as 0-0.1 or 0-1.",
    ]


@pytest.mark.parametrize("file_format", ["csv", "svg"])
def test_files_of_what_is_not_there_say_so(board, client, file_format):
    answer = client.get(f"{TASK}/curves.{file_format}?curves=nope")

    assert answer.status_code == 404
    assert answer.content.decode() == "There is no run “nope” among those you see on this board.\n"


def test_files_have_a_name_that_says_what_they_are(board, client):
    drawing, table = (client.get(f"{TASK}/curves.{kind}?zoom=0-0.1") for kind in ("svg", "csv"))

    assert drawing["Content-Disposition"] == 'attachment; filename="small-ad-hoc-focused-edition-1-iP-curves.svg"'
    assert drawing["Content-Type"] == "image/svg+xml"
    assert etree.fromstring(drawing.content).find("{*}title").text == (
        "Interpolated precision, Focused, Small, edition 1"
    )
    assert table["Content-Disposition"] == 'attachment; filename="small-ad-hoc-focused-edition-1-iP-curves.csv"'
    assert table.content.startswith(b"edition,assessments,profile,engine,code,run,team,recall,iP\r\n")
    assert client.get(f"{TASK}/curves.pdf").status_code == 404


def test_a_figure_is_gone_when_nothing_of_the_board_may_be_seen(board, client):
    Task.objects.update(other_scores_visible="at-publication")

    for name in ("figure.json", "curves.csv", "curves.svg", "editions/1/figure.json", "editions/1/curves.svg"):
        assert client.get(f"{TASK}/{name}").status_code == 404
    client.force_login(board.bob)
    assert [run["name"] for run in client.get(f"{TASK}/figure.json").json()["runs"]] == ["wick"]
    assert "lamp" not in json.dumps(client.get(f"{TASK}/figure.json").json())


def test_a_board_through_other_eyes_has_their_drawing_and_fetches_nothing(board, client):
    Task.objects.update(names_visible="at-publication")
    client.force_login(board.organiser)

    page = client.get(reverse("desk-preview", args=board.task.address)).content.decode()

    assert '<svg class="curves"' in page
    assert "lamp" not in page[page.index('<svg class="curves"') :]
    assert "data-chart" not in page and "figure.json" not in page and "charts.js" not in page


def test_a_board_has_its_curves_before_its_table_and_no_values_for_a_script(board, client):
    page = client.get(f"{TASK}/").content.decode()

    assert page.index('<svg class="curves"') < page.index('<table class="board')
    assert "application/json" not in page
    assert f'data-chart="{TASK}/editions/1/figure.json"' in page
