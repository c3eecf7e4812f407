"""A run that scores 0 on every measure says why, to nobody more than they may see of the assessments."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from campaign.models import Document, Run, Task
from campaign.services.people.tokens import create_token
from evaluation.__main__ import main
from evaluation.models import Evaluation
from limelight.scoring import zeros
from limelight.scoring.evaluators import EVALUATORS, compiled, evaluate
from tests.limelight.builders import Judged, judgement_columns, qrels_columns, run_columns
from tests.world import ASSESSMENTS, World

JUDGED = {
    "1": {"a": Judged(200, 10, ((0, 50),)), "b": Judged(200)},
    "2": {"c": Judged(200, 0, ((0, 100),))},
    "3": {"d": Judged(200)},
}
MARKED = {"1": {"a": Judged(2000, 10, ((0, 50),)), "e": Judged(2000, spans=((0, 50),))}}
TEXT_KINDS = ("focused", "thorough", "relevant-in-context")


def reason(kind, run, judged=JUDGED, **options):
    result = evaluate(kind, judgement_columns(judged), run_columns(run), **options)
    assert not any(result.means.values())
    return result.zero_reason


@pytest.mark.parametrize("kind", EVALUATORS)
def test_a_run_that_finds_something_has_no_reason(kind):
    result = evaluate(kind, judgement_columns(JUDGED), run_columns({"1": [("a", 10, 20)]}))

    assert result.zero_reason == ""


@pytest.mark.parametrize("kind", EVALUATORS)
def test_no_topic_that_counts_is_answered(kind):
    assert reason(kind, {"3": [("a", 0, 50)], "99": [("a", 0, 50)]}) == zeros.NO_TOPIC


@pytest.mark.parametrize("kind", EVALUATORS)
def test_no_document_was_judged_or_none_is_relevant(kind):
    assert reason(kind, {"1": [("x", 0, 50)], "2": [("a", 0, 50)]}) == zeros.NOT_JUDGED
    assert reason(kind, {"1": [("x", 0, 50), ("b", 0, 50)]}) == zeros.NOT_RELEVANT


@pytest.mark.parametrize("kind", TEXT_KINDS)
def test_no_result_returns_text_or_all_lie_beside(kind):
    assert reason(kind, {"1": [("a", None, 0), ("b", 5, 0)]}) == zeros.NO_PLACE
    assert reason(kind, {"1": [("a", 60, 40)]}) == zeros.BESIDE


def test_entry_points_without_a_place_far_away_or_without_a_mark():
    kind = "best-in-context"

    assert reason(kind, {"1": [("a", None, 0)]}, MARKED) == zeros.NO_PLACE
    assert reason(kind, {"1": [("e", 0, 0)]}, MARKED) == zeros.NO_ENTRY_POINT
    assert reason(kind, {"1": [("a", 1500, 0)]}, MARKED, profile="inex-2009") == zeros.FAR


def test_graded_documents():
    result = evaluate("document", qrels_columns({"1": {"a": 1, "b": 0}}), run_columns({"1": [("b", 0, 0)]}))

    assert result.zero_reason == zeros.NOT_RELEVANT


def test_the_measures_of_the_board_decide():
    """A document's average precision is above 0 where a passage misses the text; the board shows nothing but zeros."""
    result = evaluate(
        "relevant-in-context", judgement_columns(JUDGED), run_columns({"1": [("a", 60, 40)]}), measures="all"
    )

    assert result.means["MAP"] > 0
    assert result.zero_reason == zeros.BESIDE


@pytest.mark.parametrize("kind", EVALUATORS)
def test_what_may_not_be_seen_is_the_same_sentence_for_every_reason(kind):
    hidden = {zeros.zero_sentence(code, kind, may_see_assessments=False) for code in zeros.OF_THE_ASSESSMENTS}
    shown = {zeros.zero_sentence(code, kind, may_see_assessments=True) for code in zeros.OF_THE_ASSESSMENTS}

    assert len(hidden) == 1
    assert len(shown) == len(zeros.OF_THE_ASSESSMENTS)


NOT_JUDGED_RUN = b"1 Q0 d 1 9 zero 0 20\n2 Q0 b 1 9 zero 0 20\n3 Q0 a 1 9 zero 0 20\n"
NOT_RELEVANT_RUN = b"1 Q0 b 1 9 zero 0 20\n"
BESIDE_RUN = b"1 Q0 a 1 9 zero 100 20\n"
ELEMENTS = b"1 Q0 a 1 9 zero /article[1]\n"


@pytest.fixture
def world(db, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    world = World()
    world.activate()
    return world


def page(client, run, user):
    client.force_login(user)
    return client.get(run.get_absolute_url()).content.decode()


SECRETS = [sentence.replace("’", "&#x27;") for sentence in zeros.OF_THE_ASSESSMENTS.values()]


@pytest.mark.parametrize("content", [NOT_JUDGED_RUN, NOT_RELEVANT_RUN, BESIDE_RUN])
def test_a_team_reads_no_more_than_its_score_says_while_assessments_are_hidden(world, client, content):
    run = world.scored(content, name="zero")

    told = page(client, run, world.alice)

    assert "This run scores 0 on every measure. None of the text that it returns is judged relevant." in told
    assert not any(secret in told for secret in SECRETS)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (NOT_JUDGED_RUN, zeros.OF_THE_ASSESSMENTS[zeros.NOT_JUDGED]),
        (NOT_RELEVANT_RUN, zeros.OF_THE_ASSESSMENTS[zeros.NOT_RELEVANT]),
        (BESIDE_RUN, zeros.OF_THE_ASSESSMENTS[zeros.BESIDE]),
    ],
)
def test_those_who_may_see_the_assessments_read_why(world, client, content, sentence):
    run = world.scored(content, name="zero")

    assert f"This run scores 0 on every measure. {sentence}" in page(client, run, world.organiser)
    Task.objects.update(published_at=timezone.now() - timedelta(minutes=1), assessments_while_open=True)
    assert f"This run scores 0 on every measure. {sentence}" in page(client, run, world.alice)


def test_a_run_without_places_says_so_to_its_team(world, client):
    run = world.scored(ELEMENTS, name="zero")

    assert zeros.OF_THE_RUN[zeros.NO_PLACE] in page(client, run, world.alice)


def test_a_team_that_may_not_see_its_scores_does_not_read_that_they_are_0(world, client):
    Task.objects.update(own_scores_visible="never")
    run = world.scored(BESIDE_RUN, name="zero")

    assert "scores 0" not in page(client, run, world.alice)


def test_a_run_that_finds_something_says_nothing(world, client):
    run = world.scored(b"1 Q0 a 1 9 some 0 20\n", name="some")

    assert "scores 0 on every measure" not in page(client, run, world.alice)


def test_an_evaluation_of_before_says_only_that_it_is_0(world, client):
    run = world.scored(BESIDE_RUN, name="zero")
    Evaluation.objects.update(zero_reason="")

    assert "This run scores 0 on every measure.</p>" in page(client, run, world.alice)


def test_the_api_says_the_same(world, client):
    run = world.scored(NOT_JUDGED_RUN, name="zero")
    some = world.scored(b"1 Q0 a 1 9 some 0 20\n", name="some")

    def note(user, of):
        headers = {"Authorization": f"Bearer {create_token(user, 'a program')[1]}"}
        return client.get(reverse("api-v1:show_scores", args=[of.pk]), headers=headers).json()["note"]

    assert note(world.alice, run) == "This run scores 0 on every measure. " + zeros.OF_TEXT
    assert note(world.organiser, run).endswith(zeros.OF_THE_ASSESSMENTS[zeros.NOT_JUDGED])
    assert note(world.alice, some) == ""


def test_a_document_run_over_unknown_documents_says_so_without_a_collection(db, settings, tmp_path, client):
    settings.MEDIA_ROOT = tmp_path
    world = World("document")
    Document.objects.all().delete()
    world.activate()
    run = world.scored(b"1 Q0 wiki-17 1 9 other\n2 Q0 wiki-18 1 8 other\n", name="other")

    assert Run.objects.get().state == Run.State.VALID
    assert zeros.IN_GENERAL["document"] in page(client, run, world.alice)


def test_the_command_line_says_why(tmp_path, capsys):
    (tmp_path / "assessments.qrels").write_bytes(ASSESSMENTS)
    (tmp_path / "zero").write_bytes(NOT_JUDGED_RUN)
    (tmp_path / "some").write_bytes(b"1 Q0 a 1 9 some 0 20\n2 Q0 c 1 9 some 0 20\n3 Q0 d 1 9 some 0 20\n")

    assert (
        main(["score", "--task", "focused", *(str(tmp_path / name) for name in ("assessments.qrels", "zero", "some"))])
        == 0
    )

    sentence = zeros.OF_THE_ASSESSMENTS[zeros.NOT_JUDGED]
    assert capsys.readouterr().err == f"{tmp_path / 'zero'}: warning: scores 0. {sentence}\n"


def test_scores_of_compiled_assessments_have_it_too():
    highlights = compiled(judgement_columns(JUDGED))

    assert evaluate("focused", highlights, run_columns({"1": [("x", 0, 5)]})).zero_reason == zeros.NOT_JUDGED
