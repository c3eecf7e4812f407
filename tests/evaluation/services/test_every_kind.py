"""Every kind of task in the table goes the whole way on the site: submitted, checked, scored, shown."""

import re

import numpy as np
import pytest
from django.urls import reverse

from campaign.models import Run
from campaign.services.runs.checks import check_run
from evaluation.models import Curve, Evaluation, Score
from limelight.scoring.evaluators import EVALUATORS
from tests.pages import source_of
from tests.world import World, score_run

PERFECT_SPANS = b"""\
1 Q0 a 1 9 perfect 0 50
2 Q0 c 1 9 perfect 0 100
2 Q0 a 2 8 perfect 100 20
3 Q0 d 1 9 perfect 10 40
"""
PERFECT = {
    "focused": PERFECT_SPANS,
    "thorough": PERFECT_SPANS,
    "relevant-in-context": PERFECT_SPANS,
    "best-in-context": b"1 Q0 a 1 9 p 0 0\n2 Q0 c 1 9 p 0 0\n2 Q0 a 2 8 p 100 0\n3 Q0 d 1 9 p 10 0\n",
    "document": b"1 Q0 a 1 9 perfect\n2 Q0 c 1 9 perfect\n2 Q0 a 2 8 perfect\n3 Q0 d 1 9 perfect\n",
}


@pytest.mark.parametrize("kind", EVALUATORS)
def test_a_run_of_this_kind_goes_the_whole_way(db, settings, tmp_path, client, kind):
    settings.MEDIA_ROOT = tmp_path
    world = World(kind)
    world.activate()
    run = world.submit(PERFECT[kind], name="perfect")

    check_run(run.pk)
    score_run(run.pk)

    run.refresh_from_db()
    assert run.state == Run.State.VALID, run.problems
    evaluator = EVALUATORS[kind]
    evaluation = Evaluation.objects.get(run=run)
    assert evaluation.state == Evaluation.State.DONE, evaluation.failure
    assert {score.measure for score in Score.objects.all()} == {measure.name for measure in evaluator.measures}
    assert Score.objects.get(measure=evaluator.official).mean == pytest.approx(1)
    assert {curve.name for curve in Curve.objects.all()} == {curve.name for curve in evaluator.curves}

    page = source_of(client.get(reverse("board", args=world.task.address)))
    headings = re.findall(r'title="[^"]+">([^<]+)</a></th>', page)
    assert headings[0] == evaluator.official
    assert sorted(headings) == sorted(measure.name for measure in evaluator.columns())
    assert '<svg class="curves"' in page
    figure = client.get(reverse("figure", args=world.task.address)).json()
    assert np.allclose(figure["runs"][0]["values"], Curve.objects.get(name=evaluator.curves[0].name).values, atol=5e-5)
