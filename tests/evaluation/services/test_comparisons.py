"""What all runs of a board say together: redrawn topics, how many topics, how steady the ranking is."""

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from django.http import QueryDict

from campaign.services.acting import By
from campaign.services.permissions.seeing import board_view
from campaign.services.refusals import Refused
from evaluation.models import Score
from evaluation.services.comparison_asked import asked_comparison
from evaluation.services.comparisons import FORMATS, comparisons_of, file_of
from evaluation.services.heat_map import HeatMap
from evaluation.services.requested_analyses import request_analysis
from limelight.analysis.statistics.redrawing import redraw, topic_weights
from limelight.analysis.statistics.sentences import topics_sentence
from limelight.analysis.statistics.stability import generalisability, split_halves, splits, two_measures
from limelight.analysis.statistics.telling_apart import tell_apart
from limelight.analysis.statistics.topic_numbers import residual_variance, topics_needed, topics_needed_for_all
from tests.twelve_topics import compute_all, give_twelve_topics, scored_run
from tests.world import score_all


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
    assert "here: 12 topics" in told.drawn()


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


def test_the_heat_map_has_runs_by_rank_and_topics_by_mean(board):
    told = shown(board).heat_map

    means = told.values.mean(axis=0)
    assert [run.name for run in told.runs] == ["good", "near", "far"]
    assert (np.diff(means) <= 0).all()
    assert sorted(told.topics, key=int) == [str(number) for number in range(1, 13)]
    assert (told.values == shown(board).compared.values[:, [int(topic) - 1 for topic in told.topics]]).all()
    assert ">near</text>" in told.drawn()
    assert told.key[:3] == [("paper", "0"), ("shade-1", "above 0"), ("shade-2", "from 0.125")]


def test_a_heat_map_of_three_hundred_runs_stays_small(board):
    values = np.random.default_rng(1).uniform(0, 1, (300, 120))
    runs = shown(board).compared.runs * 100

    svg = HeatMap(runs, "iMAP", [str(number) for number in range(120)], values).drawn()

    assert svg.count("<path") == 8
    assert len(svg) < 400_000


def test_a_score_of_nothing_is_paper_and_the_highest_is_the_darkest(board):
    runs = shown(board).compared.runs[:2]

    svg = HeatMap(runs, "iMAP", ["1", "2"], np.array([[1.0, 0.0], [0.0, 0.01]])).drawn()

    assert re.search(r'<path class="shade-1"[^>]* d="M1 1.5h1"/>\n<path class="shade-8"[^>]* d="M0 .5h1"/>', svg)


def test_two_measures_of_few_runs_are_dots_without_a_coefficient(board):
    compute_all()

    parts = shown(board, "against=iP[0.01]")

    assert parts.scatter.drawn().count("<circle") == 3
    assert parts.agreement.why_not == "With 3 runs a coefficient means little."
    assert not parts.agreement.may_be_asked


def test_two_measures_of_ten_runs_have_coefficients_and_no_p_values(ten):
    compute_all()
    others = shown(ten, "measure=iP[0.00]").compared
    found = two_measures(*by_code(shown(ten).compared, others))

    told = shown(ten).agreement.told

    assert [one.name for one in told.coefficients] == ["Kendall’s τ-b", "τ_AP", "Pearson’s r"]
    assert [one.value for one in told.coefficients] == pytest.approx(list(found.value.values()))
    assert [(one.low, one.high) for one in told.coefficients] == [
        pytest.approx((middle.low, middle.high)) for middle in found.redrawn.values()
    ]
    assert told.sentence == (
        f"iMAP on redrawn topics agrees with itself on all topics by a τ-b of {found.ceiling:.2f}."
    )


def by_code(*boards):
    return [board.values[np.argsort([run.code for run in board.runs])] for board in boards]


def test_other_pairs_of_measures_are_computed_on_request(ten):
    part = shown(ten, "measure=iP[0.01]&against=charP").agreement
    assert (part.may_be_asked, part.other_measure) == (True, "charP")

    kind = {"measure": "iP[0.01]", "test": "two-measures"}
    request_analysis(live(ten), by=By(ten.alice), other_measure="charP", **kind)
    compute_all()

    assert shown(ten, "measure=iP[0.01]&against=charP").agreement.told.coefficients
    with pytest.raises(Refused, match="There is no such test"):
        request_analysis(live(ten), by=By(ten.alice), **kind)


def test_a_run_without_the_other_measure_is_told(ten):
    Score.objects.filter(measure="iP[0.00]", evaluation__run__name="far").delete()
    compute_all()

    parts = shown(ten)

    assert parts.agreement.why_not == "Not every run has both measures."
    assert len(parts.scatter.runs) == 9


def test_the_first_edition_has_no_ranks_to_compare(board):
    assert shown(board).changes is None


def test_ranks_over_editions_mark_who_leads(board):
    compute_all()
    board.activate(b"".join(b"%d Q0 a 44 200 6 6:44\n" % number for number in range(1, 13)))
    score_all()
    scored_run(board, "new", 20)
    compute_all()

    told = shown(board).changes

    assert told.editions == [(1, "iMAP"), (2, "iMAP")]
    ranks = {run.name: [cell.rank for cell in cells] for run, cells in told.lines}
    assert (ranks["new"], ranks["far"]) == ([None, 3], [3, 4])
    leads = {run.name: [cell.is_leading for cell in cells] for run, cells in told.lines}
    assert leads["far"] == [False, False]
    assert leads["good"] == [True, True]
    assert ">good</text>" in told.drawn()
    assert next(told.file_rows()) == ("run", "edition 1 by iMAP", "edition 2 by iMAP")


def file(world, part, file_format, query=""):
    edition = live(world)
    view, asked = board_view(world.alice, world.task), asked_comparison(QueryDict(query), edition)
    return file_of(part, file_format, edition, view, asked)


def test_redrawn_topics_are_sent_as_a_file(board):
    compute_all()

    head, *_ = file(board, "redrawn", "csv")

    assert head == ("rank", "run", "team", "first", "among the first three", "lowest rank", "highest rank")


def test_the_curve_of_how_many_topics_is_sent_as_a_file(board):
    compute_all()
    variance = shown(board).steadiness.told.variance

    head, *rows = file(board, "steadiness", "csv")

    assert head == ("topics", "difference found between two runs")
    assert (rows[0][0], rows[-1][0], len(rows)) == (10, 500, 491)
    assert dict(rows)[100] == pytest.approx(2.801585 * (2 * variance / 100) ** 0.5)


@pytest.mark.parametrize("part", sorted(FORMATS["svg"]))
def test_drawings_are_files_that_stand_for_themselves(board, part):
    compute_all()
    board.activate(b"".join(b"%d Q0 a 44 200 6 6:44\n" % number for number in range(1, 13)))
    score_all()
    board.task.runs.filter(name="near").update(name="R&D<b>")
    compute_all()

    drawing = ET.fromstring(file(board, part, "svg"))

    svg = "{http://www.w3.org/2000/svg}"
    assert (drawing.tag, drawing.get("width"), drawing[0].tag) == (f"{svg}svg", "1000", f"{svg}title")
    unpainted = [
        one.attrib
        for tag in ("path", "circle", "line", "rect")
        for one in drawing.iter(f"{svg}{tag}")
        if not {"fill", "stroke"} & set(one.attrib)
    ]
    assert unpainted == []
    assert not list(drawing.iter(f"{svg}style"))


def test_the_drawing_of_a_page_is_that_of_the_file(board):
    compute_all()
    cells = re.findall(r' d="(M[^"]+)"', shown(board).heat_map.drawn())

    assert cells == re.findall(r' d="(M[^"]+)"', file(board, "topics", "svg"))[: len(cells)]
