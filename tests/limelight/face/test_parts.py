"""What the differences between scored runs are made of: every pair of the demo, and what is refused."""

from itertools import combinations

import numpy as np
import pytest

import limelight
from limelight.face.parts import parts_between
from tests.limelight.demo_scores import demo_scores

KINDS = ("focused", "relevant-in-context", "best-in-context")


def units(value):
    return round(10_000 * value)


@pytest.mark.parametrize("kind", KINDS)
def test_the_parts_of_every_pair_of_the_demo_add_up(kind, tmp_path):
    scores = demo_scores(tmp_path, kind)
    for one, other in combinations(scores, 2):
        found = parts_between(scores[one], scores[other])

        for end, name in ((0, one), (1, other)):
            assert np.array_equal(found.scores[end, end, end], scores[name].result.topic_values[found.measure])
        names = [part.name for part in found.parts]
        halves = [half.name for half in found.halves]
        for told in (found.rounded(), *map(found.rounded_topic, range(len(found.topics)))):
            assert sum(units(told[name]) for name in names) == units(told["difference"])
            assert not halves or sum(units(told[name]) for name in halves) == units(told["text"])
        assert f"{found.rounded()['difference']:.4f}" == f"{found.difference.mean + 0.0:.4f}"


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "judged.qrels").write_text("1 Q0 x 100 1000 0 0:100\n")
    for name in "ab":
        (tmp_path / f"{name}.fol").write_text(f"1 Q0 x 1 9 {name} 0 50\n")


def test_scores_made_in_different_ways_have_no_parts(files):
    one = limelight.score("judged.qrels", "a.fol", task="relevant-in-context")
    other = limelight.score("judged.qrels", "b.fol", task="relevant-in-context", profile="inex-2009")

    with pytest.raises(limelight.Refusal, match=r"^a\.fol and b\.fol were scored in different ways\."):
        parts_between(one, other)
    with pytest.raises(limelight.Refusal, match=r"^a\.fol was not scored by MAP\."):
        parts_between(one, one, measure="MAP")


def test_some_kinds_of_tasks_are_refused(files):
    scores = limelight.score("judged.qrels", ["a.fol", "b.fol"], task="thorough")

    with pytest.raises(limelight.Refusal, match=r"^Results of a thorough task may overlap"):
        parts_between(scores["a"], scores["b"])
