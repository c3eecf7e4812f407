"""Which pairs of a board's runs differ: read from what an analysis keeps, at any level and with any correction."""

import numpy as np
import pytest
from django.http import QueryDict

from campaign.services.acting import By
from campaign.services.permissions.seeing import board_view
from campaign.services.refusals import Refused
from campaign.services.runs.submissions import withdraw_run
from evaluation.models import Analysis, Edition
from evaluation.services import requested_analyses
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
    assert '<path class="better" d="M2 .5h1m-1 1h1"/>\n<path class="worse" d="M0 2.5h2"/>' in told.svg


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

    head, *rows = file_of("pairs", edition, view, asked_comparison(QueryDict(""), edition))

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
