from limelight.analysis.ranking import ranks


def test_ties_share_a_rank_and_the_next_rank_is_left_out():
    assert ranks([0.9, 0.5, 0.5, 0.1]) == [1, 2, 2, 4]


def test_absent_values_come_last_whatever_the_direction():
    assert ranks([None, 0.1, 0.2]) == [3, 2, 1]
    assert ranks([None, 0.1, 0.2], higher_is_better=False) == [3, 1, 2]
    assert ranks([float("nan"), -5.0, None]) == [2, 1, 2]


def test_scores_that_differ_only_by_rounding_are_tied():
    assert ranks([0.1 + 0.2, 0.3, 0.2]) == [1, 1, 3]


def test_nothing_to_rank_gives_nothing():
    assert ranks([]) == []
