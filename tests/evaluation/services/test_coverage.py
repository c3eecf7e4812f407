"""What of a run's top results nobody has judged: counted, and shown on the desk."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.models import Campaign, Run
from campaign.services.runs.checks import check_run
from evaluation.models import Edition
from evaluation.services import slow_tables
from evaluation.services.coverage import coverage_counts, coverage_lines
from evaluation.tasks import desk_report
from limelight.analysis.coverage import JudgedDocuments, cover
from tests.examples import examples
from tests.limelight.builders import run_columns
from tests.pages import source_of
from tests.world import score_run

pytestmark = pytest.mark.slow

DESK = "/desk/campaigns/small/coverage/"
RUN = b"1 Q0 a 1 9 r 0 50\n1 Q0 c 2 8 r 0 150\n2 Q0 c 1 7 r 0 100\n2 Q0 d 2 6 r 0 100\n3 Q0 a 1 6 r 0 200\n"
NEWER = (
    b"1 Q0 a 50 200 0 0:50\n1 Q0 c 0 200\n2 Q0 c 100 200 0 0:100\n2 Q0 d 0 200\n3 Q0 a 0 200\n3 Q0 d 40 200 10 10:40\n"
)


def judged(pairs):
    """Return judged documents from (topic, document) pairs."""
    topics, documents = (sorted({pair[place] for pair in pairs}) for place in (0, 1))
    return JudgedDocuments(
        tuple(topics),
        tuple(documents),
        [topics.index(topic) for topic, _ in pairs],
        [documents.index(document) for _, document in pairs],
    )


def test_unjudged_documents_and_characters_are_counted():
    run = run_columns(
        {"1": [("a", 0, 10), ("x", 0, 30), ("x", 50, 20), ("b", 0, 99)], "2": [("a", 0, 5)], "9": [("a", 0, 7)]}
    )

    found = cover(run, judged([("1", "a"), ("1", "b"), ("2", "b")]), 3)

    assert (found.results, found.unjudged_results) == (4, 3)  # nobody was asked about topic 9
    assert (found.documents, found.unjudged_documents) == (3, 2)
    assert (found.characters, found.unjudged_characters) == (65, 55)
    assert (found.document_share, found.character_share) == (2 / 3, 55 / 65)


def test_a_share_of_nothing_is_none():
    nothing = cover(run_columns({}), judged([("1", "a")]), 3)
    pointed = cover(run_columns({"1": [("a", None, 0), ("b", 4, 0)]}), judged([("1", "a")]), 3)

    assert (nothing.document_share, nothing.character_share) == (None, None)
    assert (pointed.document_share, pointed.character_share) == (0.5, None)


RESULTS = st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(0, 9), st.integers(1, 5)), min_size=1, max_size=8)


@examples(150)
@given(
    st.dictionaries(st.sampled_from("123"), RESULTS),
    st.lists(st.tuples(st.sampled_from("12"), st.sampled_from("abcxyz")), min_size=1),
    st.integers(1, 8),
)
def test_counts_are_those_of_the_slow_way(run, pairs, depth):
    found = cover(run_columns(run), judged(pairs), depth)

    top = [(topic, *result) for topic in run for result in run[topic][:depth] if topic in dict(pairs)]
    lost = [row for row in top if row[:2] not in pairs]
    assert (found.results, found.unjudged_results) == (len(top), len(lost))
    assert (found.documents, found.unjudged_documents) == (
        len({row[:2] for row in top}),
        len({row[:2] for row in lost}),
    )
    assert (found.characters, found.unjudged_characters) == (sum(row[3] for row in top), sum(row[3] for row in lost))


@pytest.fixture
def board(world):
    """Return the live edition of a board with two runs."""
    world.activate()
    for content, name in ((RUN, "wide"), (b"1 Q0 a 1 9 r 0 50\n", "narrow")):
        run = world.submit(content, name=name)
        check_run(run.pk)
        score_run(run.pk)
    return Edition.objects.live().get()


@pytest.fixture
def desk(client, world):
    client.force_login(world.organiser)
    return client


def test_a_board_s_runs_are_counted_under_any_version(world, board):
    newer = world.import_assessments(NEWER)

    old, new = (coverage_lines(board, coverage_counts(board, one, 100)) for one in (board.assessment_set, newer))

    assert [(line.run.name, line.document_share, line.character_share) for line in old] == [
        ("wide", 60.0, 75.0),  # c for topic 1, d for 2 and a for 3: 450 of 600 characters
        ("narrow", 0.0, 0.0),
    ]
    assert {(line.run.name, line.character_share) for line in new} == {("wide", 0.0), ("narrow", 0.0)}


def test_a_run_of_documents_is_measured_by_the_collection(world):
    task = world.new_task("document", closes_at=world.task.closes_at)
    world.activate(b"1 0 a 1\n1 0 b 0\n")
    run = world.submit(b"1 Q0 a 1 9 r\n1 Q0 c 2 8 r\n1 Q0 d 3 7 r\n", task=task, name="documents")
    check_run(run.pk)
    score_run(run.pk)
    edition = Edition.objects.live().get(task=task)

    [line] = coverage_lines(edition, coverage_counts(edition, edition.assessment_set, 2))

    assert (line.results, line.characters, line.document_share, line.character_share) == (2, 400, 50.0, 50.0)


def test_the_page_shows_shares_by_version_and_depth(desk, world, board):
    world.import_assessments(NEWER)

    page = source_of(desk.get(DESK))

    assert "Focused · edition 1 · assessments version 1 · first 100 results a topic" in " ".join(page.split())
    assert "<span>75.0 %</span>" in page
    newer = source_of(desk.get(f"{DESK}?task={world.task.pk}&version=2&depth=1"))
    assert "assessments version 2 · first 1 result a topic" in newer
    assert "75.0 %" not in newer


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("depth=deep", "A depth is a whole number from 1 to 1,500."),
        ("depth=0", "A depth is a whole number from 1 to 1,500."),
        ("task=999", "Choose a task that has a board."),
        ("task=x", "Choose a task that has a board."),
        ("version=9", "Ad hoc has no version 9 of its assessments."),
        ("version=x", "Choose a version of the assessments of this track."),
    ],
)
def test_rubbish_in_the_address_is_answered_with_a_sentence(desk, board, query, sentence):
    response = desk.get(f"{DESK}?{query}")

    assert response.status_code == 422
    assert sentence in source_of(response)


def test_the_page_teaches_while_there_is_no_board(desk, world):
    assert "No task has a board yet." in source_of(desk.get(DESK))
    world.activate()
    assert "No run has been scored on this board yet." in source_of(desk.get(DESK))


@pytest.mark.parametrize("page", ["coverage", "leave-one-out"])
def test_only_the_campaign_s_organisers_get_in(client, world, board, page):
    stranger = world.person("stranger")
    Campaign.objects.create(slug="other", name="Other", year=2026).organisers.add(stranger)
    people = {None: 302, world.alice: 404, world.assessor: 404, stranger: 404, world.organiser: 200}
    for person, status in people.items():
        client.logout()
        if person:
            client.force_login(person)
        assert client.get(f"/desk/campaigns/small/{page}/").status_code == status, person
    client.force_login(stranger)
    response = client.get(f"/desk/campaigns/other/{page}/?task={world.task.pk}")
    assert "wide" not in source_of(response)


@pytest.fixture
def sent(monkeypatch, django_capture_on_commit_callbacks):
    """Return the orders that workers are woken with, where every board is a large one."""
    orders = []
    monkeypatch.setattr(slow_tables, "RESULTS_AT_ONCE", 0)
    monkeypatch.setattr("campaign.machinery.cached.wake", lambda task, order: orders.append((task, order)))
    return orders


def test_a_large_board_is_left_to_a_worker_that_is_asked_once(desk, board, sent):
    first, second = source_of(desk.get(DESK)), source_of(desk.get(DESK))

    assert "This board is large: a worker is computing the table" in first
    assert 'hx-trigger="every 2s"' in second
    assert sent == [("evaluation.tasks.desk_report", f"coverage:{board.pk}:100:{board.assessment_set.pk}")]
    desk_report(sent[0][1])
    desk_report(sent[0][1])
    page = source_of(desk.get(DESK))
    assert "<span>75.0 %</span>" in page
    assert "hx-trigger" not in page


def test_a_worker_that_fails_says_so(desk, board, sent, monkeypatch):
    desk.get(DESK)
    monkeypatch.setattr(slow_tables, "coverage_counts", lambda *asked: 1 / 0)

    desk_report(sent[0][1])

    page = source_of(desk.get(DESK))
    assert "Computing this table failed on our side." in page
    assert "hx-trigger" not in page


def test_an_order_for_what_is_gone_does_nothing(world):
    desk_report("coverage:999:100:999")
    desk_report("leave-one-out:999:100:")


def test_a_withdrawn_run_leaves_the_table(desk, board):
    assert "narrow" in source_of(desk.get(DESK))

    Run.objects.filter(name="narrow").update(withdrawn_at=board.created_at)

    assert "narrow" not in source_of(desk.get(DESK))
