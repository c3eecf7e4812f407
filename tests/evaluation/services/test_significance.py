"""Which pairs of a board's runs differ: read from what an analysis keeps, at any level and with any correction."""

import re
from datetime import timedelta

import numpy as np
import pytest
from django.http import QueryDict

from campaign.models import Run, Task
from campaign.services.acting import By
from campaign.services.permissions.seeing import board_view
from campaign.services.refusals import Refused
from campaign.services.runs.renaming import make_official
from campaign.services.runs.submissions import withdraw_run
from evaluation.models import Analysis, Edition
from evaluation.services import requested_analyses
from evaluation.services.boards import build_board
from evaluation.services.comparison_asked import asked_comparison
from evaluation.services.comparisons import comparisons_of, file_of
from evaluation.services.requested_analyses import request_analysis
from evaluation.services.significance import RESOLUTIONS
from limelight.analysis.statistics.pairwise import holm, t_test
from limelight.analysis.statistics.telling_apart import tell_apart
from tests.twelve_topics import compute_all, give_twelve_topics, scored_run


@pytest.fixture
def three(world):
    give_twelve_topics(world)
    bobs = {"user": world.bob, "team": world.bobs}
    world.runs = [scored_run(world, "good", 45), scored_run(world, "near", 44, turn=3, **bobs)]
    world.runs.append(scored_run(world, "far", 6))
    return world


def live(world):
    return world.task.editions.live().for_board().get()


def shown(world, query="", user=None):
    edition, view = live(world), board_view(user or world.visitor_with_account, world.task)
    return comparisons_of(edition, view, asked_comparison(QueryDict(query), edition))


def values(world):
    return shown(world).compared.values


def ask(world, test, measure="iMAP"):
    request_analysis(live(world), by=By(world.alice), measure=measure, test=test)


def test_the_pairs_of_a_board_are_told_when_they_are_computed(three):
    assert (shown(three).pairs.why_not, shown(three).pairs.is_waiting) == ("This is being computed.", True)

    compute_all()

    told = shown(three).pairs.told
    library = tell_apart(values(three))
    assert [run.name for run in told.runs] == ["good", "near", "far"]
    assert np.array_equal(told.p, library.p)
    assert np.array_equal(told.different, library.different())
    assert told.sentence == (
        f"2 of 3 pairs differ (Tukey HSD, 5 %, tested among 3 runs); differences below "
        f"{library.critical_difference():.3f} cannot be told from chance here."
    )


def test_level_and_correction_are_derived_on_reading(three):
    ask(three, "t-test")
    compute_all()
    matrix = t_test(values(three))

    plain = shown(three, "test=t-test&level=0.10").pairs.told
    corrected = shown(three, "test=t-test&level=0.01&correction=holm").pairs.told
    strict = shown(three, "test=t-test&correction=bonferroni").pairs.told

    pairs = np.triu_indices(3, 1)
    assert np.allclose(plain.read[pairs], matrix.p[pairs])
    assert np.allclose(corrected.read[pairs], holm(matrix).p[pairs])
    assert np.allclose(strict.read[pairs], np.minimum(3 * matrix.p[pairs], 1))
    assert (plain.level, corrected.level) == (0.10, 0.01)
    assert corrected.method == "paired t-test, Holm"
    assert plain.warning == (
        "Each pair was tested by itself: of 3 pairs of equally good runs about 1 would seem to differ. "
        "A correction allows for that."
    )
    assert corrected.warning == ""


@pytest.mark.parametrize("test", ["tukey-complete-null", "t-test", "randomisation", "bootstrap"])
def test_what_nobody_asked_for_is_computed_on_request(three, test):
    part = shown(three, f"test={test}").pairs
    assert part.may_be_asked
    assert part.why_not == "Nobody has asked for this yet: it is computed on request."

    ask(three, test)
    assert shown(three, f"test={test}").pairs.is_waiting
    compute_all()

    told = shown(three, f"test={test}").pairs.told
    assert told.different.tolist() == [[False, False, True], [False, False, True], [True, True, False]]


def test_who_asks_twice_is_served_once(three):
    ask(three, "t-test")
    ask(three, "t-test")

    assert live(three).analyses.filter(test="t-test").count() == 1


def test_the_oldest_that_were_asked_for_make_room(three, monkeypatch):
    monkeypatch.setattr(requested_analyses, "MOST_REQUESTED", 2)
    compute_all()
    standing = live(three).analyses.count()
    for test in ("t-test", "bootstrap", "randomisation"):
        ask(three, test)
        compute_all()

    kept = set(live(three).analyses.exclude(test="tukey").values_list("test", flat=True))

    assert kept >= {"bootstrap", "randomisation"}
    assert "t-test" not in kept
    assert live(three).analyses.count() == standing + 2


def test_nobody_can_fill_the_queue(three, monkeypatch):
    monkeypatch.setattr(requested_analyses, "MOST_REQUESTED", 1)
    ask(three, "t-test")

    with pytest.raises(Refused, match="1 comparisons of this board are waiting"):
        ask(three, "bootstrap")


def test_an_unknown_test_and_a_board_that_is_no_board_are_refused(three):
    with pytest.raises(Refused, match="There is no such test"):
        ask(three, "dice")

    Edition.objects.update(state=Edition.State.ABANDONED)
    edition = three.task.editions.get()
    with pytest.raises(Refused, match="An edition that is being built is compared when it is live"):
        request_analysis(edition, by=By(three.alice), measure="iMAP", test="t-test")


def test_what_was_asked_for_follows_the_board(three):
    scored_run(three, "fourth", 30)
    ask(three, "t-test")
    compute_all()

    withdraw_run(three.runs[2])

    assert shown(three, "test=t-test").pairs.is_waiting
    compute_all()
    assert len(shown(three, "test=t-test").pairs.told.runs) == 3


def test_an_analysis_that_failed_says_so_and_may_be_asked_for_again(three):
    compute_all()
    live(three).analyses.filter(measure="iMAP", test="tukey").update(state="failed", failure_reference="7F3A")

    part = shown(three).pairs
    assert part.why_not == "This could not be computed (ref. 7F3A). The fault is ours."
    ask(three, "tukey")

    assert live(three).analyses.get(measure="iMAP", test="tukey").state == Analysis.State.QUEUED


def test_two_runs_are_told_apart_at_once_by_the_paired_t_test(three):
    withdraw_run(three.runs[1])

    told = shown(three).pairs.told

    assert told.method == "paired t-test"
    assert np.array_equal(told.p, tell_apart(values(three)).p)


def test_too_few_topics_tell_nothing(world):
    world.activate()
    for name in ("one", "other"):
        world.scored(name=name)

    part = shown(world).pairs

    assert (part.why_not, part.may_be_asked) == ("Too few topics to tell runs apart.", False)
    with pytest.raises(Refused, match="Too few topics to tell runs apart"):
        ask(world, "t-test")


def test_many_runs_are_a_grid_and_some_a_table_of_signs(three, monkeypatch):
    compute_all()
    monkeypatch.setattr("evaluation.services.significance.MOST_WITH_P", 2)
    cells = [[text for text, _ in cells] for _, cells in shown(three).pairs.told.rows]
    assert cells == [["", "·", "+"], ["·", "", "+"], ["−", "−", ""]]

    monkeypatch.setattr("evaluation.services.significance.MOST_IN_TABLE", 2)
    told = shown(three).pairs.told
    assert not told.is_table
    better, worse = 'class="better"[^>]* d="M2 .5h1m-1 1h1"', 'class="worse"[^>]* d="M0 2.5h2"'
    assert re.search(f"<path {better}/>\n<path {worse}/>", told.drawn())


def test_a_correction_that_nothing_can_pass_is_told(three, monkeypatch):
    ask(three, "randomisation")
    compute_all()
    monkeypatch.setitem(RESOLUTIONS, "randomisation", 0.02)

    warning = shown(three, "test=randomisation&correction=holm").pairs.told.warning

    assert warning.startswith("With 3 pairs no pair can pass this correction: the smallest p-value")


def test_the_file_has_every_pair(three):
    compute_all()
    edition = live(three)
    view = board_view(three.alice, three.task)

    head, *rows = file_of("pairs", "csv", edition, view, asked_comparison(QueryDict(""), edition))

    assert head[-1] == "differ"
    assert [(row[1], row[3], row[-1]) for row in rows] == [
        ("good", "near", "no"),
        ("good", "far", "yes"),
        ("near", "far", "yes"),
    ]


def test_unknown_words_are_told_and_left_out(three):
    asked = asked_comparison(QueryDict("test=dice&level=7&measure=zz&correction=holm"), live(three))

    assert (asked.test, asked.level, asked.measure, asked.correction) == ("tukey", "0.05", "iMAP", "none")
    assert asked.problems == (
        "There is no measure “zz” here; iMAP is shown.",
        "There is no test “dice” here; tukey is shown.",
        "Tukey HSD tests all pairs at once: no further correction is needed.",
        "There is no level “7” here; 0.05 is shown.",
    )


@pytest.fixture
def marked(three):
    """Let two teams have marked a run before scores could be seen, a third team none; one run came later."""
    good, near, far = three.runs
    for run in (good, near):
        make_official(run)
    Run.objects.exclude(pk=far.pk).update(created_at=far.created_at - timedelta(days=2))
    user, team = three.team_of("carol", "Graz")
    three.early = scored_run(three, "early", 20, turn=2, user=user, team=team)
    Run.objects.filter(pk=three.early.pk).update(created_at=far.created_at - timedelta(days=2))
    compute_all()
    return three


def names(part):
    return [run.name for run in part.told.runs]


def test_pairs_are_tested_among_the_runs_that_the_board_tests(marked):
    board = build_board(live(marked), board_view(marked.visitor_with_account, marked.task))

    told = shown(marked).pairs.told

    assert board.ranges.family == told.family == "clean"
    assert names(shown(marked).pairs) == ["good", "near", "early"]
    assert told.critical == board.ranges.critical
    assert "tested among 3 runs submitted before their teams could see scores" in told.sentence
    leaders = {run.code for run, apart in zip(told.runs, told.different[0], strict=True) if not apart}
    assert leaders == board.ranges.leading
    assert shown(marked).later.endswith(
        "Pairs are tested without them; what is said of all runs describes these topics only."
    )


def test_where_every_team_has_an_official_run_pairs_are_tested_among_those(marked):
    make_official(marked.early)
    compute_all()
    board = build_board(live(marked), board_view(marked.visitor_with_account, marked.task))

    assert board.ranges.family == shown(marked).pairs.told.family == "official"
    assert names(shown(marked).pairs) == ["good", "near", "early"]
    assert "Tukey HSD, 5 %, tested among 3 official runs" in shown(marked).pairs.told.sentence


def test_the_family_can_be_chosen(marked):
    assert shown(marked).families == [
        ("all", "all runs"),
        ("clean", "runs submitted before scores could be seen"),
        ("official", "official runs"),
    ]
    assert names(shown(marked, "family=all").pairs) == ["good", "near", "early", "far"]
    assert "tested among 4 runs)" in shown(marked, "family=all").pairs.told.sentence
    assert shown(marked, "family=all").later.endswith("what is said here describes these topics only.")

    unknown = shown(marked, "family=best")
    among = "runs submitted before scores could be seen"
    assert unknown.problem == f"There is no family of runs “best” on this board; pairs are tested among {among}."
    assert unknown.family == "clean"


def test_another_measure_is_tested_among_all_runs(marked):
    told = shown(marked, "measure=iP[0.01]").pairs.told

    assert (told.family, len(told.runs)) == ("all", 4)


def test_without_names_there_is_but_the_family_of_all(marked):
    Task.objects.update(names_visible="never")
    marked.task.refresh_from_db()

    page = shown(marked, "family=official")

    assert (page.families, page.family, page.pairs.told.family) == ([], "all", "all")
    assert page.problem.startswith("There is no family of runs “official” on this board")


def test_other_tests_of_a_family_are_computed_on_request_and_counted_with_the_others(marked, monkeypatch):
    asked = "test=t-test&family=clean"
    assert shown(marked, asked).pairs.may_be_asked

    kind = {"measure": "iMAP", "test": "t-test", "family": "clean"}
    request_analysis(live(marked), by=By(marked.alice), **kind)
    compute_all()

    assert names(shown(marked, asked).pairs) == ["good", "near", "early"]
    monkeypatch.setattr(requested_analyses, "MOST_REQUESTED", 1)
    ask(marked, "bootstrap")
    assert not live(marked).analyses.filter(**kind).exists()
    assert live(marked).analyses.filter(family="clean", test="tukey").exists()
    with pytest.raises(Refused, match="There is no such family of runs on this board"):
        request_analysis(live(marked), by=By(marked.alice), **(kind | {"family": "dice"}))
