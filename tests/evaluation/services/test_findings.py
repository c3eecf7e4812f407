"""What scoring found is kept with the scores, and can be read for one topic."""

import pytest

from campaign.services.runs.check_results import load_columns
from evaluation.models import Evaluation
from evaluation.services import scoring
from evaluation.services.findings import findings_of
from evaluation.services.material import placed_run
from tests.world import GOOD_RUN

ELEMENTS = b"""\
<inex-submission participant-id="1" run-id="elements" task="Focused" query="automatic">
<topic topic-id="1"><result><file>a</file><path>/a[1]/p[2]</path><rank>1</rank></result></topic>
</inex-submission>
"""


def test_a_scored_run_has_its_findings_and_its_judged_share(world):
    world.activate()
    evaluation = Evaluation.objects.get(run=world.scored(GOOD_RUN + b"1 Q0 d 3 1.0 good 0 100\n"))

    findings = findings_of(evaluation)

    first = findings.of_topic(evaluation.edition.topic_numbers.index("1"))
    assert (first.results.tolist(), first.rank.tolist(), first.hit.tolist(), first.returned.tolist()) == (
        [3],
        [1],
        [50],
        [50],
    )
    assert evaluation.judged == pytest.approx((0.5 + 1 + 1) / 3)
    assert findings.judged_share == evaluation.judged


def test_where_only_relevant_documents_are_listed_the_judged_share_stays_empty(world):
    world.activate(b"1 Q0 a 50 200 0 0:50\n2 Q0 c 100 200 0 0:100\n")

    assert Evaluation.objects.get(run=world.scored()).judged is None


def test_findings_and_scores_are_written_together_or_not_at_all(world, monkeypatch):
    world.activate()
    run = world.checked()

    def fails(evaluation):
        raise RuntimeError("after the scores")

    monkeypatch.setattr("evaluation.services.announcements.evaluated", fails)
    scoring.evaluate()

    evaluation = Evaluation.objects.get(run=run)
    assert (evaluation.state, evaluation.findings_file, evaluation.judged) == (Evaluation.State.QUEUED, "", None)
    assert findings_of(evaluation) is None


def test_the_findings_of_elements_tell_where_they_lie_without_opening_a_document(world):
    world.give_text(a=b"<a><p>first words</p><p>second words of it</p></a>")
    world.activate()
    evaluation = Evaluation.objects.get(run=world.scored(ELEMENTS, name="elements"))

    laid = findings_of(evaluation).laid(load_columns(evaluation.run))

    placed = placed_run(evaluation.run, evaluation.edition)
    assert laid.offset.tolist() == placed.offset.tolist() == [11]
    assert laid.length.tolist() == placed.length.tolist() == [18]
