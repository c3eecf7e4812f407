"""What changed between two versions."""

from io import BytesIO

import pytest

from assessments.services.versions import change_notes, differences_between
from campaign.models import TrailEntry
from campaign.services.acting import By
from limelight.analysis.counting import topic_counts, totals
from limelight.analysis.differences import NotComparable, shared_characters, topic_differences
from limelight.formats.assessments.reading import read_assessments
from tests.assessment_files import GRADED, XML
from tests.world import ASSESSMENTS


def columns(content):
    found, _ = read_assessments(BytesIO(content))
    return found.judgements if found.judgements is not None else found.grades


def difference(old, new):
    return {found.topic: found for found in topic_differences(columns(old), columns(new))}


def test_the_same_judgements_in_another_order_are_no_difference():
    other_order = b"".join(reversed(ASSESSMENTS.splitlines(keepends=True)))

    found = difference(ASSESSMENTS, other_order)

    assert [(topic.documents, topic.unchanged) for topic in found.values()] == [((), 1), ((), 2), ((), 2)]


def test_documents_added_dropped_and_changed_are_counted_with_their_characters():
    new = b"1 Q0 a 60 200 5 10:60\n1 Q0 c 7 200 0 0:7\n2 Q0 a 20 200 100 100:20\n2 Q0 c 100 200 0 0:100\n"

    found = difference(ASSESSMENTS, new)

    assert list(found) == ["1", "2", "3"]
    one = found["1"]
    assert [(d.document, d.change, d.gained, d.lost) for d in one.documents] == [
        ("a", "changed", 20, 10),
        ("c", "added", 7, 0),
        ("b", "dropped", 0, 0),
    ]
    assert (one.added, one.dropped, one.changed, one.unchanged, one.gained, one.lost) == (1, 1, 1, 0, 27, 10)
    assert one.documents[0].entry_point_moved
    assert (found["2"].documents, found["2"].unchanged) == ((), 2)
    assert (found["3"].dropped, found["3"].lost) == (1, 40)


def test_an_entry_point_that_moved_is_a_change_without_characters():
    found = difference(b"1 Q0 a 50 200 0 0:50\n", b"1 Q0 a 50 200 9 0:50\n")["1"]

    [document] = found.documents
    assert (document.change, document.gained, document.lost) == ("changed", 0, 0)
    assert (document.old_entry_point, document.new_entry_point) == (0, 9)


def test_grades_are_compared_by_number():
    found = difference(b"1 0 a 2\n1 0 b 0\n1 0 c 1\n", b"1 0 a 1\n1 0 b 0\n1 0 d 1\n")["1"]

    assert [(d.document, d.change, d.old_grade, d.new_grade) for d in found.documents] == [
        ("a", "changed", 2, 1),
        ("d", "added", None, 1),
        ("c", "dropped", 1, None),
    ]
    assert found.unchanged == 1


def test_highlights_and_grades_are_compared_as_relevant_or_not():
    found = difference(b"1 Q0 a 50 200 0 0:50\n1 Q0 b 0 200\n", b"1 0 a 2\n1 0 b 1\n")["1"]

    assert [(d.document, d.old_grade, d.new_grade) for d in found.documents] == [("b", 0, 1)]


def test_two_axes_are_never_compared():
    with pytest.raises(NotComparable) as reason:
        topic_differences(columns(ASSESSMENTS), columns(XML))

    assert str(reason.value) == (
        "One version counts every character, the other sizes with white space merged. The two cannot be compared."
    )


@pytest.mark.parametrize(
    ("old", "new", "shared"),
    [
        ([], [(0, 5)], 0),
        ([(0, 5)], [(5, 5)], 0),
        ([(0, 100)], [(10, 5), (50, 5)], 10),
        ([(0, 10), (20, 10), (40, 10)], [(5, 40)], 20),
        ([(3, 0), (3, 4)], [(0, 10)], 4),
    ],
)
def test_shared_characters(old, new, shared):
    assert shared_characters(old, new) == shared_characters(new, old) == shared


def test_counts_of_graded_elements_leave_out_documents_without_a_relevant_one():
    found, _ = read_assessments(BytesIO(GRADED))
    counted = totals(topic_counts(found.elements))

    assert counted["elements"] == len(found.elements)
    assert 0 < counted["relevant"] <= counted["judged"]


def test_versions_are_compared_from_their_stored_columns(world):
    old, new = world.import_assessments(), world.import_assessments(ASSESSMENTS + b"3 Q0 a 5 200 0 0:5\n")

    found = differences_between(old, new)

    assert found.totals == {"added": 1, "dropped": 0, "changed": 0, "unchanged": 5, "gained": 5, "lost": 0}
    assert [topic.topic for topic in found.changed_topics] == ["3"]


def test_notes_are_changed_and_the_trail_says_so_once(world):
    version = world.import_assessments()
    TrailEntry.objects.all()._raw_delete("default")

    change_notes(version, by=By(world.organiser), notes="corrected")
    change_notes(version, by=By(world.organiser), notes="corrected")

    version.refresh_from_db()
    assert version.notes == "corrected"
    entry = TrailEntry.objects.get()
    assert (entry.deed, entry.subject) == ("changed", "notes of assessments v1 of Ad hoc")
    assert entry.details == {"before": "", "after": "corrected"}
