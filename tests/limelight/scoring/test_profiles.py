import pytest

from limelight.scoring.evaluators import EVALUATORS, evaluator_of
from limelight.scoring.profiles import PROFILES, ParameterError, resolve


def test_2007_is_the_default():
    assert resolve("relevant-in-context") == {
        "cutoffs": (5, 10, 25, 50),
        "unmapped_size": 0,
        "document_score": "f",
        "beta": 1.0,
        "tolerance": 300,
        "weight": "contained",
        "past_end": "divide",
    }


def test_2009_follows_its_evaluator():
    assert resolve("relevant-in-context", "inex-2009")["beta"] == 0.25
    assert resolve("best-in-context", "inex-2009") == {
        "cutoffs": (1, 2, 3, 5, 10, 25, 50),
        "formula": "linear",
        "n": 500,
        "past_end": "last",
    }


def test_2010_scores_documents_by_reading_effort():
    assert resolve("relevant-in-context", "inex-2010")["document_score"] == "t2i"


@pytest.mark.parametrize("kind", EVALUATORS)
@pytest.mark.parametrize("profile", PROFILES)
def test_what_was_resolved_resolves_to_itself(kind, profile):
    resolved = resolve(kind, profile)

    assert resolve(kind, profile, resolved) == resolved


@pytest.mark.parametrize(
    ("given", "read"),
    [("1/4", 0.25), ("0.5", 0.5), (2, 2.0), ("1e-3", 0.001)],
)
def test_numbers_may_be_fractions(given, read):
    assert resolve("relevant-in-context", parameters={"beta": given})["beta"] == read


def test_cutoffs_are_sorted_and_taken_once():
    assert resolve("document", parameters={"cutoffs": "100, 5,5"})["cutoffs"] == (5, 100)
    assert resolve("document", parameters={"cutoffs": 7})["cutoffs"] == (7,)
    assert resolve("document", parameters={"cutoffs": [3, 1]})["cutoffs"] == (1, 3)


@pytest.mark.parametrize(
    ("kind", "profile", "parameters", "sentence"),
    [
        (
            "focused",
            "inex-1999",
            {},
            "There is no profile “inex-1999”. Profiles are inex-2007, inex-2009 and inex-2010.",
        ),
        (
            "thorough",
            "inex-2007",
            {"beta": 1},
            "There is no parameter “beta” for a thorough task. It knows cutoffs and overlap.",
        ),
        (
            "relevant-in-context",
            "inex-2007",
            {"beta": 0},
            "Parameter beta can't be “0”: it takes a number above 0, such as 1 or 1/4.",
        ),
        (
            "relevant-in-context",
            "inex-2007",
            {"beta": "1/0"},
            "Parameter beta can't be “1/0”: it takes a number above 0, such as 1 or 1/4.",
        ),
        (
            "relevant-in-context",
            "inex-2007",
            {"beta": "nan"},
            "Parameter beta can't be “nan”: it takes a number above 0, such as 1 or 1/4.",
        ),
        (
            "thorough",
            "inex-2007",
            {"overlap": "old"},
            "Parameter overlap can't be “old”: it takes new or count_all.",
        ),
        (
            "document",
            "inex-2007",
            {"cutoffs": "0"},
            "Parameter cutoffs can't be “0”: it takes up to 50 whole numbers from 1 to 1,000,000, such as 5,10,25,50.",
        ),
        (
            "best-in-context",
            "inex-2009",
            {"A": 1},
            "Parameter A belongs to formula=ratio, but here formula is linear: it would change nothing. Set "
            "formula=ratio as well, or leave A out.",
        ),
        (
            "relevant-in-context",
            "inex-2010",
            {"beta": 1},
            "Parameter beta belongs to document_score=f, but here document_score is t2i: it would change nothing. Set "
            "document_score=f as well, or leave beta out.",
        ),
        (
            "document",
            "inex-2007",
            {"max_grade": "most"},
            "Parameter max_grade can't be “most”: it takes highest or a whole number from 1 to 30.",
        ),
        ("best-in-context", "inex-2009", {"n": 2.5}, "Parameter n can't be “2.5”: it takes a whole number from 1."),
        ("best-in-context", "inex-2009", {"n": True}, "Parameter n can't be “True”: it takes a whole number from 1."),
        ("best-in-context", "inex-2009", {"n": None}, "Parameter n can't be “None”: it takes a whole number from 1."),
    ],
)
def test_a_wrong_parameter_gets_a_sentence(kind, profile, parameters, sentence):
    with pytest.raises(ParameterError) as refusal:
        resolve(kind, profile, parameters)

    assert str(refusal.value) == sentence


def test_an_unknown_kind_or_measure_gets_a_sentence():
    with pytest.raises(ParameterError) as kind:
        evaluator_of("focussed")
    with pytest.raises(ParameterError) as measure:
        evaluator_of("document").chosen(resolve("document"), ["iMAP"])

    assert str(kind.value) == (
        "There is no kind of task “focussed”. Kinds are focused, thorough, relevant-in-context, best-in-context, "
        "document."
    )
    assert str(measure.value) == (
        "A document task has no measure “iMAP”. It can compute MAP, P@5, P@10, P@20, nDCG, ERR@20."
    )


@pytest.mark.parametrize("kind", ["focused", "thorough"])
def test_those_who_ask_for_map_in_characters_are_told_its_name(kind):
    with pytest.raises(ParameterError) as refusal:
        evaluator_of(kind).chosen(resolve(kind), ["MAP"])

    assert str(refusal.value).startswith(
        f"A {kind} task has no measure “MAP”. MAP alone means whole documents: artMAP is over the run's articles, "
        "charMAP in characters. It can compute iMAP, "
    )
