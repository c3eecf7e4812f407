import pytest

from limelight.scoring.evaluators import evaluate
from limelight.scoring.profiles import ParameterError
from tests.limelight.builders import Judged, judgement_columns, run_columns


def score(kind, judgements, run, **options):
    return evaluate(kind, judgement_columns(judgements), run_columns(run), **options)


def test_the_worked_document_scores_two_fifths_or_17_of_50():
    judgements, run = {"1": {"a": Judged(spans=((0, 40),))}}, {"1": [("a", 20, 60)]}

    in_2007 = score("relevant-in-context", judgements, run).means["MAgP"]
    in_2009 = score("relevant-in-context", judgements, run, profile="inex-2009").means["MAgP"]

    assert in_2007 == pytest.approx(2 / 5, abs=1e-15)
    assert in_2009 == pytest.approx(17 / 50, abs=1e-15)


def test_the_slides_variants_weigh_documents_by_their_text():
    judgements = {"1": {"a": Judged(spans=((0, 90),)), "b": Judged(spans=((0, 10),))}}
    run = {"1": [("a", 0, 45), ("b", 0, 10)]}
    wanted = ["MAgP", "MAgP'", "MAgP'(8)"]

    contained = score("relevant-in-context", judgements, run, measures=wanted).means
    retrieved = score("relevant-in-context", judgements, run, measures=wanted, parameters={"weight": "retrieved"}).means

    assert contained == pytest.approx({"MAgP": 3 / 4, "MAgP'": 0.6 + 0.25 / 3, "MAgP'(8)": 0.75}, abs=1e-12)
    assert retrieved == pytest.approx({"MAgP": 3 / 4, "MAgP'": 0.3 + 0.25 / 3, "MAgP'(8)": 0.4125}, abs=1e-12)


def test_the_slides_variants_for_entry_points_weigh_documents_by_the_text_they_contain():
    judgements = {"1": {"a": Judged(1000, 0, ((0, 90),)), "b": Judged(1000, 50, ((50, 10),)), "c": Judged(1000)}}
    run = {"1": [("a", 50, 0), ("c", 0, 0), ("b", 50, 0)]}
    wanted = ["MAgP", "MAgP'", "MAgP'(8)", "gR'[1]", "gR'[2]", "gR'[3]"]
    asked = {"measures": wanted, "parameters": {"cutoffs": "1,2,3"}}

    result = score("best-in-context", judgements, run, **asked)
    missed = score("best-in-context", judgements, {"1": [("a", 50, 0)]}, **asked)

    # S = 100 / (100 + 50) = 2/3, 0, 1; gP = 2/3, 1/3, 5/9; the documents weigh 90 and 10 of 100.
    assert result.means == pytest.approx(
        {
            "MAgP": (2 / 3 + 5 / 9) / 2,
            "MAgP'": 0.9 * 2 / 3 + 0.1 * 5 / 9,
            "MAgP'(8)": 1.0 * (2 / 3 + 5 / 9) / 2,
            "gR'[1]": 0.9,
            "gR'[2]": 0.9,
            "gR'[3]": 1.0,
        },
        abs=1e-12,
    )
    assert missed.means["MAgP'(8)"] == pytest.approx(0.9 * 2 / 3, abs=1e-12)


def test_entry_points_have_no_retrieved_text_to_weigh_by():
    with pytest.raises(ParameterError, match=r"^There is no parameter “weight” for a best-in-context task\."):
        score("best-in-context", {"1": {}}, {}, parameters={"weight": "retrieved"})


def test_a_relevant_document_whose_text_is_missed_still_counts_as_relevant():
    judgements = {"1": {"a": Judged(spans=((0, 10),)), "b": Judged(spans=((0, 10),))}}
    run = {"1": [("a", 0, 10), ("b", 50, 10)]}

    result = score("relevant-in-context", judgements, run, measures=["MAgP", "gR[5]"])

    assert result.means == {"MAgP": (1 + 1 / 2) / 2, "gR[5]": 1.0}


def test_precision_past_the_end_of_the_list_follows_the_profile():
    judgements, run = {"1": {"a": Judged(spans=((0, 10),))}}, {"1": [("a", 0, 10)]}

    in_2007 = score("relevant-in-context", judgements, run)
    in_2009 = score("relevant-in-context", judgements, run, profile="inex-2009")

    assert in_2007.means["gP[10]"] == 1 / 10
    assert in_2009.means["gP[10]"] == 1.0
    assert list(in_2009.means) == ["MAgP", *(f"gP[{rank}]" for rank in (1, 2, 3, 5, 10, 25, 50))]
    assert in_2007.curves["gP"].tolist() == [1 / rank for rank in range(1, 51)]
    assert in_2009.curves["gP"].tolist() == [1.0] * 50


def test_the_reader_of_2010_stops_at_the_300th_irrelevant_character():
    judgements = {"1": {"a": Judged(length=5000, spans=((0, 100), (400, 100)))}}
    run = {"1": [("a", 400, 100), ("a", 1000, 200)]}

    result = score("relevant-in-context", judgements, run, profile="inex-2010")

    # 100 relevant, 200 irrelevant, then from the start: 100 relevant and another 100 irrelevant.
    assert result.means["MAgP"] == 200 / 500


def test_the_reader_of_2010_does_not_read_the_relevant_character_behind_the_300th_irrelevant_one():
    judgements = {"1": {"a": Judged(length=301, spans=((300, 1),))}}

    stopped = score("relevant-in-context", judgements, {"1": [("a", 0, 301)]}, profile="inex-2010")
    patient = score(
        "relevant-in-context", judgements, {"1": [("a", 0, 301)]}, profile="inex-2010", parameters={"tolerance": 301}
    )

    assert stopped.means["MAgP"] == 0.0
    assert patient.means["MAgP"] == 1 / 301


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ({}, 100 / 150),
        ({"A": 1}, 1000 / 1050),
        ({"A": 10}, 10000 / 10050),
        ({"formula": "linear"}, 0.95),
        ({"formula": "linear", "n": 500}, 0.9),
        ({"formula": "linear", "n": 50}, 0.0),
        ({"formula": "linear", "n": 49}, 0.0),
    ],
)
def test_an_entry_point_fifty_characters_off_is_scored_by_the_formula(parameters, expected):
    judgements = {"1": {"a": Judged(length=1000, entry=200, spans=((200, 10),))}}

    result = score("best-in-context", judgements, {"1": [("a", 150, 0)]}, parameters=parameters)

    assert result.means["MAgP"] == pytest.approx(expected, abs=1e-15)


def test_an_entry_point_scores_0_where_highlighting_entry_point_length_or_place_is_missing():
    judgements = {
        "no highlighting": {"a": Judged(length=10, entry=0), "b": Judged(spans=((0, 1),))},
        "no entry point": {"a": Judged(length=10, spans=((0, 1),))},
        "no length": {"a": Judged(entry=0, spans=((0, 1),))},
        "no place": {"a": Judged(length=10, entry=0, spans=((0, 1),))},
    }
    run = {topic: [("a", 0, 1)] for topic in judgements} | {"no place": [("a", None, 0)]}

    result = score("best-in-context", judgements, run)

    assert result.topic_values["MAgP"].tolist() == [0.0] * 4
