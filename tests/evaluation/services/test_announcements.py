"""What teams are told when runs are scored, scored anew, or could not be scored: once, and no hidden score."""

from datetime import UTC, datetime

import pytest

from campaign.models import Membership, Notification
from campaign.services.runs.checks import check_run
from campaign.services.runs.submissions import withdraw_run
from evaluation.models import Edition, Evaluation, Score
from evaluation.services import announcements, scoring
from evaluation.services.decisions import activate
from evaluation.services.editions import finish_building
from evaluation.services.sweep import sweep
from limelight.scoring.evaluators import EVALUATORS
from tests.world import ASSESSMENTS, GOOD_RUN, World, score_run, told, use_up_attempts

pytestmark = pytest.mark.slow

Kind = Notification.Kind
TOPIC_3_ELSEWHERE = ASSESSMENTS.replace(b"3 Q0 d 40 200 10 10:40", b"3 Q0 a 40 200 10 10:40")
ONLY_TOPIC_3 = b"3 Q0 d 1 6.0 narrow 10 40\n"


def rebuild(world, content):
    """Activate other assessments and score every run with them."""
    activate(world.import_assessments(content))
    for key in Evaluation.objects.filter(edition__state=Edition.State.BUILDING).values_list("pk", flat=True):
        scoring.evaluate(key)


def show(world, own, others="never"):
    world.task.own_scores_visible, world.task.other_scores_visible = own, others
    world.task.save()


def test_a_scored_run(world):
    world.activate()
    run = world.scored()
    score_run(run.pk)
    scoring.evaluate(Evaluation.objects.get().pk)

    assert told(world.alice) == ["Your run good is scored: iMAP 0.6053 (Focused)."]
    assert Notification.objects.get().address == f"/runs/{run.pk}/"
    assert Notification.objects.get().kind == Kind.SCORED


@pytest.mark.parametrize("kind", EVALUATORS)
def test_every_kind_of_task_names_its_official_measure(db, settings, tmp_path, kind):
    settings.MEDIA_ROOT = tmp_path
    world = World(kind)
    world.activate()
    world.scored(b"1 Q0 a 1 9.5 r 0 50\n2 Q0 c 1 7.0 r 0 100\n3 Q0 d 1 6.0 r 10 40\n")

    evaluator = EVALUATORS[kind]
    mean = Score.objects.get(measure=evaluator.official).mean
    assert mean > 0
    assert told(world.alice) == [f"Your run good is scored: {evaluator.official} {mean:.4f} ({evaluator.label})."]


@pytest.mark.parametrize(
    ("switch", "sentence"),
    [
        ("at-deadline", "Scores are shown after the deadline, 3 March 2031, 23:59 AoE (4 March 2031, 11:59 UTC)."),
        ("at-publication", "Scores are shown when the results are published."),
        ("never", "This task shows no scores."),
    ],
)
def test_a_hidden_score_is_not_told(world, switch, sentence):
    world.task.closes_at = datetime(2031, 3, 4, 11, 59, tzinfo=UTC)
    show(world, switch)
    world.activate()
    world.scored()
    rebuild(world, TOPIC_3_ELSEWHERE)

    assert told(world.alice) == [
        f"Your run good is scored (Focused). {sentence}",
        f"Focused was scored anew with assessments v2. {sentence}",
    ]


def test_the_first_board_tells_every_team_about_its_runs(world):
    world.scored()
    world.scored(ONLY_TOPIC_3, "narrow", user=world.bob, team=world.bobs)
    assert not Notification.objects.exists()

    world.activate()
    first, second = Evaluation.objects.all()
    scoring.evaluate(first.pk)
    assert not Notification.objects.exists()  # nothing is on a board yet
    scoring.evaluate(second.pk)
    finish_building(world.track)

    assert told(world.alice) == ["Your run good is scored: iMAP 0.6053 (Focused)."]
    assert told(world.bob) == ["Your run narrow is scored: iMAP 0.3333 (Focused)."]


def test_a_run_that_arrives_while_an_edition_is_built_is_told_once(world):
    world.activate()
    first = world.scored(name="first", user=world.bob, team=world.bobs)
    activate(world.import_assessments(TOPIC_3_ELSEWHERE))
    late = world.scored(name="late")

    assert Evaluation.objects.filter(run=late, state="done").count() == 2
    assert told(world.alice) == ["Your run late is scored: iMAP 0.6053 (Focused)."]
    scoring.evaluate(Evaluation.objects.get(run=first, edition__number=2).pk)
    assert told(world.alice, Kind.SCORED) == ["Your run late is scored: iMAP 0.6053 (Focused)."]
    assert told(world.alice, Kind.REEVALUATED) == [
        "Focused was scored anew with assessments v2. late: rank 1, as before."
    ]


def test_runs_scored_anew_come_with_their_ranks_where_all_scores_are_visible(world):
    world.activate()
    world.scored(b"3 Q0 a 1 6.0 early 10 40\n", "early", user=world.bob, team=world.bobs)
    world.scored(ONLY_TOPIC_3, "narrow")
    world.scored()
    rebuild(world, TOPIC_3_ELSEWHERE)
    sweep()

    assert told(world.alice, Kind.REEVALUATED) == [
        "Focused was scored anew with assessments v2. good: rank 1, as before; narrow: rank 2 → 3."
    ]
    assert told(world.bob, Kind.REEVALUATED) == ["Focused was scored anew with assessments v2. early: rank 3 → 2."]
    assert Notification.objects.filter(kind=Kind.REEVALUATED).count() == 2
    assert Notification.objects.filter(kind=Kind.REEVALUATED)[0].address == "/campaigns/small/ad-hoc/focused/"


def test_ranks_stay_hidden_where_only_own_scores_are_visible(world):
    show(world, "at-once", "at-publication")
    world.activate()
    world.scored(ONLY_TOPIC_3, "narrow")
    world.scored()
    world.scored(name="rival", user=world.bob, team=world.bobs)
    rebuild(world, TOPIC_3_ELSEWHERE)

    assert told(world.alice, Kind.REEVALUATED) == [
        "Focused was scored anew with assessments v2. good: iMAP 0.6053 → 0.4719; narrow: iMAP 0.3333 → 0.0000."
    ]


def test_a_member_of_two_teams_is_told_once_about_the_runs_of_both(world):
    Membership.objects.create(team=world.bobs, user=world.alice)
    world.activate()
    world.scored()
    world.scored(ONLY_TOPIC_3, "narrow", user=world.bob, team=world.bobs)
    rebuild(world, ASSESSMENTS)

    assert told(world.alice, Kind.REEVALUATED) == [
        "Focused was scored anew with assessments v2. good: rank 1, as before; narrow: rank 2, as before."
    ]


def test_a_long_list_of_runs_is_cut(world, monkeypatch):
    monkeypatch.setattr(announcements, "MOST_RUNS_NAMED", 1)
    world.activate()
    for number in range(3):
        world.scored(GOOD_RUN + b"# %d\n" % number, f"run-{number}")
    rebuild(world, ASSESSMENTS)

    assert told(world.alice, Kind.REEVALUATED) == [
        "Focused was scored anew with assessments v2. run-0: rank 1, as before; and 2 more."
    ]


def test_withdrawn_runs_are_not_mentioned(world):
    world.activate()
    withdraw_run(world.scored(name="withdrawn"))
    rebuild(world, ASSESSMENTS)

    assert told(world.alice, Kind.REEVALUATED) == []


def fail(run, monkeypatch, attempts=3):
    def broken(evaluation):
        raise MemoryError("no paper left")

    with monkeypatch.context() as patched:
        patched.setattr(scoring, "compute", broken)
        for _ in range(attempts):
            score_run(run.pk)
            Evaluation.objects.update(held_until=None)


def test_scoring_that_fails_on_our_side(world, monkeypatch):
    world.activate()
    run = world.submit()
    check_run(run.pk)

    fail(run, monkeypatch, attempts=2)
    assert not Notification.objects.exists()  # it may still succeed
    fail(run, monkeypatch, attempts=2)

    reference = Evaluation.objects.get().failure_reference
    assert told(world.alice) == [
        f"Scoring your run good failed on our side (Focused, ref. {reference}). "
        "Nothing is lost, your quota is untouched, and the organisers have been told."
    ]
    assert told(world.organiser) == [
        f"Scoring run good of Lund failed on our side (Focused, ref. {reference}). "
        "The team has lost nothing. The traceback is on your desk, where you can start it again."
    ]
    assert told(world.bob) == []


def test_scoring_that_the_sweep_ends(world):
    world.activate()
    run = world.submit()
    check_run(run.pk)
    use_up_attempts(Evaluation.objects.all())

    sweep()
    sweep()

    run.refresh_from_db()
    assert run.quota_waived
    assert len(told(world.alice, Kind.FAILED)) == len(told(world.organiser, Kind.FAILED)) == 1


def test_a_run_that_failed_and_is_scored_after_all_is_told(world, monkeypatch):
    world.activate()
    run = world.submit()
    check_run(run.pk)
    fail(run, monkeypatch)

    Evaluation.objects.failed().requeue()
    score_run(run.pk)

    assert told(world.alice, Kind.SCORED) == ["Your run good is scored: iMAP 0.6053 (Focused)."]


def test_a_failure_in_a_new_edition_is_the_organisers_business_while_the_run_is_on_the_live_board(world, monkeypatch):
    world.activate()
    run = world.scored()
    activate(world.import_assessments(TOPIC_3_ELSEWHERE))
    fail(run, monkeypatch)

    assert told(world.alice, Kind.FAILED) == []
    assert len(told(world.organiser, Kind.FAILED)) == 1


def test_a_run_that_a_new_board_lacks_is_mentioned_with_its_reference(world, monkeypatch):
    world.activate()
    run = world.scored()
    activate(world.import_assessments(TOPIC_3_ELSEWHERE))
    fail(run, monkeypatch)
    assert finish_building(world.track, despite_failures=True)

    reference = Evaluation.objects.get(edition__number=2).failure_reference
    assert told(world.alice, Kind.REEVALUATED) == [
        f"Focused was scored anew with assessments v2. good: scoring failed on our side (ref. {reference})."
    ]


def test_an_organiser_with_a_team_is_told_of_a_failure_once(world, monkeypatch):
    world.campaign.organisers.add(world.alice)
    world.activate()
    run = world.submit()
    check_run(run.pk)
    fail(run, monkeypatch)

    [text] = told(world.alice)
    assert text.startswith("Scoring run good of Lund failed on our side")


def test_a_first_board_of_many_runs_tells_each_person_once(world):
    for number in range(25):
        check_run(world.submit(name=f"run-{number:02}").pk)
    world.activate()
    for key in Evaluation.objects.values_list("pk", flat=True):
        scoring.evaluate(key)

    [text] = told(world.alice, Kind.SCORED)
    assert text.startswith("25 runs of yours are scored (Focused). run-00: iMAP 0.6053; run-01: iMAP 0.6053; ")
    assert text.endswith("run-19: iMAP 0.6053; and 5 more.")


def test_a_first_board_with_hidden_scores_tells_none(world):
    show(world, "never")
    for number in range(2):
        check_run(world.submit(name=f"run-{number}").pk)
    world.activate()
    for key in Evaluation.objects.values_list("pk", flat=True):
        scoring.evaluate(key)

    assert told(world.alice, Kind.SCORED) == ["2 runs of yours are scored (Focused). This task shows no scores."]
