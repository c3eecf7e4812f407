"""Every number that can be computed from what the papers print, for highlighted text."""

import pytest

from limelight.scoring.evaluators import evaluate
from tests.limelight.builders import Judged, judgement_columns, run_columns

SECTIONS = {"sec 1": (0, 99), "sec 2": (99, 99), "sec 3": (198, 99)}
PARAGRAPHS = {"p 1": (0, 33), "p 2": (33, 33), "p 3": (66, 33)}
SCENARIOS = {1: ("sec 1",), 2: ("sec 1", "sec 2")}
SYSTEMS = {"A": SECTIONS, "B": PARAGRAPHS}


@pytest.mark.parametrize(
    ("scenario", "system", "precision", "recall", "f", "average"),
    [
        (1, "A", 0.33, 1.00, 0.50, 1.00),
        (1, "B", 1.00, 1.00, 1.00, 1.00),
        (2, "A", 0.67, 1.00, 0.80, 1.00),
        (2, "B", 1.00, 0.50, 0.67, 0.50),
    ],
)
def test_the_slides_hixeval_scores(scenario, system, precision, recall, f, average):
    judgements = {"1": {"article": Judged(spans=tuple(SECTIONS[section] for section in SCENARIOS[scenario]))}}
    run = {"1": [("article", *span) for span in SYSTEMS[system].values()]}

    means = evaluate(
        "focused",
        judgement_columns(judgements),
        run_columns(run),
        measures=["hixP@3", "hixR@3", "hixF@3", "hixMAP"],
        parameters={"cutoffs": 3},
    ).means

    assert [round(value, 2) for value in means.values()] == [precision, recall, f, average]


@pytest.mark.parametrize(("a", "low", "high"), [(10, 0.99, 1.0), (0.1, 0.5, 0.51)])
def test_a_large_a_scores_any_answer_near_1_and_a_small_one_favours_near_answers(a, low, high):
    """INEX 2007 says so below Eq. 8: here the answer is a tenth of the document away."""
    judgements = {"1": {"article": Judged(length=1000, entry=0, spans=((0, 10),))}}

    result = evaluate(
        "best-in-context", judgement_columns(judgements), run_columns({"1": [("article", 100, 0)]}), parameters={"A": a}
    )

    assert low <= result.means["MAgP"] <= high
