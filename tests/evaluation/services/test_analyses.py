"""Analyses: which runs can be told apart, computed in the background and never told of a board that has changed."""

from datetime import timedelta

import numpy as np
import pytest
from django.utils import timezone

from campaign.services.acting import By
from campaign.services.generations import raise_generation
from campaign.services.permissions.seeing import board_view
from campaign.services.runs.renaming import make_official, rename_run
from campaign.services.runs.submissions import withdraw_run
from evaluation.models import Analysis, Edition, Evaluation
from evaluation.services.analyses import ANALYSING, look_after, refresh_analyses
from evaluation.services.board_asked import Asked
from evaluation.services.board_words import account, answer
from evaluation.services.boards import build_board
from evaluation.services.leaders import leaders_of
from evaluation.services.sweep import sweep
from limelight.analysis.statistics.telling_apart import tell_apart
from tests.twelve_topics import compute_all, give_twelve_topics, scored_run


@pytest.fixture
def twelve(world):
    return give_twelve_topics(world)


@pytest.fixture
def three(twelve):
    """Score two runs that are alike and one that is far behind."""
    bobs = {"user": twelve.bob, "team": twelve.bobs}
    return [
        scored_run(twelve, "good", 45),
        scored_run(twelve, "near", 44, turn=3, **bobs),
        scored_run(twelve, "far", 6),
    ]


def live(world):
    return world.task.editions.live().for_board().get()


def board(world, user=None, **asked):
    return build_board(live(world), board_view(user or world.visitor_with_account, world.task), Asked(**asked))


def test_a_board_says_that_its_ranges_are_being_computed_and_then_tells_them(twelve, three):
    waiting = board(twelve)
    assert waiting.ranges.why_not == "Ranges are being computed."
    assert [line.range for line in waiting.lines] == [None, None, None]

    compute_all()

    told = board(twelve)
    assert [(line.name, line.place, line.range, line.is_leading) for line in told.lines] == [
        ("good", 1, (1, 2), True),
        ("near", 2, (1, 2), True),
        ("far", 3, (3, 3), False),
    ]


def test_ranges_are_those_of_the_library_over_the_same_scores(twelve, three):
    compute_all()

    row = live(twelve).analyses.get(family="all", measure="iMAP", test="tukey")
    scores = Evaluation.objects.order_by("run__code").filter(scores__measure="iMAP")
    told = tell_apart([values for (values,) in scores.values_list("scores__topic_values")])
    assert np.array_equal(row.draws, told.draws)
    assert np.array_equal(row.p_values, told.p[np.triu_indices(3, 1)])
    assert board(twelve).ranges.critical == told.critical_difference()
    assert row.seconds > 0


def test_ranges_of_runs_that_left_or_came_are_not_told(twelve, three):
    compute_all()
    withdraw_run(three[2])
    raise_generation(twelve.task)

    assert board(twelve).ranges.are_told  # two runs are told apart at once, by the paired t-test
    assert board(twelve).ranges.method == "paired t-test"
    scored_run(twelve, "later", 30)
    scored_run(twelve, "last", 20)
    raise_generation(twelve.task)

    assert board(twelve).ranges.is_waiting
    compute_all()
    assert board(twelve).ranges.run_count == 4


def test_another_name_computes_nothing_anew(twelve, three):
    compute_all()
    before = live(twelve).analyses.get(measure="iMAP", test="tukey").state_since

    rename_run(three[0], by=By(twelve.alice), name="better")
    raise_generation(twelve.task)

    assert board(twelve).ranges.are_told
    compute_all()
    assert live(twelve).analyses.get(measure="iMAP", test="tukey").state_since == before


def test_a_board_in_the_middle_of_scoring_waits_but_not_longer_than_half_a_minute(twelve, three):
    compute_all()
    scored_run(twelve, "fourth", 30)
    late = Evaluation.objects.filter(run=three[0]).first()
    Evaluation.objects.filter(pk=late.pk).update(state=Evaluation.State.QUEUED)

    refresh_analyses()
    assert not Analysis.objects.unfinished().exists()

    Edition.objects.update(analysed_at=timezone.now() - timedelta(seconds=31))
    refresh_analyses()
    assert Analysis.objects.unfinished().exists()


def test_a_worker_that_was_killed_half_way_is_followed_by_another(twelve, three):
    refresh_analyses()
    killed = Analysis.objects.claim()
    Analysis.objects.filter(pk=killed.pk).update(held_until=timezone.now() - timedelta(seconds=1))

    sweep()
    compute_all()

    assert set(Analysis.objects.values_list("state", flat=True)) == {"done"}
    assert Analysis.objects.get(pk=killed.pk).attempts == 2


def test_an_analysis_that_fails_says_so_on_the_board(twelve, three, monkeypatch):
    def broken(*_):
        raise ValueError("broken")

    monkeypatch.setattr("evaluation.services.analyses.tested", broken)
    refresh_analyses()
    for _ in range(3):
        Analysis.objects.update(held_until=None)
        for row in Analysis.objects.unfinished():
            ANALYSING.work(row.pk)

    reference = live(twelve).analyses.get(measure="iMAP", test="tukey").failure_reference
    assert board(twelve).ranges.why_not == f"Ranges could not be computed (ref. {reference}). The fault is ours."


def test_other_columns_have_ranges_of_their_own_and_say_that_they_are_exploratory(twelve, three):
    compute_all()

    by_another = board(twelve, sort="iP[0.01]")
    rare = board(twelve, sort="charP")

    assert by_another.ranges.are_told
    assert by_another.ranges.measure == "iP[0.01]"
    assert rare.ranges.why_not == "Ranges by this measure are computed on the comparisons page."


def test_too_few_topics_tell_nothing(world):
    world.activate()
    for name in ("good", "better"):
        world.scored(name=name)
    compute_all()

    assert board(world).ranges.why_not == "Too few topics to tell runs apart."


def test_who_may_not_see_all_scores_sees_no_ranges(twelve, three):
    compute_all()
    twelve.task.other_scores_visible = "never"
    twelve.task.save()

    assert board(twelve, twelve.alice).ranges is None


def test_official_runs_are_a_family_only_where_two_teams_marked_one_before_scores_were_seen(twelve):
    twelve.task.own_scores_visible = twelve.task.other_scores_visible = "at-deadline"
    twelve.task.save()
    ours = scored_run(twelve, "ours", 45)
    scored_run(twelve, "second", 40)
    theirs = scored_run(twelve, "theirs", 20, user=twelve.bob, team=twelve.bobs)
    make_official(ours)
    compute_all()
    assert set(Analysis.objects.values_list("family", flat=True)) == {"all"}

    make_official(theirs)
    raise_generation(twelve.task)
    compute_all()

    assert set(Analysis.objects.values_list("family", flat=True)) == {"all", "official"}
    told = board(twelve, twelve.organiser)
    assert told.show == "official"
    assert (told.ranges.family, told.ranges.run_count) == ("official", 2)
    assert [line.name for line in told.lines] == ["ours", "theirs"]
    assert board(twelve, twelve.organiser, show="all").ranges.run_count == 3


def test_an_anonymous_board_never_tells_which_runs_are_official(twelve, three):
    make_official(three[0])
    make_official(three[1])
    raise_generation(twelve.task)
    compute_all()
    twelve.task.own_scores_visible = twelve.task.other_scores_visible = "at-deadline"  # nobody saw a score before
    twelve.task.names_visible = "never"
    twelve.task.closes_at = timezone.now()
    twelve.task.save()

    told = board(twelve, show="official")

    assert told.ranges.family == "all"
    assert "official" not in " ".join([*answer(told), *account(told)])


def test_a_family_that_is_gone_takes_its_analysis_along(twelve, three):
    compute_all()
    edition = live(twelve)
    Analysis.objects.enqueue(edition=edition, family="official", measure="iMAP", test="tukey")

    look_after(edition)

    assert set(edition.analyses.values_list("family", flat=True)) == {"all"}


def test_runs_sent_in_after_scores_could_be_seen_are_marked(twelve, three):
    lines = {line.name: line.is_after_scores for line in board(twelve).all_lines}

    assert lines == {"good": False, "near": True, "far": True}  # the scores of all teams are visible at once


def test_it_is_told_how_many_share_the_lead_while_that_is_known(twelve, three):
    def told():
        twelve.task.refresh_from_db()
        return leaders_of([twelve.task])[twelve.task.pk].sentence

    def computed():
        compute_all()
        refresh_analyses()  # sees that what was computed is of now

    assert told() == ""
    computed()
    assert told() == "two of three runs share the lead"

    scored_run(twelve, "last", 4)
    assert told() == ""
    computed()
    assert told() == "two of four runs share the lead"

    raise_generation(twelve.task)
    assert told() == ""


def test_the_answer_comes_in_a_sentence(twelve, three):
    compute_all()
    told = board(twelve)

    marked, rest = answer(told)

    good, near = (line.value for line in told.lines[:2])
    critical = told.ranges.critical
    assert marked == "Two of three runs share the lead"
    assert rest == (
        f": good {good:.3f} … near {near:.3f}. Differences below {critical:.3f} cannot be told from chance (12 topics)."
    )
    assert account(told) == [
        "Ranks by iMAP over 12 topics; equal scores share a rank.",
        "Runs whose whiskers do not meet differ (Tukey HSD, 5 %, tested among 3 runs); "
        f"differences below {critical:.3f} cannot be told from chance here.",
        "Small figures: the places a run may hold.",
        "Runs were submitted after scores were visible: ranges describe these topics only.",
    ]


def test_with_a_clean_official_family_later_runs_are_left_out_and_the_sentence_says_so(twelve):
    twelve.task.other_scores_visible = "at-deadline"
    twelve.task.save()
    ours = scored_run(twelve, "ours", 45)
    theirs = scored_run(twelve, "theirs", 20, user=twelve.bob, team=twelve.bobs)
    carol, third = twelve.team_of("carol", "Kiel")
    scored_run(twelve, "third", 10, user=carol, team=third)
    scored_run(twelve, "tuned", 49)
    for run in (ours, theirs):
        make_official(run)
    compute_all()

    told = board(twelve, twelve.organiser, show="all")

    assert [(line.name, line.range is None) for line in told.lines] == [
        ("tuned", True),
        ("ours", False),
        ("theirs", False),
        ("third", False),
    ]
    assert answer(told)[0] == "ours leads among the three runs submitted before their teams could see scores"
