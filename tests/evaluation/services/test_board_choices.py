"""What an address asks of a board: columns, order, filters, a run to hold others against; what is unknown is told."""

import pytest
from django.http import QueryDict
from django.urls import reverse

from campaign.services.permissions.seeing import board_view
from campaign.services.runs.renaming import make_official
from evaluation.services.board_asked import asked_of
from evaluation.services.boards import build_board
from tests.pages import source_of
from tests.world import GOOD_RUN

HALF = b"1 Q0 a 1 9.5 half 0 25\n2 Q0 c 1 7.0 half 0 200\n"
POOR = b"1 Q0 b 1 9.0 poor 0 100\n1 Q0 a 2 8.0 poor 0 50\n"


@pytest.fixture
def board(world, client):
    """Score four runs of two teams, and return a function that builds the board an address asks for."""
    world.activate()
    world.scored(GOOD_RUN, "good", query="automatic", topic_fields=["title"])
    world.scored(HALF, "half", query="manual", topic_fields=["title", "narrative"])
    theirs = {"user": world.bob, "team": world.bobs}
    world.scored(POOR, "poor", query="automatic", topic_fields=["title"], **theirs)
    world.scored(GOOD_RUN + b"# again\n", "same", query="automatic", topic_fields=["title"], **theirs)

    def built(address="", user=None):
        edition = world.task.editions.live().for_board().get()
        view = board_view(user or world.visitor_with_account, world.task)
        return build_board(edition, view, asked_of(QueryDict(address), edition))

    return built


def names(board):
    return {line.name for line in board.lines}


def test_filters_hide_rows_and_renumber_nothing(world, board):
    assert [(line.place, line.name) for line in board("query=manual").lines] == [(3, "half")]
    assert names(board("field=narrative")) == {"half"}
    assert names(board("team=delft")) == {"poor", "same"}
    assert names(board("q=LUND")) == {"good", "half"}
    assert names(board("q=lund hal")) == {"half"}
    assert names(board("mine=yes", world.alice)) == {"good", "half"}
    assert [(line.place, line.name) for line in board("q=poor").lines] == [(4, "poor")]


def test_the_best_of_each_team_and_official_runs(world, board):
    assert names(board("show=best")) == {"good", "same"}
    assert {line.of_team for line in board("show=best").lines} == {2}
    assert board().show == "all"

    for run in world.task.runs.filter(name__in=["half", "poor"]):
        make_official(run)

    assert board().show == "official"
    assert names(board()) == {"half", "poor"}
    assert [line.place for line in board().lines] == [3, 4]
    assert len(board("show=all").lines) == 4
    assert names(board("", world.alice)) == {"good", "half", "poor"}  # one's own are always found
    assert names(board("show=official", world.alice)) == {"half", "poor"}


def test_rows_are_sorted_both_ways_by_measures_and_names(board):
    assert [line.name for line in board("sort=-iMAP").lines][:2] == ["poor", "half"]
    assert [line.name for line in board("sort=run").lines] == ["good", "half", "poor", "same"]
    assert [line.name for line in board("sort=-run").lines] == ["same", "poor", "half", "good"]
    assert [line.team for line in board("sort=team").lines] == ["Delft", "Delft", "Lund", "Lund"]


def test_every_measure_can_be_a_column_and_the_official_one_always_is(board):
    chosen = board("columns=charP,charR&columns=iP[0.00]")

    assert [measure.name for measure in chosen.measures] == ["iMAP", "charP", "charR", "iP[0.00]"]
    assert {len(line.cells) for line in chosen.lines} == {4}
    assert chosen.lines[-1].cells[1].value is not None


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("sort=iMapp", "This board cannot be sorted by “iMapp”; it has no such measure."),
        ("columns=iMAP,nDCG", "There is no measure “nDCG” here; the columns to choose from are below."),
        ("show=none", "There is no choice of runs “none” here; choose all, official or best."),
        ("query=none", "There is no kind of query “none” here; choose automatic or manual."),
        ("type=book", "No run on this board has the kind of result “book”."),
        ("field=colour", "No run on this board has the topic field “colour”."),
        ("team=nobody", "No run on this board has the team “nobody”."),
        ("against=nobody", "The run to hold the others against is not on this board."),
    ],
)
def test_what_is_unknown_is_told_in_a_sentence_and_the_board_still_stands(world, client, board, address, sentence):
    assert board(address).problems == [sentence]
    assert len(board(address).lines) == 4
    assert sentence in source_of(client.get(f"{reverse('board', args=world.task.address)}?{address}"))


@pytest.mark.parametrize("rubbish", ["sort=%00", "q=%00%FF", "columns=,,,", f"q={'x' * 5000}", "against=%27", "sort=-"])
def test_rubbish_in_an_address_harms_nothing(world, client, board, rubbish):
    assert client.get(f"{reverse('board', args=world.task.address)}?{rubbish}").status_code == 200


def test_where_names_are_hidden_nothing_can_be_filtered_that_tells_who(world, board):
    world.task.names_visible = "never"
    world.task.save()

    shown = board("team=delft", world.visitor_with_account)

    assert shown.problems == ["No run on this board has the team “delft”."]
    assert (shown.choices.queries, shown.choices.topic_fields) == ((), ())
    assert not any(line.is_after_scores for line in shown.all_lines)
    assert all(name.startswith("Team ") for name, _ in shown.choices.teams)


def test_held_against_a_run_the_others_are_shown_as_differences(world, client, board):
    code = world.task.runs.get(name="half").code

    page = source_of(client.get(f"{reverse('board', args=world.task.address)}?against={code}"))

    good, half = (line.value for line in board().lines if line.name in ("good", "half"))
    assert f"{good - half:+.4f}" in page
    assert "Back to scores" in page


def test_the_page_says_when_nothing_is_left(world, client, board):
    page = source_of(client.get(f"{reverse('board', args=world.task.address)}?q=nothing-like-it"))

    assert "None of the 4 runs is like that." in page
