"""Boards and runs to take away: the numbers and names of the page, in every format, to whoever may see it."""

import csv
import io
import json

import pytest
from django.test import Client
from django.urls import reverse

from campaign.models import Task
from campaign.services.generations import raise_generation
from evaluation.models import Score
from evaluation.services.board_tables import FORMATS
from evaluation.services.run_tables import FORMATS as FORMATS_OF_RUNS
from tests.twelve_topics import compute_all, give_twelve_topics, scored_run
from tests.world import GOOD_RUN

HALF = b"1 Q0 a 1 9.5 half 0 25\n2 Q0 c 1 7.0 half 0 200\n"


@pytest.fixture
def board(world):
    world.activate()
    world.scored(HALF, "half", user=world.bob, team=world.bobs)
    world.scored(GOOD_RUN, "good")
    return world


def taken(world, file_format, query="", user=None, name="board-file", number=()):
    client = Client()
    if user:
        client.force_login(user)
    response = client.get(reverse(name, args=[*world.task.address, *number, file_format]) + query)
    return response, response.content.decode()


def test_csv_has_the_digits_of_the_engine_and_the_order_of_the_page(board):
    response, text = taken(board, "csv")
    rows = list(csv.DictReader(io.StringIO(text)))

    assert response["Content-Disposition"] == 'attachment; filename="small-ad-hoc-focused-edition-1.csv"'
    assert [row["run"] for row in rows] == ["good", "half"]
    for row in rows:
        mean = Score.objects.get(evaluation__run__name=row["run"], measure="iMAP").mean
        assert float(row["iMAP"]) == mean
        assert (row["edition"], row["assessments"], row["profile"]) == ("1", "v1", board.task.editions.get().profile)


def test_what_the_page_was_asked_for_is_what_is_taken_away(board):
    _, text = taken(board, "json", "?columns=iP[0.01]&sort=-iMAP&q=half")

    rows = json.loads(text)["rows"]
    assert [row["run"] for row in rows] == ["half"]
    assert "iP[0.01]" in rows[0]


def test_every_format_is_offered_on_the_page_and_is_there(board, client):
    page = client.get(f"{board.task.get_absolute_url()}?sort=run").content.decode()

    for name in FORMATS:
        assert f'href="{board.task.get_absolute_url()}board.{name}?sort=run"' in page
        for address in (taken(board, name), taken(board, name, name="edition-board-file", number=[1])):
            response, text = address
            assert response.status_code == 200, name
            assert "good" in text or name == "bib"


def test_lines_are_those_of_trec_eval(board):
    _, text = taken(board, "txt")

    first, second, *_ = text.splitlines()
    assert first == "runid\tall\tgood"
    assert second == f"iMAP\tall\t{Score.objects.get(evaluation__run__name='good', measure='iMAP').mean:.4f}"


def test_what_is_cited_names_edition_assessments_and_profile(board):
    _, text = taken(board, "bib")

    assert text.startswith("@misc{small-ad-hoc-focused-edition-1,")
    assert "edition 1 (assessments v1, profile" in text


def test_the_caption_says_what_a_table_without_drawings_can_say(world):
    give_twelve_topics(world)
    for number, quality in enumerate((45, 44, 6)):
        scored_run(world, f"run-{number}", quality, turn=3 + number)
    compute_all()

    caption = json.loads(taken(world, "json")[1])["caption"]

    assert "Ranges are the places that a run may hold (Tukey HSD, 5 %, tested among 3 runs)." in caption
    assert "whiskers" not in caption


def test_files_are_anonymous_where_the_page_is(board):
    Task.objects.update(names_visible="never")
    raise_generation(board.task)
    code = board.task.runs.get(name="good").code

    for name in FORMATS:
        text = taken(board, name)[1]
        assert "good" not in text, name
        assert "Lund" not in text, name
        assert code in text or name == "bib", name


def test_scores_that_are_hidden_are_in_no_file(board):
    Task.objects.update(other_scores_visible="never")
    raise_generation(board.task)

    for name in FORMATS:
        assert taken(board, name)[0].status_code == 404, name
    _, text = taken(board, "csv", user=board.alice)
    [row] = csv.DictReader(io.StringIO(text))
    assert row["run"] == "good"
    assert "rank" not in row


@pytest.mark.parametrize("query", ["?sort=nothing", "?columns=nothing", "?against=nobody", "?team=nowhere"])
def test_what_cannot_be_asked_for_is_said_and_no_file_comes(board, query):
    response, text = taken(board, "csv", query)

    assert response.status_code == 404
    assert "Content-Disposition" not in response.headers
    assert text.strip().endswith(".")


def test_an_unknown_format_is_not_there(board):
    assert taken(board, "exe")[0].status_code == 404


def scores_of(world, run, file_format, user=None):
    client = Client()
    if user:
        client.force_login(user)
    response = client.get(reverse("public-scores-as", args=[*world.task.address, run.code, file_format]))
    return response, response.content.decode()


def test_a_run_is_taken_away_with_every_measure_of_every_topic(board, client):
    run = board.task.runs.get(name="good")
    page = client.get(reverse("public-run", args=[*board.task.address, run.code])).content.decode()
    kept = Score.objects.filter(evaluation__run=run)

    rows = {row["topic"]: row for row in json.loads(scores_of(board, run, "json")[1])["rows"]}
    lines = set(scores_of(board, run, "txt")[1].splitlines())

    for score in kept:
        assert rows["all"][score.measure] == score.mean
        assert f"{score.measure}\tall\t{score.mean:.4f}" in lines
        for number, value in zip(board.task.editions.get().topic_numbers, score.topic_values.tolist(), strict=True):
            assert rows[number][score.measure] == value
            assert f"{score.measure}\t{number}\t{value:.4f}" in lines
    for name in FORMATS_OF_RUNS:
        assert f"scores.{name}" in page
        response, text = scores_of(board, run, name)
        assert response["Content-Disposition"] == f'attachment; filename="good-focused-scores.{name}"'
        assert "good" in text
    assert scores_of(board, run, "exe")[0].status_code == 404


def test_a_run_s_files_are_anonymous_and_hidden_where_its_page_is(board):
    run = board.task.runs.get(name="good")
    Task.objects.update(names_visible="never")
    raise_generation(board.task)
    for name in FORMATS_OF_RUNS:
        response, text = scores_of(board, run, name)
        assert run.code in text
        assert "good" not in f"{text} {response['Content-Disposition']}", name

    Task.objects.update(other_scores_visible="never")
    raise_generation(board.task)
    assert scores_of(board, run, "json")[0].status_code == 404
    assert scores_of(board, run, "json", user=board.alice)[0].status_code == 200
