"""What moved between two editions, against numbers worked out by hand."""

import pytest

from limelight.analysis.moves import gained_on, moves, tau_between

OLD = {"a": [0.8, 0.6], "b": [0.5, 0.5], "c": [0.2, 0.4]}  # means 0.7, 0.5, 0.3: ranks 1, 2, 3
NEW = {"a": [0.2, 0.5], "b": [0.5, 0.5], "c": [0.9, 0.3]}  # means 0.35, 0.5, 0.6: ranks 3, 2, 1
TOPICS = ["1", "2"]


def by_key(found):
    return {move.key: move for move in found}


def test_ranks_scores_and_topics_by_hand():
    found = moves(OLD, NEW, TOPICS, TOPICS)

    assert [(move.key, move.old_rank, move.new_rank, move.places) for move in found] == [
        ("c", 3, 1, 2),
        ("b", 2, 2, 0),
        ("a", 1, 3, -2),
    ]
    a, c = by_key(found)["a"], by_key(found)["c"]
    # Run a: topic 1 fell by 0.6, half of that is -0.3 of the mean; topic 2 fell by 0.1, that is -0.05.
    assert [change.topic for change in a.topics] == ["1", "2"]
    assert [change.contribution for change in a.topics] == pytest.approx([-0.3, -0.05])
    assert a.difference == pytest.approx(-0.35)
    # Run c: topic 1 rose by 0.7 (+0.35), topic 2 fell by 0.1 (-0.05); together +0.3.
    assert [(change.topic, change.old, change.new) for change in c.topics] == [("1", 0.2, 0.9), ("2", 0.4, 0.3)]
    assert sum(change.contribution for change in c.topics) == pytest.approx(c.difference) == pytest.approx(0.3)


def test_a_run_that_stands_still_names_no_topic():
    [move] = [move for move in moves(OLD, NEW, TOPICS, TOPICS) if move.key == "b"]

    assert not move.has_moved
    assert move.topics == []


def test_a_run_can_move_although_its_own_score_is_the_same():
    # b stays at 0.5; a falls from 0.7 to 0.3 and lets it pass.
    found = by_key(moves({"a": [0.7], "b": [0.5]}, {"a": [0.3], "b": [0.5]}, ["1"], ["1"]))

    assert (found["b"].old_rank, found["b"].new_rank, found["b"].topics) == (2, 1, [])


def test_runs_that_pass_each_other_are_named():
    # a b c become c b a: c passes both, b is passed by c and passes a.
    found = by_key(moves(OLD, NEW, TOPICS, TOPICS))

    assert (sorted(found["c"].passed), found["c"].passed_by) == (["a", "b"], [])
    assert (found["b"].passed, found["b"].passed_by) == (["a"], ["c"])
    assert (found["a"].passed, sorted(found["a"].passed_by)) == ([], ["b", "c"])


def test_the_topics_by_which_one_run_gained_on_another():
    # c - a: topic 1 from -0.6 to +0.7, half of 1.3 is 0.65; topic 2 from -0.2 to -0.2, nothing.
    assert gained_on("c", "a", OLD, NEW, TOPICS, TOPICS) == [("1", pytest.approx(0.65))]
    # a lost it all: no topic by which it gained.
    assert gained_on("a", "c", OLD, NEW, TOPICS, TOPICS) == []


def test_topics_on_one_board_only_count_in_gains_too():
    # b - a: topic 1 before (0.2 - 0.6) / 1 = -0.4, after 0; topic 2 after (0.8 - 0.2) / 2 = +0.3.
    old, new = {"a": [0.6], "b": [0.2]}, {"a": [0.5, 0.2], "b": [0.5, 0.8]}

    assert gained_on("b", "a", old, new, ["1"], ["1", "2"]) == [("1", pytest.approx(0.4)), ("2", pytest.approx(0.3))]


def test_a_topic_that_is_new_counts_and_dilutes_the_others():
    # Before: one topic, 0.6, mean 0.6. After: 0.6 and 0.2, mean 0.4. Topic 1 gives 0.6 / 2 - 0.6 / 1 = -0.3 although
    # its value is the same, topic 2 gives 0.2 / 2 = +0.1; together -0.2.
    [move] = moves({"a": [0.6]}, {"a": [0.6, 0.2]}, ["1"], ["1", "2"])

    assert [(change.topic, change.old, change.new) for change in move.topics] == [("1", 0.6, 0.6), ("2", None, 0.2)]
    assert [change.contribution for change in move.topics] == pytest.approx([-0.3, 0.1])


def test_a_topic_that_no_longer_counts_takes_its_share_along():
    # Before: 0.6 and 0.2, mean 0.4. After: topic 1 alone, 0.6.
    [move] = moves({"a": [0.6, 0.2]}, {"a": [0.6]}, ["1", "2"], ["1"])

    assert [(change.topic, change.new) for change in move.topics] == [("1", 0.6), ("2", None)]
    assert [change.contribution for change in move.topics] == pytest.approx([0.3, -0.1])


def test_topics_are_told_apart_by_number_and_not_by_place():
    [move] = moves({"a": [0.1, 0.9]}, {"a": [0.9, 0.1]}, ["1", "2"], ["2", "1"])

    assert move.topics == []


def test_runs_that_came_and_went():
    found = by_key(moves({"a": [0.5], "gone": [0.4]}, {"a": [0.5], "new": [0.6]}, ["1"], ["1"]))

    assert (found["gone"].old_rank, found["gone"].new_rank, found["gone"].places) == (2, None, None)
    assert (found["new"].old_rank, found["new"].new_rank, found["new"].difference) == (None, 1, None)
    assert (found["a"].old_rank, found["a"].new_rank) == (1, 2)
    assert all(move.has_moved for move in found.values())


def test_tied_runs_share_a_rank_before_and_after():
    found = by_key(moves({"a": [0.5], "b": [0.5]}, {"a": [0.1 + 0.2], "b": [0.3]}, ["1"], ["1"]))

    assert [(move.old_rank, move.new_rank) for move in found.values()] == [(1, 1), (1, 1)]


def test_tau_by_hand():
    # a b c d become a c b d: of six pairs one is swapped, (5 - 1) / 6.
    old = {"a": 0.9, "b": 0.8, "c": 0.7, "d": 0.6}
    new = {"a": 0.9, "b": 0.7, "c": 0.8, "d": 0.6}

    assert tau_between(old, new) == pytest.approx(4 / 6)
    assert tau_between(old, old) == 1
    assert tau_between(old, {run: -score for run, score in old.items()}) == -1


def test_tau_with_a_tie_by_hand():
    # b and c are tied before, up to a rounding error. Five pairs agree, one is tied: 5 / sqrt(5 * 6).
    old = {"a": 0.9, "b": 0.3, "c": 0.1 + 0.2, "d": 0.1}
    new = {"a": 0.9, "b": 0.8, "c": 0.7, "d": 0.6}

    assert tau_between(old, new) == pytest.approx(5 / 30**0.5)


def test_tau_is_over_the_runs_on_both_boards():
    assert tau_between({"a": 0.9, "b": 0.8, "gone": 0.1}, {"a": 0.1, "b": 0.2, "new": 0.9}) == -1


@pytest.mark.parametrize(
    ("old", "new"), [({}, {}), ({"a": 0.5}, {"a": 0.6}), ({"a": 0.5, "b": 0.5}, {"a": 0.1, "b": 0.2})]
)
def test_tau_is_nothing_where_it_is_not_defined(old, new):
    assert tau_between(old, new) is None
