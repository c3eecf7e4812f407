"""The compare page: which runs, told apart how, topic by topic, and what is left out for whom."""

import numpy as np
import pytest
from django.db import connection
from django.http import QueryDict
from django.test.utils import CaptureQueriesContext

from campaign.models import Run, Task
from campaign.services.acting import By
from campaign.services.permissions.seeing import board_view, board_view_of
from evaluation.models import Difference, Edition
from evaluation.services.comparing.asked import asked_runs
from evaluation.services.comparing.page import compare_page
from evaluation.services.differences import differ, request_difference
from tests.evaluation.fared import give_values, with_fleet

OPEN = {"other_scores_visible": "at-once", "names_visible": "at-once", "runs_visible": "at-once"}


@pytest.fixture
def fleet(world):
    world.runs = with_fleet(world)
    world.codes = [run.code for run in world.runs]
    Task.objects.update(**OPEN, assessments_visible="at-once")
    return world


def page_of(world, query="", team=None, titles=None):
    task = Task.objects.select_related("track__campaign").get(pk=world.task.pk)
    edition = Edition.objects.live_for(task)
    return compare_page(edition, board_view_of(team, task), asked_runs(QueryDict(query)), titles or {})


def naming(world, *places, more=""):
    return f"runs={','.join(world.codes[place] for place in places)}{more}"


def test_of_two_runs_the_worse_is_the_reference_whichever_comes_first(fleet):
    for order in ((0, 2), (2, 0)):
        page = page_of(fleet, naming(fleet, *order))

        assert page.chosen.reference.label == "run-of-Oslo"
        assert [run.label for run in page.heading] == ["run-of-Lund", "run-of-Oslo"]
        assert page.title == "run-of-Lund and run-of-Oslo"
        [topics] = page.topics
        assert [topic.number for topic in topics.topics] == ["1", "3", "2"]
        assert [round(topic.difference, 4) for topic in topics.topics] == [0.2, 0.0, -0.1]
        [lund] = [run for run in page.chosen.runs if run.label == "run-of-Lund"]
        assert (lund.against.better, lund.same, lund.against.worse) == (1, 1, 1)


def test_of_more_the_first_is_the_reference_or_the_one_that_is_asked_for(fleet):
    page = page_of(fleet, naming(fleet, 3, 0, 1))
    assert page.chosen.reference.label == "run-of-Turku"
    assert [topics.run.label for topics in page.topics] == ["run-of-Lund", "run-of-Delft"]

    page = page_of(fleet, naming(fleet, 3, 0, 1, more=f"&reference={fleet.codes[1]}&with={fleet.codes[3]}"))
    assert page.chosen.reference.label == "run-of-Delft"
    assert set(page.pair.labels) == {"run-of-Delft", "run-of-Turku"}
    assert page.problems == []


def test_two_are_told_apart_in_the_sentence_of_the_paired_t(fleet):
    page = page_of(fleet, naming(fleet, 0, 2))

    [verdict] = page.verdicts.pairs
    assert not page.verdicts.summary
    assert f"{verdict.before}{verdict.marked}{verdict.after}" == (
        "run-of-Lund scores 0.0333 more than run-of-Oslo (95 % interval -0.3461 to +0.4128, 3 topics, paired t, "
        "p = 0.742): they cannot be told apart. run-of-Lund is better on 1 topic, run-of-Oslo on 1."
    )
    assert verdict.marked == "they cannot be told apart."


def test_two_that_differ_are_said_to_first(fleet):
    give_values(fleet.runs[0], 0.8, 0.81, 0.82)
    give_values(fleet.runs[2], 0.1, 0.12, 0.1)

    [verdict] = page_of(fleet, naming(fleet, 0, 2)).verdicts.pairs

    assert (verdict.before, verdict.marked) == ("", "They differ.")
    assert verdict.after.startswith("run-of-Lund scores 0.7033 more than run-of-Oslo (95 % interval ")


def test_more_are_corrected_by_holm_and_say_that_intervals_are_not(fleet):
    page = page_of(fleet, naming(fleet, 0, 1, 2, 3))

    assert page.verdicts.summary == "No pairs of 6 differ (paired t, 5 %, Holm over 6 pairs)."
    assert page.verdicts.about == "Intervals are not adjusted for the number of pairs."
    assert (len(page.verdicts.first), len(page.verdicts.further)) == (5, 1)
    reference = page.chosen.reference.code
    assert [reference in verdict.codes for verdict in page.verdicts.pairs] == [True] * 3 + [False] * 3
    assert set(page.pair_verdict.codes) == set(page.pair.codes)


@pytest.mark.parametrize(("test", "named"), [("bootstrap", "bootstrap"), ("randomisation", "paired randomisation")])
def test_another_test_can_be_chosen_and_says_the_same_each_time(fleet, test, named):
    one, again = (page_of(fleet, naming(fleet, 0, 2, more=f"&test={test}")).verdicts for _ in range(2))

    assert one == again
    assert f"by paired t, 3 topics, {named}, p = " in one.pairs[0].before


def test_scores_are_those_of_the_board_and_the_best_of_these_runs_is_marked(fleet):
    page = page_of(fleet, naming(fleet, 1, 3))

    by_label = {run.label: run for run in page.chosen.runs}
    assert [by_label[name].cells[0].text for name in ("run-of-Delft", "run-of-Turku")] == ["0.5333", "0.5000"]
    assert [by_label[name].cells[0].is_best for name in ("run-of-Delft", "run-of-Turku")] == [True, False]
    assert len(by_label["run-of-Delft"].cells) == len(page.board.measures)


def test_a_table_has_the_topics_first_on_which_the_runs_are_farthest_apart(fleet):
    page = page_of(fleet, naming(fleet, 0, 4), titles={"1": "lamps"})

    assert [(look.number, look.title) for look in page.table] == [("1", "lamps"), ("2", ""), ("3", "")]
    assert [(run.label, value) for run, value in page.table[0].values] == [("run-of-Lund", 0.5), ("run-of-Riga", 0.0)]


@pytest.mark.parametrize(
    ("query", "problems", "why_not"),
    [
        ("", [], "Tick two to six runs, and compare them topic by topic."),
        ("runs={0}", [], "Tick one to five more runs to compare run-of-Lund with."),
        (
            "runs={0},{0}",
            ["“{0}” was named more than once, and is compared once."],
            "Tick one to five more runs to compare run-of-Lund with.",
        ),
        (
            "runs=zz,{0}",
            ["There is no run “zz” among those you see on this board."],
            "Tick one to five more runs to compare run-of-Lund with.",
        ),
    ],
)
def test_too_few_runs_are_told_in_a_sentence_with_runs_to_tick(fleet, query, problems, why_not):
    page = page_of(fleet, query.format(*fleet.codes))

    assert page.problems == [problem.format(*fleet.codes) for problem in problems]
    assert (page.why_not, page.chosen) == (why_not, None)
    asked = query.count("{0}") > 0
    assert [is_asked for _, is_asked in page.choices] == [asked, *[False] * 4]


def test_more_than_six_runs_are_told_in_a_sentence(fleet):
    more = [fleet.scored(name=f"more-{number}") for number in range(2)]
    fleet.codes += [run.code for run in more]

    page = page_of(fleet, naming(fleet, *range(7)))

    assert page.why_not == "You chose seven runs; at most six fit side by side. Leave some out."
    assert [is_asked for _, is_asked in page.choices] == [True] * 7
    assert page_of(fleet, naming(fleet, *range(6))).chosen is not None


def test_what_is_asked_and_cannot_be_is_told_and_left_out(fleet):
    page = page_of(fleet, naming(fleet, 0, 1, 2, more="&reference=zz&with=yy&topic=99&test=dice"))

    assert page.problems == [
        "There is no test “dice” here; the paired t is shown.",
        "The run to hold the others against, “zz”, is not among those compared.",
        "“yy” is not one of the runs to look at beside the reference.",
        "Topic “99” does not count on this board.",
    ]
    assert page.chosen.reference.label == "run-of-Lund"


def test_runs_of_one_name_are_told_by_their_teams(fleet):
    Run.objects.filter(pk__in=[run.pk for run in fleet.runs[:2]]).update(name="same")

    assert page_of(fleet, naming(fleet, 0, 1)).title == "same (Delft) and same (Lund)"


def test_while_names_are_hidden_runs_are_called_by_their_codes_in_every_sentence(fleet):
    Task.objects.update(names_visible="never")

    page = page_of(fleet, naming(fleet, 0, 2))

    assert page.title == f"{fleet.codes[0]} and {fleet.codes[2]}"
    assert fleet.codes[0] in page.verdicts.pairs[0].before
    assert ("The names of the runs and their teams", "") in page.missing


def test_a_team_compares_its_own_runs_before_others_are_visible(fleet):
    Task.objects.update(other_scores_visible="never", own_scores_visible="at-once")
    second = fleet.scored(name="second")

    page = page_of(fleet, f"runs={fleet.codes[0]},{second.code},{fleet.codes[1]}", team=fleet.alices)

    assert {run.label for run in page.chosen.runs} == {"run-of-Lund", "second"}
    assert page.problems == [f"There is no run “{fleet.codes[1]}” among those you see on this board."]
    assert page.board.is_complete is False
    assert page_of(fleet, naming(fleet, 0, 1)) is None


# What the difference is made of ---------------------------------------------------------------------------------------

ONE = b"1 Q0 a 1 9 one 0 50\n1 Q0 b 2 8 one 0 50\n2 Q0 c 1 7 one 0 200\n3 Q0 d 1 6 one 0 100\n"
OTHER = b"1 Q0 b 1 9 other 0 50\n1 Q0 a 2 8 other 30 90\n2 Q0 a 1 7 other 100 60\n3 Q0 d 1 6 other 0 30\n"


@pytest.fixture
def pair(world):
    world.activate()
    runs = [world.scored(ONE, "one"), world.scored(OTHER, "other", user=world.bob, team=world.bobs)]
    world.codes = [run.code for run in runs]
    Task.objects.update(**OPEN, assessments_visible="at-once")
    return world


def compute(world):
    edition = Edition.objects.live_for(world.task)
    one, other = edition.evaluations.order_by("pk")
    request_difference(edition, by=By(world.organiser), one=one, other=other)
    differ()


def test_the_parts_are_waited_for_and_then_told_of_the_better_run(pair):
    page = page_of(pair, naming(pair, 1, 0))
    assert (page.closer.why_not, page.closer.may_be_asked, page.closer.is_waiting) == (
        "Nobody has asked for this pair yet: all topics are computed on request.",
        True,
        False,
    )
    edition = Edition.objects.live_for(pair.task)
    one, other = edition.evaluations.order_by("pk")
    request_difference(edition, by=By(pair.organiser), one=one, other=other)
    assert page_of(pair, naming(pair, 1, 0)).closer.why_not == "This is being computed."

    differ()

    closer = page_of(pair, naming(pair, 1, 0)).closer
    assert closer.parts.labels == ("documents found", "order", "text within documents")
    mean = sum(line.value for line in closer.parts.lines)
    values = [one.scores.get(measure="iMAP").mean, other.scores.get(measure="iMAP").mean]
    assert mean == pytest.approx(round(values[0] - values[1], 4))
    assert mean > 0
    assert closer.parts.sentence.startswith(f"Of the {mean:.4f} by which one leads, ")
    for topic in closer.parts.topics:
        assert sum(value for _, value in topic.parts) == pytest.approx(topic.difference)
    sizes = [abs(topic.difference) for topic in closer.parts.topics]
    assert sizes == sorted(sizes, reverse=True)
    assert [(line.topic, line.document, line.one, line.other) for line in closer.texts.lines] == [
        ("2", "c", "100", "–"),
        ("1", "a", "30", "–"),
        ("2", "a", "–", "20"),
        ("3", "d", "20", "–"),
    ]
    assert closer.notice == ""


def test_a_text_leads_to_the_run_that_found_more_of_it(pair):
    compute(pair)

    addresses = [line.address for line in page_of(pair, naming(pair, 0, 1)).closer.texts.lines]

    assert f"/runs/{pair.codes[0]}/topics/2/" in addresses[0]
    assert f"/runs/{pair.codes[1]}/topics/2/" in addresses[2]


def test_one_topic_is_computed_by_the_page_itself_and_says_the_same(pair):
    compute(pair)
    whole = page_of(pair, naming(pair, 0, 1)).closer
    Difference.objects.all().delete()

    look = page_of(pair, naming(pair, 0, 1, more="&topic=2")).topic

    [line] = [topic for topic in whole.parts.topics if topic.number == "2"]
    assert (look.closer.parts.topics[0].parts, look.number) == (line.parts, "2")
    assert [(text.topic, text.document) for text in look.closer.texts.lines] == [("2", "c"), ("2", "a")]
    assert [round(value, 4) for _, value in look.values] == [round(value, 4) for _, value in line.scores]
    assert {text.interval for text in look.closer.parts.lines} == {""}


def test_parts_by_another_engine_than_the_board_are_said_to_be(pair):
    compute(pair)
    edition = Edition.objects.live_for(pair.task)
    score = edition.evaluations.first().scores.get(measure="iMAP")
    score.topic_values = np.array(score.topic_values) + 0.01
    score.save()

    assert page_of(pair, naming(pair, 0, 1)).closer.notice == (
        "The board was scored by another engine; these parts are by engine 1.1 and add up to its scores."
    )


@pytest.mark.parametrize(
    ("switches", "missing"),
    [
        ({"runs_visible": "at-publication"}, "once the results are published"),
        ({"runs_visible": "never"}, ""),
        ({"assessments_visible": "at-publication"}, "once the results are published"),
        ({"assessments_visible": "at-deadline"}, "from the deadline on"),
    ],
)
def test_what_runs_returned_and_assessments_tell_is_left_out_and_named(pair, switches, missing):
    compute(pair)
    Task.objects.update(**switches)

    page = page_of(pair, naming(pair, 0, 1, more="&topic=2"))

    assert page.missing == [("What the difference is made of, and where the runs find different text", missing)]
    assert page.closer is None
    assert page.topic.closer is None
    assert len(page.topic.values) == 2


def test_who_has_the_key_but_not_the_runs_of_others_is_told_nothing_of_them(pair):
    compute(pair)
    Task.objects.update(runs_visible="never")
    task = Task.objects.select_related("track__campaign").get()

    page = compare_page(
        Edition.objects.live_for(task), board_view(pair.assessor, task), asked_runs(QueryDict(naming(pair, 0, 1))), {}
    )

    assert page.closer is None


def test_a_page_asks_as_much_of_six_runs_as_of_two(fleet):
    fleet.codes.append(fleet.scored(name="sixth").code)

    def queries(*places):
        with CaptureQueriesContext(
            connection,
        ) as caught:
            page_of(fleet, naming(fleet, *places))
        return len(caught)

    assert queries(0, 1) == queries(*range(6))
