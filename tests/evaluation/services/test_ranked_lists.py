"""What a run returns for a topic, as each may see it."""

import pytest

from assessments.models import AssessmentSet
from campaign.models import Task
from campaign.services.permissions.seeing import board_view_of
from evaluation.models import Edition, Evaluation, Score
from evaluation.services import ranked_lists
from evaluation.services.ranked_lists import as_rows, ranked_list, shown_lines, sums_around
from tests.evaluation.looking import ELEMENTS, SEES_ALL, seeing

RUN = b"""\
1 Q0 b 1 9.5 mine 0 50
1 Q0 a 2 8.0 mine 25 50
1 Q0 d 3 7.0 mine 0 50
2 Q0 c 1 7.0 mine 0 200
"""


@pytest.fixture
def scored(world):
    world.activate()
    return world.scored(RUN, name="mine")


def live(run):
    return Edition.objects.live_for(run.task)


def test_the_account_adds_up_to_the_score_of_the_board(scored):
    ranked = ranked_list(scored, "1", SEES_ALL, live(scored))

    stored = Score.objects.get(measure="iMAP").topic_values[0]
    assert ranked.account.score == stored
    assert sum(line.step for line in ranked.lines) == pytest.approx(stored, abs=1e-12)
    assert [(line.document, line.highlighted, line.judged) for line in ranked.lines] == [
        ("b", 0, True),
        ("a", 25, True),
        ("d", 0, False),
    ]
    assert (ranked.name, ranked.team, ranked.notice, ranked.noun) == ("mine", "Lund", "", "result")


def test_without_the_assessments_nothing_depends_on_a_judgement(scored, world, monkeypatch):
    def opened(*arguments):
        raise AssertionError("the assessments were opened")

    monkeypatch.setattr(ranked_lists, "compiled_judgements", opened)
    ranked = ranked_list(scored, "1", seeing(assessments=False), live(scored))

    assert (ranked.account, ranked.notice) == (None, ranked_lists.HIDDEN_ASSESSMENTS)
    assert [(line.document, line.size) for line in ranked.lines] == [("b", 50), ("a", 50), ("d", 50)]
    told = {name for line in ranked.lines for name in line.__slots__ if getattr(line, name) is not None}
    assert told == {"rank", "document", "places", "size", "new"}
    shown = shown_lines(ranked, ranked.lines, world.collection, reads_text=True)
    assert all(line.tape.hits == line.tape.beside == () for line in shown)
    assert as_rows(ranked)[0] == ["run", "topic", "rank", "document", "offset", "length", "path", "size", "new"]


def test_what_a_run_returned_is_hidden_with_the_runs_and_its_team_sees_it_before_its_score(scored):
    assert ranked_list(scored, "1", seeing(runs=False), live(scored)) is None
    assert ranked_list(scored, "1", seeing(all_scores=False), live(scored)) is None

    own = seeing(runs=False, all_scores=False, own_scores=False, own_teams=frozenset([scored.team_id]))
    ranked = ranked_list(scored, "1", own, live(scored))

    assert (ranked.account, ranked.notice, len(ranked.lines)) == (None, ranked_lists.HIDDEN_SCORE, 3)


def test_a_visitor_of_a_new_task_sees_no_list(scored):
    assert ranked_list(scored, "1", board_view_of(None, scored.task), live(scored)) is None


def test_an_anonymous_run_is_called_by_its_code(scored):
    ranked = ranked_list(scored, "1", seeing(names=False), live(scored))

    assert ranked.name == scored.code
    assert ranked.team not in ("", "Lund")


def test_before_a_board_there_are_places_and_sizes(world):
    run = world.checked(RUN, name="mine")

    ranked = ranked_list(run, "1", SEES_ALL, live(run))

    assert (ranked.notice, [line.size for line in ranked.lines]) == (ranked_lists.NOT_SCORED, [50, 50, 50])


def test_a_topic_that_the_run_leaves_out_scores_0(scored):
    ranked = ranked_list(scored, "3", SEES_ALL, live(scored))

    assert (ranked.lines, ranked.account.score) == ((), 0.0)


def test_a_topic_without_relevant_text_counts_for_nothing(world):
    world.activate(b"1 Q0 a 0 200\n2 Q0 c 100 200 0 0:100\n")
    run = world.scored(RUN, name="mine")

    ranked = ranked_list(run, "1", SEES_ALL, live(run))

    assert ranked.account is None
    assert ranked.notice == "Nothing is relevant to topic 1 in these assessments, so it counts for no score."


def test_elements_lie_where_scoring_found_them_and_without_that_the_page_says_so(world):
    world.give_text(a=b"<a><p>first words</p><p>second words of it</p></a>")
    world.activate()
    run = world.scored(ELEMENTS, name="elements")

    ranked = ranked_list(run, "1", SEES_ALL, live(run))
    Evaluation.objects.update(findings_file="")
    before = ranked_list(run, "1", SEES_ALL, live(run))

    (line,) = ranked.lines
    assert (line.places[0].offset, line.size, line.places[0].path) == (11, 18, "/a[1]/p[2]")
    (shown,) = shown_lines(ranked, ranked.lines, world.collection, reads_text=True)
    assert shown.snippet == "second words of it"
    assert (before.account, before.notice) == (None, ranked_lists.NOT_PLACED)


def test_text_is_shown_only_to_those_who_may_read_it(scored, world):
    ranked = ranked_list(scored, "1", SEES_ALL, live(scored))

    shown = shown_lines(ranked, ranked.lines, world.collection, reads_text=False)

    assert {(line.title, line.snippet) for line in shown} == {("", "")}
    assert shown[1].address == f"/campaigns/small/ad-hoc/focused/runs/{scored.code}/topics/1/documents/a/#r2"
    assert shown[1].tape.hits


def test_a_board_of_another_engine_is_told(scored):
    Evaluation.objects.update(engine_version="0.9")
    score = Score.objects.get(measure="iMAP")
    score.topic_values = [0.5, *score.topic_values[1:]]
    score.save()

    ranked = ranked_list(scored, "1", SEES_ALL, live(scored))

    assert ranked.notice.startswith("The board was scored by engine 0.9 and says 0.5000; this account is by engine ")


def test_what_is_not_on_a_page_is_summed_up(scored):
    ranked = ranked_list(scored, "1", SEES_ALL, live(scored))

    sums = sums_around(ranked, 2, 2)

    assert sums == {"before": {"count": 1, "step": 0.0}, "after": {"count": 1, "step": ranked.lines[2].step}}


def test_the_file_has_all_digits(scored):
    ranked = ranked_list(scored, "1", SEES_ALL, live(scored))

    head, *rows = as_rows(ranked)

    assert [row[head.index("step")] for row in rows] == [line.step for line in ranked.lines]
    assert [row[head.index("judged")] for row in rows] == ["yes", "yes", "no"]
    assert {row[head.index("measure")] for row in rows} == {"iAP"}


def test_the_command_names_what_the_board_was_made_with_and_the_files_that_one_may_have(scored):
    ranked = ranked_list(scored, "1", SEES_ALL, live(scored))

    assert ranked.command == (
        "limelight score --task focused --profile inex-2007 --measures iMAP --per-topic small.qrels mine.fol"
    )
    for hidden in ({"names": False}, {"assessments": False}):
        assert ranked_list(scored, "1", seeing(**hidden), live(scored)).command == ""


def test_document_tasks_are_listed_document_by_document(world):
    Task.objects.filter(pk=world.task.pk).update(kind="document")
    world.task.refresh_from_db()
    AssessmentSet.objects.all().delete()
    world.activate()
    run = world.scored(b"1 Q0 a 1 9.5 docs\n1 Q0 d 2 8.0 docs\n", name="docs")

    ranked = ranked_list(run, "1", SEES_ALL, live(run))

    assert [(line.document, line.contained, line.step) for line in ranked.lines] == [("a", 50, 1.0), ("d", 0, 0.0)]
    assert ranked.noun == "document"
