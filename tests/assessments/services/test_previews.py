"""Assessment files on their way in: read, shown, accepted or discarded, and never half."""

import pytest
from django.utils import timezone

from assessments.models import AssessmentImport, AssessmentSet, Judgement
from assessments.services import previews
from assessments.services.loading import load_judgements
from assessments.services.previews import (
    accept_import,
    discard_import,
    full_report,
    read_again,
    read_import,
)
from campaign.machinery.leases import MAX_ATTEMPTS, LeaseLost
from campaign.models import Document, Run, TaskKind, TrailEntry
from campaign.services.acting import By
from campaign.services.refusals import Refused
from campaign.services.runs.checks import check_run
from evaluation.services.sweep import free_dead_leases, sweep, wake_for_what_waits
from tests.assessment_files import DOCUMENT, GRADED, QRELS, XML
from tests.assessments.on_their_way import read, taken
from tests.world import ASSESSMENTS

State = AssessmentImport.State


def sentences(found):
    return [problem["message"] for problem in found.problems]


def test_a_preview_counts_what_is_in_the_file(world):
    found = read(world, ASSESSMENTS.replace(b"3 Q0 d 40 200 10 10:40\n", b""))

    assert (found.state, found.percent, found.problem_count) == (State.READY, 100, 0)
    assert found.outcome["totals"] == {
        "topics": 2,
        "judged": 4,
        "relevant": 3,
        "highlighted": 170,
        "entry_points": 3,
        "elements": 0,
    }
    assert found.outcome["topics"][0] == {
        "topic": "1",
        "judged": 2,
        "relevant": 1,
        "highlighted": 50,
        "entry_points": 1,
        "elements": 0,
    }
    assert (found.outcome["new_topics"], found.outcome["unjudged_topics"]) == ([], ["3"])


def test_a_preview_imports_nothing(world):
    read(world)

    assert not AssessmentSet.objects.exists()
    assert not Judgement.objects.exists()
    assert not TrailEntry.objects.exists()


@pytest.mark.parametrize("content", [ASSESSMENTS, QRELS, XML, GRADED], ids=["highlights", "qrels", "xml", "graded"])
def test_every_kind_of_assessments_is_shown_and_accepted(world, content):
    found = read(world, content, makes_topics=True)

    assert found.state == State.READY, found.problems
    accepted = accept_import(found, by=By(world.organiser))
    assert accepted.content == found.outcome["content"]
    assert accepted.relevant_count == found.outcome["totals"]["relevant"]
    assert accepted.judgements.count() + accepted.graded_judgements.count() == accepted.judgement_count > 0


def test_accepting_makes_the_next_version_and_is_remembered(world):
    world.import_assessments()
    found = read(world, notes="second thoughts")

    accepted = accept_import(found, by=By(world.organiser))

    found.refresh_from_db()
    assert (accepted.version, accepted.notes, accepted.imported_by) == (2, "second thoughts", world.organiser)
    assert (found.state, found.assessment_set) == (State.ACCEPTED, accepted)
    assert accepted.judgements.count() == 5
    assert load_judgements(accepted.columns_file).relevant_characters.tolist() == [50, 0, 20, 100, 40]
    entry = TrailEntry.objects.first()
    assert (entry.deed, entry.subject, entry.actor) == ("imported", "assessments v2 of Ad hoc", world.organiser)
    assert entry.details["file"] == "v.qrels"
    assert entry.campaign == world.campaign


def test_accepting_twice_is_one_version(world):
    found = read(world)
    again = AssessmentImport.objects.get(pk=found.pk)

    assert accept_import(found, by=By(world.organiser)) == accept_import(again, by=By(world.organiser))
    assert AssessmentSet.objects.count() == 1
    assert TrailEntry.objects.count() == 1


def test_two_imports_accepted_are_two_versions_in_a_row(world):
    first, second = read(world), read(world, ASSESSMENTS + b"3 Q0 a 0 200\n")

    versions = [accept_import(found, by=By(world.organiser)).version for found in (second, first)]

    assert versions == [1, 2]


def test_missing_topics_are_made_by_number_only_when_asked(world):
    content = ASSESSMENTS + b"9 Q0 a 0 200\n8 Q0 a 0 200\n"
    found = read(world, content)
    assert found.state == State.REJECTED
    assert found.outcome["lacks_only_topics"]
    assert sentences(found) == [
        "Topic 9 is not a topic of Ad hoc. Import the topics first, or correct the number.",
        "Topic 8 is not a topic of Ad hoc. Import the topics first, or correct the number.",
    ]

    read_again(found, makes_topics=True)
    read_import(found.pk)
    found.refresh_from_db()
    assert found.outcome["new_topics"] == ["9", "8"]
    assert world.track.topics.count() == 3

    accept_import(found, by=By(world.organiser))
    assert list(world.track.topics.values_list("number", "position")) == [
        ("1", 1),
        ("2", 2),
        ("3", 3),
        ("9", 4),
        ("8", 5),
    ]
    assert TrailEntry.objects.get().details["made_topics"] == ["9", "8"]


@pytest.mark.parametrize("number", [b"x" * 65, b"a/b"])
def test_topics_with_numbers_that_no_address_can_hold_are_not_made(world, number):
    found = read(world, number + b" Q0 a 0 200\n", makes_topics=True)

    assert sentences(found) == [
        f"Topic {number.decode()} cannot be made. A topic's number has at most 64 characters and no slash."
    ]


def test_topics_that_disappeared_since_the_preview_stop_the_import(world):
    found = read(world)
    world.track.topics.filter(number="3").delete()

    with pytest.raises(Refused, match=r"^Topic 3 is no longer in Ad hoc\. Read the file again\.$"):
        accept_import(found, by=By(world.organiser))

    assert not AssessmentSet.objects.exists()
    found.refresh_from_db()
    assert found.state == State.READY


def test_a_file_that_breaks_on_its_last_line_is_rejected_and_leaves_nothing(world):
    found = read(world, ASSESSMENTS + b"3 Q0 a ten 200 0 0:10\n")

    assert (found.state, found.problem_count) == (State.REJECTED, 1)
    assert found.problems[0]["line"] == 6
    assert found.problems[0]["quote"] == "3 Q0 a ten 200 0 0:10"
    assert not AssessmentSet.objects.exists()
    with pytest.raises(Refused, match=r"^This file has problems, so nothing of it was imported\.$"):
        accept_import(found, by=By(world.organiser))


def test_the_first_200_problems_are_shown_and_all_are_kept(world):
    found = read(world, b"".join(b"1 Q0 d%d ten 200\n" % number for number in range(300)))

    assert found.problem_count == 300
    assert len(found.problems) == 200
    assert [problem["line"] for problem in full_report(found)] == list(range(1, 301))


def test_documents_outside_the_collection_and_past_the_end_are_pointed_out(world):
    Document.objects.filter(identifier="c").update(length=90)
    found = read(world, ASSESSMENTS + b"1 Q0 zebra 10 50 0 0:10\n2 Q0 zebra 10 50 0 0:10\n")

    assert found.state == State.READY
    assert (found.outcome["unknown_documents"], found.outcome["past_the_end"]) == (1, 1)
    assert sentences(found) == [
        "a passage ends at 100, but document c has 90 characters.",
        "document c has 200 characters here and 90 in Letters.",
        "document zebra is not in Letters.",
    ]


def test_text_past_the_end_is_pointed_out_once_a_judgement(world):
    found = read(world, b"1 Q0 a 10 200 0 195:10\n1 Q0 b 10 -1 0 195:10\n1 Q0 c 10 200 0 0:10\n")

    assert found.outcome["past_the_end"] == 2
    assert sentences(found) == [
        "document a of topic 1 has a passage up to 205 in a document of 200. The passages are taken as they are.",
        "a passage ends at 205, but document b has 200 characters.",
    ]


def test_assessments_on_sizes_warn_of_runs_with_offsets(world):
    run = world.submit()
    check_run(run.pk)
    assert Run.objects.get(pk=run.pk).result_type == "passage"

    found = read(world, XML, makes_topics=True)

    assert found.outcome["axis"] == "sizes"
    assert (
        "1 run of this track returns offsets, which count every character. These assessments only tell sizes with "
        "white space merged, so they cannot be scored together. Import the collection's text first, then this file "
        "again."
    ) in sentences(found)


def test_grades_warn_of_tasks_that_need_highlights(world):
    found = read(world, QRELS, makes_topics=True)

    assert sentences(found)[0] == "These are grades of whole documents. With them Focused cannot be scored."


def test_the_same_file_on_a_changed_collection_is_not_read_from_the_old_columns(world):
    def lengths(document):
        world.give_text(a=document)
        found = read(world, XML)
        return load_judgements(found.outcome["columns_file"]).document_length.tolist()

    assert lengths(DOCUMENT) == [len("rightwrong words for this")]
    AssessmentImport.objects.all().delete()
    assert lengths(DOCUMENT.replace(b"for this", b"for that one")) == [len("rightwrong words for that one")]


def test_an_empty_file_is_refused_at_once(world):
    with pytest.raises(Refused, match=r"^This file is empty\.$") as refusal:
        taken(world, b"")

    assert refusal.value.field == "file"
    assert not AssessmentImport.objects.exists()


def test_a_second_click_on_upload_is_the_same_import(world):
    assert taken(world) == taken(world)
    assert taken(world, notes="other") != taken(world)


def test_taking_a_file_wakes_a_worker(world, monkeypatch):
    woken = []
    monkeypatch.setattr("campaign.machinery.leases.wake", lambda task, key: woken.append((task, key)))

    found = taken(world)

    assert woken == [("assessments.tasks.read_import", found.pk)]


def test_a_discarded_import_is_over(world):
    found = read(world)

    discard_import(found, by=By(world.organiser))
    discard_import(found, by=By(world.organiser))

    found.refresh_from_db()
    assert found.state == State.DISCARDED
    entry = TrailEntry.objects.get()
    assert (entry.deed, entry.subject) == ("discarded", "import of v.qrels for Ad hoc")
    with pytest.raises(Refused, match=r"^This import was discarded\. Upload the file again\.$"):
        accept_import(found, by=By(world.organiser))


def test_a_version_cannot_be_discarded(world):
    found = read(world)
    accept_import(found, by=By(world.organiser))

    with pytest.raises(Refused, match=r"^This import became v1, and a version stays\.$"):
        discard_import(found, by=By(world.organiser))


def test_an_import_discarded_while_it_is_read_stays_discarded(world, monkeypatch):
    found = taken(world)
    inspected = previews.inspected

    def discarded_meanwhile(*arguments):
        discard_import(found, by=By(world.organiser))
        return inspected(*arguments)

    monkeypatch.setattr(previews, "inspected", discarded_meanwhile)
    read_import(found.pk)

    found.refresh_from_db()
    assert (found.state, found.outcome) == (State.DISCARDED, {})


def test_accepting_too_early_says_so(world):
    found = taken(world)
    with pytest.raises(Refused, match=r"^This file has not been read yet\.$"):
        accept_import(found, by=By(world.organiser))

    AssessmentImport.objects.claim(found.pk)
    with pytest.raises(Refused, match=r"^This file is still being read\.$"):
        accept_import(found, by=By(world.organiser))


def test_our_own_failures_are_tried_three_times_and_end_with_a_reference(world, monkeypatch):
    def broken(*arguments, **options):
        raise RuntimeError("the disk is full")

    monkeypatch.setattr(previews, "read_for_track", broken)
    found = taken(world)
    for _ in range(MAX_ATTEMPTS):
        AssessmentImport.objects.update(held_until=None)
        read_import(found.pk)

    found.refresh_from_db()
    assert (found.state, found.attempts) == (State.FAILED, 3)
    assert "the disk is full" in found.failure
    with pytest.raises(Refused, match=rf"^Reading this file failed on our side \(ref\. {found.failure_reference}\)"):
        accept_import(found, by=By(world.organiser))

    monkeypatch.undo()
    read_again(found)
    read_import(found.pk)
    found.refresh_from_db()
    assert (found.state, found.failure) == (State.READY, "")


def test_progress_is_noted_and_stops_a_worker_that_lost_the_row(world, monkeypatch):
    monkeypatch.setattr(previews, "SECONDS_A_NOTE", 0)
    found = taken(world)
    progress = previews._progress_of(AssessmentImport.objects.claim(found.pk))

    progress(0.25)
    found.refresh_from_db()
    assert (found.percent, found.total) == (25, len(ASSESSMENTS))

    AssessmentImport.objects.update(token=None)
    with pytest.raises(LeaseLost):
        progress(0.5)


def test_readers_tell_how_far_they_are(world, monkeypatch):
    parts = []
    monkeypatch.setattr(previews, "_progress_of", lambda found: parts.append)

    read(world, b"".join(b"1 Q0 d%d 0 200\n" % number for number in range(2000)))

    assert parts == [0.25, 0.5, 0.75, 1]


def test_a_second_worker_leaves_a_row_alone(world):
    found = taken(world)
    AssessmentImport.objects.claim(found.pk)

    read_import(found.pk)

    found.refresh_from_db()
    assert (found.state, found.attempts) == (State.READING, 1)


def test_the_sweep_frees_wakes_and_ends_imports(world, monkeypatch):
    woken = []
    found = taken(world)
    monkeypatch.setattr("campaign.machinery.leases.wake", lambda task, key: woken.append((task, key)))
    AssessmentImport.objects.claim(found.pk)
    host = AssessmentImport.objects.get().held_by.partition("/")[0]
    AssessmentImport.objects.update(held_by=f"{host}/999999999")

    assert free_dead_leases() == 1
    wake_for_what_waits()
    assert woken == [("assessments.tasks.read_import", found.pk)]

    AssessmentImport.objects.update(attempts=MAX_ATTEMPTS, held_until=timezone.now())
    sweep()
    found.refresh_from_db()
    assert found.state == State.FAILED
    assert found.failure_reference


def alike(point, count=20):
    return b"".join(b"1 Q0 a%d 50 200 %s 0:50\n" % (number, point) for number in range(count))


def test_entry_points_that_are_all_the_same_look_like_placeholders(world):
    world.new_task(TaskKind.BEST_IN_CONTEXT, closes_at=world.task.closes_at)
    sentence = (
        "All 20 entry points are at character 100. That looks like a placeholder. Best in Context would be scored"
    )

    found = read(world, alike(b"100"))

    assert found.state == State.READY
    assert [text for text in sentences(found) if text.startswith(sentence)]
    few, other = read(world, alike(b"100", 19)), read(world, alike(b"100") + b"2 Q0 a 20 200 7 0:20\n")
    assert not [text for text in sentences(few) + sentences(other) if "placeholder" in text]


def test_runs_that_were_refused_for_topics_that_are_made_are_checked_again(world):
    run = world.submit(b"1 Q0 a 1 9.5 more 0 50\n9 Q0 a 1 9.5 more 0 50\n", name="more")
    check_run(run.pk)
    run.refresh_from_db()
    assert run.state == Run.State.REJECTED

    accept_import(read(world, ASSESSMENTS + b"9 Q0 a 50 200 0 0:50\n", makes_topics=True), by=By(world.organiser))

    check_run(run.pk)
    run.refresh_from_db()
    assert run.state == Run.State.VALID
