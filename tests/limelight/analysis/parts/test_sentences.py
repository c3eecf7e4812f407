"""What parts of a difference say."""

import numpy as np
import pytest

from limelight.analysis.parts.difference import DifferenceParts
from limelight.analysis.parts.sentences import common_sentence, parts_sentence


def parts(documents, order, text, *, kind="relevant-in-context", returned=(100, 80), shared=62):
    """Return parts of ingredients that do not know of each other, on one topic."""
    amounts = (documents, order, text)
    scores = np.array(
        [
            [[[0.3 + sum(amounts[axis] for axis in range(3) if side[axis] == 0)] for side in row] for row in layer]
            for layer in ([[(f, o, t) for t in (0, 1)] for o in (0, 1)] for f in (0, 1))
        ]
    )
    return DifferenceParts(
        kind=kind,
        measure="MAgP",
        topics=("7",),
        scores=scores,
        text_scores=None,
        returned=np.array(returned).reshape(2, 1),
        shared=np.array([shared]),
    )


def test_the_lead_is_told_in_parts_that_add_up():
    assert parts_sentence(parts(0.031, 0.0182, -0.008), "A", "B") == (
        "Of the 0.0412 by which A leads, 0.0310 come from other documents, 0.0182 from their order, -0.0080 from the "
        "text taken from documents that both found. This is bookkeeping over exchanged ingredients, not a cause. Text "
        "and order are compared on the 62 % of A's documents that B returns too."
    )


def test_the_better_run_leads_whichever_stands_first():
    assert parts_sentence(parts(-0.031, -0.0182, 0.008, kind="best-in-context"), "A", "B") == (
        "Of the 0.0412 by which B leads, 0.0310 come from other documents, 0.0182 from their order, -0.0080 from the "
        "entry points in documents that both found. This is bookkeeping over exchanged ingredients, not a cause. Entry "
        "points and order are compared on the 78 % of B's documents that A returns too."
    )


def test_runs_that_score_the_same():
    assert parts_sentence(parts(0.02, 0.0, -0.02, kind="focused"), "A", "B").startswith(
        "A and B score the same to four decimals: 0.0200 come from other documents, 0.0000 from their order, -0.0200 "
        "from the text taken from documents that both found."
    )


@pytest.mark.parametrize(
    ("returned", "shared", "sentence"),
    [
        (100, 0, "B returns none of A's documents: text and order cannot be compared."),
        (0, 0, "B returns none of A's documents: text and order cannot be compared."),
        (100, 100, "Text and order are compared on all of A's documents: B returns them too."),
        (1000, 999, "Text and order are compared on the more than 99 % of A's documents that B returns too."),
        (1000, 1, "Text and order are compared on the less than 1 % of A's documents that B returns too."),
    ],
)
def test_how_much_both_return(returned, shared, sentence):
    found = parts(0.1, 0.0, 0.0, returned=(returned, 2000), shared=shared)

    assert common_sentence(found, "A", "B") == sentence
