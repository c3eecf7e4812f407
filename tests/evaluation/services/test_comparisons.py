"""What all runs of a board say together: redrawn topics, how many topics, how steady the ranking is."""

import numpy as np
import pytest
from django.http import QueryDict

from campaign.services.acting import By
from campaign.services.permissions.seeing import board_view
from evaluation.models import Score
from evaluation.services.comparison_asked import asked_comparison
from evaluation.services.comparisons import comparisons_of, file_of
from evaluation.services.requested_analyses import request_analysis
from limelight.analysis.statistics.redrawing import redraw, topic_weights
from limelight.analysis.statistics.sentences import topics_sentence
from limelight.analysis.statistics.stability import generalisability, split_halves, splits
from limelight.analysis.statistics.telling_apart import tell_apart
from limelight.analysis.statistics.topic_numbers import residual_variance, topics_needed, topics_needed_for_all
from tests.twelve_topics import compute_all, give_twelve_topics, scored_run


@pytest.fixture
def board(world):
    """Score runs of two teams on twelve topics, the first of them far ahead in some."""
    give_twelve_topics(world)
    scored_run(world, "good", 45)
    scored_run(world, "near", 44, turn=3, user=world.bob, team=world.bobs)
    scored_run(world, "far", 6)
    return world


@pytest.fixture
def ten(board):
    """Add more, so that there are ten."""
    for number in range(7):
        scored_run(board, f"more-{number}", 12 + 4 * number, turn=number + 1)
    return board


def live(world):
    return world.task.editions.live().for_board().get()


def shown(world, query=""):
    edition = live(world)
    return comparisons_of(edition, board_view(world.alice, world.task), asked_comparison(QueryDict(query), edition))


def test_redrawn_topics_are_those_of_the_library(board):
    assert shown(board).redrawn.is_waiting
    compute_all()

    told = shown(board).redrawn.told

    values = shown(board).compared.values
    library = redraw(values, topic_weights(12))
    assert [line.run.name for line in told.lines] == ["good", "near", "far"]
    assert [line.first for line in told.lines] == pytest.approx(library.first.tolist())
    assert [line.top3 for line in told.lines] == library.top3.tolist()
    assert [line.ranks for line in told.lines] == list(zip(library.low.tolist(), library.high.tolist(), strict=True))
    assert sum(share for _, share in told.teams) == pytest.approx(1)
    assert told.sentence.startswith("If the topics were drawn again from topics like these, good would come first in ")
    assert told.sentence.endswith("it is not the probability that the run is the best.")
    assert told.by_team.startswith("One of a team’s runs comes first: ")


def test_how_many_topics_is_said_from_the_variance_that_is_left(board):
    compute_all()
    values = shown(board).compared.values
    variance, critical = residual_variance(values), tell_apart(values).critical_difference()

    told = shown(board).steadiness.told

    assert told.variance == pytest.approx(variance)
    assert told.sentence == topics_sentence(told.variance, 12)
    assert told.needed == [
        (one, topics_needed(told.variance, one), topics_needed_for_all(told.variance, one, critical, 12))
        for one in (0.01, 0.02, 0.05, 0.10)
    ]
    assert "here: 12 topics" in told.svg


def test_few_runs_say_nothing_about_how_steady_their_ranking_is(board):
    compute_all()

    told = shown(board).steadiness.told

    assert told.why_not_steady == "With 3 runs a coefficient means little."
    assert (told.heading, told.generalisability) == ("", None)


def test_ten_runs_tell_how_two_halves_agree(ten):
    compute_all()
    values = shown(ten).compared.values
    in_order = values[np.argsort([run.code for run in shown(ten).compared.runs])]
    halves = split_halves(in_order, splits(12))

    told = shown(ten).steadiness.told

    assert told.why_not_steady == ""
    assert told.heading == (
        f"Two halves of 6 topics agree with each other: {halves.tau.mean:.2f} "
        f"({halves.tau.low:.2f} to {halves.tau.high:.2f})."
    )
    assert told.generalisability == pytest.approx(generalisability(values))


def test_runs_that_are_all_alike_say_so_without_a_number(ten):
    flat = np.full(12, 0.5)
    Score.objects.update(topic_values=flat, mean=0.5)
    compute_all()

    told = shown(ten).steadiness.told

    assert told.heading == ""
    assert told.about_halves.endswith("1,000 splits told nothing and were left out.")
    assert [line.first_text for line in shown(ten).redrawn.told.lines] == ["10 %"] * 10


def test_another_measure_has_them_on_request(board):
    compute_all()
    part = shown(board, "measure=charP").redrawn
    assert (part.may_be_asked, part.why_not) == (True, "Nobody has asked for this yet: it is computed on request.")

    request_analysis(live(board), by=By(board.alice), measure="charP", test="redrawn")
    compute_all()

    assert shown(board, "measure=charP").redrawn.told.lines


def test_nothing_is_said_of_few_topics(world):
    world.activate()
    for name in ("one", "other"):
        world.scored(name=name)
    compute_all()

    parts = shown(world)

    for part in (parts.pairs, parts.redrawn, parts.steadiness):
        assert (part.why_not, part.told) == ("Too few topics to tell runs apart.", None)


def test_redrawn_topics_are_sent_as_a_file(board):
    compute_all()
    edition = live(board)

    head, first, *_ = file_of(
        "redrawn", edition, board_view(board.alice, board.task), asked_comparison(QueryDict(""), edition)
    )

    assert head == ("rank", "run", "team", "first", "among the first three", "lowest rank", "highest rank")
    assert first[:2] == (1, "good")
