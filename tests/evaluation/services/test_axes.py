"""Runs and assessments that count text differently: refused where they meet, and never as a failure of ours."""

import pytest

from campaign.models import Run
from campaign.services.refusals import Refused
from campaign.services.runs import checks
from campaign.services.runs.checks import check_run, dry_run
from evaluation.models import Edition, Evaluation, Score
from evaluation.services.decisions import activate, rebuild
from evaluation.services.scoring import evaluate
from limelight.formats.assessments.columns import CHARACTERS
from tests.world import score_run

XML = b"""<assessments topic="1"><file name="a">
<passage start="/article[1]/p[1]/text()[1].0" end="/article[1]/p[1]/text()[1].5" size="5"/>
<element path="/article[1]" exhaustivity="2" size="20" rsize="5"/>
<element path="/article[1]/p[1]" exhaustivity="2" size="5" rsize="5"/>
</file></assessments>"""
ELEMENTS = b"1 Q0 a 1 9 r /article[1]/p[1]\n1 Q0 a 2 8 r /article[1]/p[2]\n"
OFFSETS = b"1 Q0 a 1 9 r 0 5\n"
RANGE = b"1 Q0 a 1 9 r /article[1]/p[1] /article[1]/p[1]\n"
APART = (
    "The run returns offsets, which count every character, but the assessments only tell sizes with white space "
    "merged. Return elements, or passages from element to element, by paths."
)


@pytest.fixture
def sized(world):
    """A world without text: its XML assessments are measured in sizes."""
    world.track.collection = None
    world.track.save()
    return world


def valid(world, content, name="run", **submission):
    run = world.submit(content, name=name, **submission)
    check_run(run.pk)
    run.refresh_from_db()
    assert run.state == Run.State.VALID
    return run


def test_assessments_on_sizes_are_not_activated_over_runs_of_offsets(sized):
    valid(sized, OFFSETS, "alpha")
    assessments = sized.import_assessments(XML)

    with pytest.raises(Refused) as refused:
        activate(assessments)

    assert str(refused.value) == (
        "1 run of Focused returns offsets, which count every character, but assessments v1 only tell sizes with white "
        "space merged (alpha). Import the collection’s text and then the assessments again, or reject them."
    )
    assert not Edition.objects.exists()
    assert not Evaluation.objects.exists()


def test_many_runs_of_offsets_are_named_in_part(sized):
    for number in range(5):
        valid(sized, OFFSETS.replace(b" r ", b" r%d " % number), f"r{number}")

    with pytest.raises(Refused, match=r"^5 runs of Focused return offsets.*\(r0, r1, r2, …\)"):
        activate(sized.import_assessments(XML))


@pytest.mark.parametrize("content", [ELEMENTS, RANGE], ids=["elements", "from element to element"])
def test_runs_of_paths_are_scored_on_sizes(sized, content):
    run = valid(sized, content)

    activate(sized.import_assessments(XML))
    score_run(run.pk)

    assert Score.objects.get(evaluation__run=run, measure="iMAP").mean == pytest.approx(1)


def test_runs_of_offsets_for_whole_documents_keep_nobody_from_activating(sized):
    task = sized.new_task("document", closes_at=sized.task.closes_at)
    run = valid(sized, OFFSETS, task=task)

    activate(sized.import_assessments(XML))
    score_run(run.pk)

    assert Score.objects.get(evaluation__run=run, measure="MAP").mean == pytest.approx(1)


def test_a_run_of_offsets_that_comes_later_is_refused_by_the_check(sized):
    activate(sized.import_assessments(XML))
    run = sized.submit(OFFSETS)

    check_run()

    run.refresh_from_db()
    assert run.state == Run.State.REJECTED
    assert [problem["message"] for problem in run.problems if problem["rule"] == "other-axis"] == [APART]
    assert not Evaluation.objects.exists()


def test_a_broken_file_hears_of_its_offsets_along_with_the_rest(sized):
    activate(sized.import_assessments(XML))
    run = sized.submit(OFFSETS + b"1 Q0 a two 8 r 9 2\n")

    check_run()

    run.refresh_from_db()
    assert {problem["rule"] for problem in run.problems} >= {"other-axis", "number"}


def test_a_dry_run_says_what_the_check_would(sized, tmp_path):
    activate(sized.import_assessments(XML))
    (tmp_path / "run").write_bytes(OFFSETS)

    with (tmp_path / "run").open("rb") as stream:
        told = dry_run(sized.task, stream)

    assert not told.is_valid
    assert APART in [problem["message"] for problem in told.problems]


def test_a_run_that_became_valid_in_between_goes_back_to_the_check(sized, monkeypatch):
    """The check looked at its task just before assessments were activated: it is nobody's failure."""
    activate(sized.import_assessments(XML))
    with monkeypatch.context() as before:
        before.setattr(checks, "axis_of", lambda task: CHARACTERS)
        late = valid(sized, OFFSETS, "late")

    score_run(late.pk)

    late.refresh_from_db()
    assert (late.state, late.quota_waived) == (Run.State.RECEIVED, False)
    assert not evaluate()
    assert not Evaluation.objects.exists()
    check_run()
    late.refresh_from_db()
    assert late.state == Run.State.REJECTED
    assert APART in [problem["message"] for problem in late.problems]


def test_boards_on_sizes_are_not_built_anew_over_such_runs(sized, monkeypatch):
    activate(sized.import_assessments(XML))
    monkeypatch.setattr(checks, "axis_of", lambda task: CHARACTERS)
    valid(sized, OFFSETS, "late")

    with pytest.raises(Refused, match="1 run of Focused returns offsets"):
        rebuild([sized.task])

    assert Edition.objects.count() == 1
