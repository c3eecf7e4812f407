"""A document with what a run returns of it and what was highlighted, as each may see it."""

import re

import pytest

from campaign.models import Task
from evaluation.models import Edition, Evaluation
from evaluation.services import overlays, ranked_lists
from evaluation.services.overlays import as_rows, layable_runs, overlay_page
from evaluation.services.ranked_lists import ranked_list
from evaluation.services.run_addresses import overlay_address
from limelight.measures.in_context import f_scores
from tests.evaluation.looking import ELEMENTS, SEES_ALL, seeing
from tests.world import World, with_text

RUN = b"""\
1 Q0 b 1 9.5 mine 0 50
1 Q0 a 2 8.0 mine 25 50
1 Q0 a 3 7.0 mine 100 20
1 Q0 d 4 6.0 mine 0 50
"""
THEIRS = b"1 Q0 a 1 9.0 theirs 0 30\n"
LISTED = b"""\
1 Q0 a 1 9.5 mine 25 50
1 Q0 a 2 9.4 mine 100 20
1 Q0 b 3 8.0 mine 0 50
"""
GRADES = b"1 0 a 2\n1 0 b 0\n"
SIZES = b"""<assessments topic="1"><file name="a">
<passage start="/article[1]/p[1]/text()[1].0" end="/article[1]/p[1]/text()[1].5" size="5"/>
<element path="/article[1]" exhaustivity="2" size="20" rsize="5"/>
<element path="/article[1]/p[1]" exhaustivity="2" size="5" rsize="5"/>
</file></assessments>"""


@pytest.fixture
def scored(world):
    with_text(world)
    world.activate()
    return world.scored(RUN, name="mine")


def page_of(run, document="a", view=SEES_ALL, *, second=None, reads_text=True, topic="1"):
    edition = Edition.objects.live_for(run.task)
    lists = [ranked_list(one, topic, view, edition) for one in (run, second) if one is not None]
    collection = edition.collection if edition else run.task.track.collection
    beside = lists[1] if second else None
    return overlay_page(lists[0], document, second=beside, collection=collection, reads_text=reads_text)


def words_of(page):
    return [str(shown.said) for shown in page.shown]


def test_highlights_and_results_lie_on_the_text_and_are_told_in_numbers(scored):
    page = page_of(scored)

    assert words_of(page) == ["50 % of the highlighted text found, 45 characters wasted, entry 25 characters too late."]
    numbers = page.shown[0].numbers
    assert (numbers.precision, numbers.recall, numbers.f) == (25 / 70, 0.5, f_scores(25, 70, 50))
    assert [result.label for result in page.overlay.layers[0].results] == ["#2", "#3"]
    assert re.sub(r"<[^>]*data-mark>.*?</\w+>|<[^>]+>", "", page.laid.html) == page.text.text
    assert (page.previous, page.next) == ("b", "d")


def test_in_documents_that_nobody_judged_nothing_is_waste(scored):
    page = page_of(scored, "d")

    assert words_of(page) == ["Nobody judged this document: the 50 characters returned count as not relevant."]
    assert page.shown[0].numbers is None
    assert 'class="returned"' in page.laid.html and "waste" not in page.laid.html + page.strip
    assert (page.previous, page.next) == ("a", "")


def test_without_the_assessments_only_what_the_run_returns_is_there(scored, monkeypatch):
    def opened(*arguments):
        raise AssertionError("the assessments were opened")

    monkeypatch.setattr(ranked_lists, "compiled_judgements", opened)
    monkeypatch.setattr(overlays, "compiled_judgements", opened)
    pages = [page_of(scored, name, seeing(assessments=False)) for name in "abcd"]

    assert [words_of(page) for page in pages] == [
        ["70 of 200 characters returned in 2 results."],
        ["50 of 200 characters returned in 1 result."],
        ["Nothing of this document is returned."],
        ["50 of 200 characters returned in 1 result."],
    ]
    for page in pages:
        written = page.laid.html + page.strip + page.outline + page.missed + page.shown[0].results
        assert not re.search(r"hit|miss|waste|lit\b|▼|▽|highlighted", written)
        assert (page.overlay.judgement, page.shown[0].numbers) == (None, None)
        assert as_rows(page)[0] == ["topic", "document", "begin", "end", "mine"]


def test_a_team_sees_what_its_run_returned_before_its_score(scored):
    own = seeing(runs=False, all_scores=False, own_scores=False, own_teams=frozenset([scored.team_id]))

    page = page_of(scored, view=own)

    assert (page.ranked.notice, page.overlay.judgement) == (ranked_lists.HIDDEN_SCORE, None)


def test_a_document_that_the_run_leaves_out_shows_what_was_missed(scored):
    page = page_of(scored, "c", topic="2")

    assert words_of(page) == ["Nothing of this document is returned, and 100 highlighted characters in it are missed."]
    assert [(stop.name, stop.count) for stop in page.stops] == [("miss", 1)]


def test_a_document_that_nobody_knows_is_not_there(scored):
    assert page_of(scored, "elsewhere") is None
    assert page_of(scored, "c", reads_text=False) is None
    assert page_of(scored, "c", reads_text=False, topic="2") is not None


def test_without_the_text_there_are_strips_and_numbers(scored):
    page = page_of(scored, reads_text=False)

    assert (page.text, page.laid, page.outline, page.slices, page.title, page.row) == (None, None, "", "", "", None)
    assert 'class="hit"' in page.strip
    assert page.shown[0].numbers.recall == 0.5
    assert "<a" not in page.shown[0].results


def test_without_a_collection_documents_are_as_long_as_the_assessments_say(world):
    world.track.collection = None
    world.track.save()
    world.task.track = world.track
    world.activate()
    run = world.scored(RUN, name="mine")

    page = page_of(run, reads_text=False)

    assert (page.overlay.length, page.shown[0].numbers.recall) == (200, 0.5)
    assert page_of(run, view=seeing(assessments=False), reads_text=False).overlay.length == 0


def test_a_second_run_lies_above_and_what_one_found_alone_is_a_difference(scored, world):
    theirs = world.scored(THEIRS, name="theirs", user=world.bob, team=world.bobs)

    page = page_of(scored, second=theirs)

    assert [shown.layer.name for shown in page.shown] == ["mine", "theirs"]
    assert (
        words_of(page)[1] == "60 % of the highlighted text found, nothing wasted, entry where the assessor would begin."
    )
    assert {stop.name: stop.count for stop in page.stops} == {"hit": 1, "apart": 2}
    assert "below-waste" in page.laid.html and "above-hit" in page.laid.html
    head, *rows = as_rows(page)
    assert head == ["topic", "document", "begin", "end", "highlighted", "mine", "theirs"]
    assert rows[:3] == [
        ["1", "a", 0, 25, "yes", "", "#1"],
        ["1", "a", 25, 30, "yes", "#2", "#1"],
        ["1", "a", 30, 50, "yes", "#2", ""],
    ]


def test_a_second_run_whose_score_is_hidden_is_not_measured(scored, world):
    theirs = world.scored(THEIRS, name="theirs", user=world.bob, team=world.bobs)
    edition = Edition.objects.live_for(scored.task)
    mine = ranked_list(scored, "1", SEES_ALL, edition)
    unmeasured = ranked_list(theirs, "1", seeing(assessments=False), edition)

    page = overlay_page(mine, "a", second=unmeasured, collection=edition.collection, reads_text=True)

    assert page.shown[1].numbers is None
    assert words_of(page)[1] == "30 of 200 characters returned in 1 result."
    assert "above-returned" in page.laid.html and "above-hit" not in page.laid.html


def test_elements_lie_on_the_text_before_they_are_scored(world):
    world.give_text(a=b"<a><p>first words</p><p>second words of it</p></a>")
    world.activate()
    run = world.scored(ELEMENTS, name="elements")
    page = page_of(run)
    Evaluation.objects.update(findings_file="")

    before = page_of(run)

    for one in (page, before):
        (result,) = one.overlay.layers[0].results
        assert (result.offset, result.length, result.path) == (11, 18, "/a[1]/p[2]")
    assert (before.ranked.notice, before.overlay.judgement) == (ranked_lists.NOT_PLACED, None)
    assert words_of(before) == ["18 of 29 characters returned in 1 result."]


def test_whole_documents_show_what_is_highlighted_in_them(db, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "files"
    world = World("document")
    with_text(world)
    world.activate()
    run = world.scored(b"1 Q0 a 1 9.5 docs\n1 Q0 d 2 8.0 docs\n", name="docs")

    page = page_of(run)

    assert words_of(page) == ["The whole document is returned, and 25 % of it is highlighted."]
    assert page.shown[0].numbers.f is None
    assert page.laid.html.count('class="lit"') == 1 and "data-mark" not in page.laid.html


def test_graded_documents_are_told_by_their_grade(db, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "files"
    world = World("document")
    with_text(world)
    world.activate(GRADES)
    run = world.scored(b"1 Q0 a 1 9.5 docs\n1 Q0 d 2 8.0 docs\n", name="docs")

    assert words_of(page_of(run)) == ["The whole document is returned; its grade is 2."]
    assert words_of(page_of(run, "b")) == ["Nothing of this document is returned; its grade is 0."]
    assert words_of(page_of(run, "d")) == [
        "The whole document is returned. Nobody judged this document: it counts as not relevant."
    ]
    assert 'class="lit"' not in page_of(run).laid.html


def test_assessments_that_count_sizes_are_not_laid_over_characters(world):
    world.track.collection = None
    world.track.save()
    world.activate(SIZES)
    run = world.scored(b"1 Q0 a 1 9 mine /article[1]/p[1]\n1 Q0 a 2 8 mine /article[1]/p[2]\n", name="mine")
    with_text(world)

    page = page_of(run)

    assert (page.measures_characters, page.text, page.laid) == (False, None, None)
    assert 'class="hit"' in page.strip
    assert page.shown[0].numbers.recall == 1.0


def test_entry_points_have_a_distance_and_a_score(db, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "files"
    world = World("best-in-context")
    with_text(world)
    world.activate()
    run = world.scored(b"1 Q0 a 1 9.5 mine 20 0\n", name="mine")

    page = page_of(run)

    assert words_of(page) == ["Entry 20 characters too late."]
    assert page.overlay.layers[0].score == 0.5  # A L / (A L + 20) with A = 0.1 and L = 200
    assert "▼" in page.laid.html and "▽" in page.laid.html


def test_all_passages_of_a_document_lie_in_one_line_of_a_list_of_documents(db, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "files"
    world = World("relevant-in-context")
    with_text(world)
    world.activate()
    run = world.scored(LISTED, name="mine")

    page = page_of(run)

    (line, _) = page.ranked.lines
    numbers = page.shown[0].numbers
    assert [result.label for result in page.overlay.layers[0].results] == ["#1.1", "#1.2"]
    assert (numbers.returned, numbers.found) == (line.size, line.highlighted)
    assert numbers.f == line.document_score == page.overlay.layers[0].score


def test_runs_that_may_be_looked_into_can_be_laid_beside(scored, world):
    theirs = world.scored(THEIRS, name="theirs", user=world.bob, team=world.bobs)
    edition = Edition.objects.live_for(scored.task)

    assert layable_runs(scored, SEES_ALL, edition) == [("Delft", "theirs", theirs.code)]
    assert layable_runs(scored, seeing(runs=False), edition) == []
    ((alias, name, code),) = layable_runs(scored, seeing(names=False), edition)
    assert (name, code) == (theirs.code, theirs.code) and alias.startswith("Team ")
    assert layable_runs(scored, SEES_ALL, None) == []


def test_a_name_that_cannot_stand_in_an_address_has_none(scored):
    assert overlay_address(scored.task, scored.code, "1", "a/documents/b") == ""
    assert overlay_address(scored.task, scored.code, "1", "a b?").endswith("/topics/1/documents/a%20b%3F/")


@pytest.mark.parametrize("kind", ["focused", "thorough", "relevant-in-context"])
def test_numbers_are_those_of_the_account(db, settings, tmp_path, kind):
    settings.MEDIA_ROOT = tmp_path / "files"
    world = World(kind)
    with_text(world)
    Task.objects.update(result_limit=1500)
    world.activate()
    run = world.scored(LISTED, name="mine")

    for document in "ab":
        page = page_of(run, document)
        lines = [line for line in page.ranked.lines if line.document == document]
        numbers = page.shown[0].numbers
        assert numbers.returned == sum(line.new for line in lines)
        assert numbers.found == sum(line.highlighted for line in lines)
