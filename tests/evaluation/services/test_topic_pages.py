"""How runs fared on a topic: numbers over teams, places among the topics, and what each may know of it."""

import pytest
from django.contrib.auth.models import AnonymousUser

from assessments.models import AssessmentSet
from campaign.models import Task, TaskKind, Topic
from evaluation.services.topic_pages import topic_page
from tests.assessment_files import QRELS
from tests.evaluation.fared import give_values, mark_official, with_fleet

VISITOR = AnonymousUser()
OPEN = {"assessments_visible": "at-once", "other_scores_visible": "at-once", "runs_visible": "at-once"}


def page_of(world, number="1", user=VISITOR, **asked):
    return topic_page(user, world.track, world.track.topics.get(number=number), **asked)


def section_of(world, number="1", user=VISITOR, **asked):
    [section] = page_of(world, number, user, **asked).sections
    return section


def switch(**values):
    Task.objects.update(**values)


def test_a_topic_has_the_median_and_the_quartiles_of_the_teams(world):
    with_fleet(world)

    first, last = section_of(world, "1"), section_of(world, "3")

    assert first.fared == (
        "Median 0.3000",
        "over 5 teams: the lowest of 3 topics, which two topics share. "
        "The middle half of the teams lies between 0.2000 and 0.4000, 0.2000 apart.",
    )
    assert last.fared[1].startswith("over 5 teams: the highest of 3 topics. ")
    assert last.numbers.spread == 0


def test_a_team_counts_once_by_its_official_run_or_the_median_of_its_runs(world):
    with_fleet(world)
    second = world.scored(name="another")
    give_values(second, 0.1, 0.1, 0.1)

    assert section_of(world).numbers.median == pytest.approx(0.3)  # 0.3 of 0.5 and 0.1, beside 0.4, 0.3, 0.2 and 0

    mark_official(second)
    assert section_of(world).numbers.median == pytest.approx(0.2)


def test_official_marks_tell_nothing_before_names_do(world):
    with_fleet(world)
    second = world.scored(name="another")
    give_values(second, 0.1, 0.1, 0.1)
    mark_official(second)
    switch(names_visible="never")

    section = section_of(world)

    assert section.numbers.median == pytest.approx(0.3)
    assert not any(line.is_official for line in section.lines)


def test_runs_stand_from_the_highest_value_to_the_lowest(world):
    runs = with_fleet(world)
    switch(runs_visible="at-once")

    section = section_of(world, "2")

    names = ["Riga", "Turku", "Delft", "Oslo", "Lund"]
    assert [(line.place, line.name, line.team) for line in section.lines] == [
        (place, f"run-of-{name}", name) for place, name in enumerate(names, 1)
    ]
    assert [line.value for line in section.lines] == [0.6, 0.4, 0.3, 0.2, 0.1]
    assert section.lines[0].mean == pytest.approx(0.5)
    assert [line.name for line in section.best] == ["run-of-Riga"]
    assert section.lists_results and all(line.shows_list for line in section.lines)
    assert {line.code for line in section.lines} == {run.code for run in runs}


def test_equal_runs_share_a_place_and_stand_in_the_order_of_their_codes(world):
    with_fleet(world)

    lines = section_of(world, "3").lines

    assert [line.place for line in lines] == [1] * 5
    assert [line.code for line in lines] == sorted(line.code for line in lines)


def test_too_few_teams_have_no_median(world):
    with_fleet(world, teams=3)
    switch(assessments_visible="at-once")

    section = section_of(world)

    assert section.fared == (
        "Too few teams:",
        "a median over teams needs at least four teams, and here are three teams.",
    )
    assert section.numbers.median is None
    assert section.strip.count("<title>") == 3
    assert 'class="median"' not in section.strip


def test_the_strip_marks_the_best_the_median_and_ones_own(world):
    with_fleet(world)

    seen = section_of(world, "2").strip
    own = section_of(world, "2", world.alice).strip

    assert (seen.count('class="run"'), seen.count('class="ring"'), seen.count('class="own"')) == (5, 1, 0)
    assert (own.count('class="run"'), own.count('class="ring"'), own.count('class="own"')) == (4, 1, 1)
    assert seen.count('class="median"') == seen.count('class="band"') == 1
    assert "<title>run-of-Riga: 0.6000</title>" in seen
    assert 'aria-label="iAP of 5 runs, from 0.1000 to 0.6000; the table below has the numbers."' in seen


def test_before_scores_are_open_a_team_sees_its_own_run_and_nothing_of_others(world):
    with_fleet(world)
    switch(other_scores_visible="at-publication")

    section = section_of(world, user=world.alice)

    assert [(line.place, line.name, line.value) for line in section.lines] == [(None, "run-of-Lund", 0.5)]
    assert (section.fared, section.strip, section.numbers.median) == (None, "", None)
    assert [(one.what, one.when) for one in section.hidden] == [
        ("How all runs and teams fared and what runs returned", "once the results are published")
    ]


def test_visitors_see_nothing_of_a_board_that_is_closed_to_them_not_even_whether_the_topic_counts(world):
    with_fleet(world)
    switch(other_scores_visible="never", names_visible="at-deadline")

    counting = section_of(world, "1")
    Topic.objects.create(track=world.track, number="4", position=4)
    other = section_of(world, "4")

    for section in (counting, other):
        assert (section.lines, section.fared, section.strip, section.counts) == ([], None, "", None)
    assert [(one.what, one.when, one.moment) for one in counting.hidden] == [
        ("How all runs and teams fared", "to nobody", None),
        ("Which runs and teams they are", "from the deadline on", world.task.closes_at),
        ("What runs returned", "once the results are published", None),
    ]


def test_a_topic_without_relevant_text_does_not_count(world):
    with_fleet(world)
    Topic.objects.create(track=world.track, number="4", position=4)

    section = section_of(world, "4")

    assert (section.counts, section.lines, section.strip, section.fared) == (False, [], "", None)


def test_while_names_are_hidden_runs_are_codes_and_teams_pseudonyms(world):
    runs = with_fleet(world)
    switch(names_visible="never")

    seen, own = section_of(world), section_of(world, user=world.alice)

    assert {line.name for line in seen.lines} == {run.code for run in runs}
    assert all(line.team.startswith("Team ") and line.team_slug == "" for line in seen.lines)
    assert "run-of" not in seen.strip
    assert [line.name for line in own.own] == ["run-of-Lund"]


def test_many_runs_are_folded_with_ones_own_at_the_end(world):
    with_fleet(world)
    for number in range(8):
        give_values(world.scored(name=f"more-{number}", user=world.bob, team=world.bobs), 0.9, 0.9, 0.9)

    folded = section_of(world, user=world.alice)
    whole = section_of(world, user=world.alice, whole_task="focused")

    assert len(folded.lines) == len(whole.folded) == 13
    assert [line.name for line in folded.folded[-2:]] == ["run-of-Delft", "run-of-Lund"][::-1]
    assert len(section_of(world).folded) == 10


def test_a_task_that_is_not_there_is_told(world):
    with_fleet(world)

    assert page_of(world, whole_task="nothing").problems == [
        "There is no board of the task whose runs were asked for in full."
    ]
    assert page_of(world, whole_task="focused").problems == []


def test_relevant_documents_come_with_the_share_that_is_highlighted(world):
    with_fleet(world)
    switch(**OPEN)

    page = page_of(world, "2")

    [found] = page.relevant
    assert (found.count, found.highlighted, [task.name for task in found.tasks]) == (2, 120, ["Focused"])
    assert [(one.identifier, one.highlighted, one.share, one.title) for one in found.documents] == [
        ("c", 100, 50.0, "C"),
        ("a", 20, 10.0, "A"),
    ]
    assert found.documents[0].address == "/collections/letters/c/"
    assert page.hidden == []


def test_documents_that_may_not_be_read_have_no_titles(world):
    with_fleet(world)
    switch(**OPEN)
    world.campaign.gates_collection = True
    world.campaign.save()

    [found] = page_of(world, "2").relevant

    assert [(one.identifier, one.title, one.address) for one in found.documents] == [("c", "", ""), ("a", "", "")]


def test_grades_have_no_highlighted_characters(world):
    world.new_task(TaskKind.DOCUMENT, closes_at=world.task.closes_at)
    world.activate(QRELS)
    switch(**OPEN)

    [found] = page_of(world).relevant

    assert (found.count, found.highlighted) == (1, None)
    assert [(one.identifier, one.grade) for one in found.documents] == [("a", 2)]


def test_many_documents_are_folded(world):
    lines = b"".join(b"1 Q0 more-%d 10 200 0 0:10\n" % number for number in range(15))
    world.collection.documents.bulk_create(
        type(world.collection.documents.first())(collection=world.collection, identifier=f"more-{n}", length=200)
        for n in range(15)
    )
    world.activate(lines)
    switch(**OPEN)

    [folded], [whole] = page_of(world).relevant, page_of(world, all_documents=True).relevant

    assert (folded.count, len(folded.documents), len(whole.documents)) == (15, 10, 15)


def test_what_is_relevant_is_hidden_with_the_assessments_and_it_is_told_until_when(world):
    with_fleet(world)
    world.new_task(TaskKind.THOROUGH, closes_at=world.task.closes_at, assessments_visible="at-deadline")

    page = page_of(world)

    assert page.relevant == []
    assert [(one.what, one.when, one.moment) for one in page.hidden] == [
        ("Focused", "once the results are published", None),
        ("Thorough", "from the deadline on", world.task.closes_at),
    ]
    assert section_of(world).numbers.relevant is None
    [known] = page_of(world, user=world.assessor).relevant
    assert known.count == 1


def test_without_a_board_there_is_nothing_to_tell(world):
    page = page_of(world)

    assert (page.sections, page.relevant, page.hidden) == ([], [], [])


def test_what_is_relevant_was_counted_before(world):
    with_fleet(world)
    switch(**OPEN)
    AssessmentSet.objects.update(topic_counts={"1": [7, 4_000]})

    assert (section_of(world).numbers.relevant, section_of(world).numbers.highlighted) == (7, 4_000)
