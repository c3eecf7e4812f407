"""Files that judge only some topics: what they would change is shown first, then they replace or are merged."""

from io import BytesIO
from itertools import chain

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from assessments.models import AssessmentSet
from assessments.services.exports import export_formats, exported_assessments
from assessments.services.import_differences import difference_of_import
from assessments.services.imports import NewerVersion
from assessments.services.loading import load_judgements
from assessments.services.previews import accept_import, read_again, read_import, take_file
from campaign.models import TrailEntry
from campaign.services.acting import By
from campaign.services.refusals import Refused
from evaluation.services.decisions import activate
from limelight.analysis.merging import merged
from limelight.formats.assessments.document_grades import read_grade_lines
from limelight.formats.assessments.highlights import read_highlight_lines, write_highlights
from limelight.formats.opening import Limits
from tests.assessment_files import GRADED, QRELS, XML
from tests.pages import source_of
from tests.world import ASSESSMENTS

DESK = "/desk/campaigns/small"
PART = b"2 Q0 a 30 200 100 100:30\n2 Q0 d 0 200\n"
"""Topic 2 judged anew: of document a more is relevant, c is no longer judged, d is."""

MERGED = b"""\
1 Q0 a 50 200 0 0:50
1 Q0 b 0 200
2 Q0 a 30 200 100 100:30
2 Q0 d 0 200
3 Q0 d 40 200 10 10:40
"""


def highlights(content):
    return read_highlight_lines(content, Limits())[0]


def written(columns):
    target = BytesIO()
    write_highlights(columns, target)
    return target.getvalue()


def read(world, content, **fields):
    found = take_file(world.track, by=By(world.organiser), upload=BytesIO(content), file_name="part.qrels", **fields)
    read_import(found.pk)
    found.refresh_from_db()
    return found


@pytest.fixture
def desk(client, world):
    client.force_login(world.organiser)
    return client


def test_topics_that_the_file_judges_replace_the_same_topics_and_others_stay():
    both = merged(highlights(ASSESSMENTS), highlights(PART))

    assert written(both) == MERGED
    assert np.all(np.diff(both.topic) >= 0) and np.all(np.diff(both.judgement) >= 0)


@pytest.mark.parametrize("seed", range(20))
def test_merging_agrees_with_doing_it_line_by_line(seed):
    rng = np.random.default_rng(seed)

    def lines(topics):
        found = {}
        for topic in topics:
            for document in rng.permutation(6)[: rng.integers(1, 5)]:
                spans = [(start, int(rng.integers(1, 9))) for start in range(0, 40, 10) if rng.random() < 0.5]
                words = [str(topic), "Q0", f"d{document}", str(sum(size for _, size in spans)), "50"]
                words += ["0", *(f"{start}:{size}" for start, size in spans)] if spans else []
                found.setdefault(topic, []).append(" ".join(words))
        return found

    old, new = lines(rng.permutation(8)[:5].tolist()), lines(rng.permutation(8)[:4].tolist())
    expected = {line for topic, own in (old | new).items() for line in own}

    both = merged(*(highlights("\n".join(chain(*kind.values())).encode()) for kind in (old, new)))

    assert set(written(both).decode().splitlines()) == expected
    assert len(both) == len(expected)


def test_grades_are_merged_too():
    old, new = (read_grade_lines(content, Limits())[0] for content in (QRELS, b"2 0 x 3\n9 0 a 1\n"))

    both = merged(old, new)

    rows = zip(both.topic.tolist(), both.document.tolist(), both.grade.tolist(), strict=True)
    assert [(both.topics[topic], both.documents[document], grade) for topic, document, grade in rows] == [
        ("1", "a", 2),
        ("1", "b", 0),
        ("2", "x", 3),
        ("3", "d", 1),
        ("9", "a", 1),
    ]


def test_the_preview_tells_lost_topics_first_and_both_outcomes(world, desk):
    world.import_assessments()
    found = read(world, PART.replace(b"2 Q0 a 30 200 100 100:30", b"2 Q0 a 0 200"))

    difference = difference_of_import(found, AssessmentSet.objects.get())

    assert [(change.topic, change.change) for change in difference.changes] == [
        ("1", "lost"),
        ("3", "lost"),
        ("2", "without relevant text"),
    ]
    page = source_of(desk.get(f"{DESK}/imports/{found.pk}/"))
    assert "<strong>2 topics lose all their judgements</strong>, <strong>1 loses all relevant text</strong>" in page
    assert "the 2 topics that it does not judge stay as in v1;" in page
    rows = [
        part.partition("</tr>")[0]
        for part in page.partition('class="changes"')[2].partition("</table>")[0].split("<tr")[2:]
    ]
    assert [row.partition('<th scope="row">')[2][:1] for row in rows] == ["1", "3", "2"]
    assert "2 → –" in rows[0] and "50 → –" in rows[0]
    assert page.index("Compared with v1") < page.index("Accept as the next version")
    assert 'name="how" value="merge" required' in page and "checked" not in page


def test_no_lost_topic_hides_behind_a_number(world, desk):
    numbers = [f"7{number:03}" for number in range(120)]
    everything = "".join(f"{number} Q0 a 5 200 0 0:5\n" for number in numbers).encode()
    accept_import(read(world, everything, makes_topics=True), by=By(world.organiser))

    page = source_of(desk.get(f"{DESK}/imports/{read(world, b'1 Q0 a 5 200 0 0:5' + bytes([10])).pk}/"))

    assert "120 topics lose all their judgements" in page
    assert all(f'<th scope="row">{number}</th>' in page for number in numbers)


def test_the_live_version_is_compared_with_where_it_is_another(world, desk):
    activate(world.import_assessments())
    world.import_assessments(ASSESSMENTS + b"3 Q0 a 0 200\n")

    page = source_of(desk.get(f"{DESK}/imports/{read(world, PART).pk}/"))

    assert "Compared with v2, the newest version" in page
    assert "Compared with v1, which is live" in page


def test_a_file_that_judges_every_topic_leaves_no_choice(world, desk):
    world.import_assessments()
    found = read(world, ASSESSMENTS + b"3 Q0 a 0 200\n")

    page = source_of(desk.get(f"{DESK}/imports/{found.pk}/"))

    assert "the same, since it judges every topic of v1." in page
    assert 'name="how"' not in page
    desk.post(f"{DESK}/imports/{found.pk}/accept/", {"seen": "1"})
    assert AssessmentSet.objects.get(version=2).merged_into is None


def test_merging_makes_a_version_that_knows_what_it_was_made_of(world, desk):
    first = world.import_assessments()
    found = read(world, PART)

    page = source_of(desk.post(f"{DESK}/imports/{found.pk}/accept/", {"how": "merge", "seen": "1"}, follow=True))

    made = AssessmentSet.objects.get(version=2)
    assert "part.qrels</bdi> merged into v1" in page and "the file that was merged" in page
    assert made.merged_into == first
    assert (made.topic_count, made.judgement_count, made.judgements.count()) == (3, 5, 5)
    assert written(load_judgements(made.columns_file)) == MERGED
    assert exported_assessments(made, "highlights").content == MERGED
    assert TrailEntry.objects.first().details["merged_into"] == "v1"
    assert first.judgements.count() == 5
    assert "merged into v1" in source_of(desk.get(f"{DESK}/imports/{found.pk}/"))


def test_replacing_makes_a_version_of_the_file_alone(world, desk):
    world.import_assessments()

    desk.post(f"{DESK}/imports/{read(world, PART).pk}/accept/", {"how": "replace", "seen": "1"})

    made = AssessmentSet.objects.get(version=2)
    assert (made.topic_count, made.merged_into) == (1, None)


@pytest.mark.parametrize("how", ["", "both"])
def test_who_does_not_choose_is_asked(world, desk, how):
    world.import_assessments()
    found = read(world, PART)

    page = source_of(desk.post(f"{DESK}/imports/{found.pk}/accept/", {"how": how, "seen": "1"}, follow=True))

    assert "Choose whether this file replaces the newest version or is merged into it." in page
    assert AssessmentSet.objects.count() == 1


@pytest.mark.parametrize("how", ["merge", "replace"])
@pytest.mark.parametrize("seen", ["1", "0", "", "x"])
def test_a_version_that_came_between_preview_and_accept_is_asked_about(world, desk, how, seen):
    world.import_assessments()
    found = read(world, PART)
    world.import_assessments(ASSESSMENTS + b"3 Q0 a 0 200\n")

    page = source_of(desk.post(f"{DESK}/imports/{found.pk}/accept/", {"how": how, "seen": seen}, follow=True))

    assert "v2 came in since you looked. Compare this file with it, and decide again." in page
    assert "Compared with v2, the newest version" in page
    assert AssessmentSet.objects.count() == 2
    desk.post(f"{DESK}/imports/{found.pk}/accept/", {"how": how, "seen": "2"})
    assert AssessmentSet.objects.get(version=3).merged_into_id == (
        AssessmentSet.objects.get(version=2).pk if how == "merge" else None
    )


def test_a_first_version_that_came_meanwhile_is_asked_about(world):
    found = read(world, PART)
    world.import_assessments()

    with pytest.raises(NewerVersion):
        accept_import(found, by=By(world.organiser), seen=0)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (ASSESSMENTS, b"2 0 a 1\n", "The file holds grades of documents, v1 highlighted text."),
        (QRELS, PART, "The file holds highlighted text, v1 grades of documents."),
        (ASSESSMENTS, XML, "The file and v1 count text differently: sizes with white space merged and raw characters."),
        (ASSESSMENTS, GRADED, "Grades of elements are kept as they were imported"),
        (GRADED, GRADED, "Grades of elements are kept as they were imported"),
    ],
    ids=["grades into highlights", "highlights into grades", "sizes into characters", "elements", "two of elements"],
)
def test_what_counts_differently_is_not_merged(world, desk, old, new, reason):
    accept_import(read(world, old, makes_topics=True), by=By(world.organiser))
    found = read(world, new, makes_topics=True)

    with pytest.raises(Refused, match=reason):
        accept_import(found, by=By(world.organiser), merges=True, seen=1)

    page = source_of(desk.get(f"{DESK}/imports/{found.pk}/"))
    assert reason in page and 'name="how"' not in page
    assert AssessmentSet.objects.count() == 1
    accept_import(found, by=By(world.organiser), seen=1)


SIZES = XML.replace(b'topic="1"', b'topic="2"')


def test_sizes_are_merged_where_they_agree(world):
    accept_import(read(world, XML, makes_topics=True), by=By(world.organiser))

    made = accept_import(read(world, SIZES, makes_topics=True), by=By(world.organiser), merges=True, seen=1)

    assert (made.axis, made.topic_count, bool(made.places_file)) == ("sizes", 2, True)
    assert export_formats(made) == ("qrels",)  # its file tells only a part of it


def test_sizes_that_do_not_agree_are_not_merged(world):
    accept_import(read(world, XML, makes_topics=True), by=By(world.organiser))
    other = read(world, SIZES.replace(b'size="20"', b'size="30"'), makes_topics=True)

    with pytest.raises(Refused, match="tell different sizes of the elements of document a"):
        accept_import(other, by=By(world.organiser), merges=True, seen=1)


def test_a_file_that_was_read_on_other_documents_is_read_again(world, desk):
    found = read(world, PART)
    world.give_text(a=b"<a>other</a>")

    with pytest.raises(Refused, match=r"^Ad hoc has other documents since this file was read\. Have it read again\.$"):
        accept_import(found, by=By(world.organiser))

    page = source_of(desk.get(f"{DESK}/imports/{found.pk}/"))
    assert "Read it again" in page and "Accept as the next version" not in page
    read_again(found)
    read_import(found.pk)
    made = accept_import(found, by=By(world.organiser))
    assert made.collection == world.collection


def test_a_version_says_on_which_documents_it_was_made(world, desk):
    world.import_assessments()
    assert "made on" not in source_of(desk.get(f"{DESK}/assessments/"))

    world.give_text(a=b"<a>other</a>")

    assert "made on <bdi>Letters v1</bdi>" in source_of(desk.get(f"{DESK}/assessments/"))


def test_the_command_tells_what_is_lost_and_how_it_stays(world, command):
    world.import_assessments()

    _, out, _ = command("--dry-run", content=PART)

    assert out.splitlines()[-6:] == [
        "Compared with v1, the newest version: 2 topics lose all their judgements, 0 lose all relevant text, 1 change, "
        "0 are new, 0 stay as they are.",
        "  1: lost: 2 judged, 1 relevant, 50 characters -> not judged",
        "  3: lost: 1 judged, 1 relevant, 40 characters -> not judged",
        "  2: changed: 2 judged, 2 relevant, 120 characters -> 2 judged, 1 relevant, 30 characters",
        "With --merge the 2 topics stay as in v1.",
        "Nothing was imported: this was a dry run.",
    ]
    assert AssessmentSet.objects.count() == 1


def test_the_command_merges_when_told_to_and_replaces_otherwise(world, command):
    first = world.import_assessments()
    _, dry, _ = command("--merge", "--dry-run", content=PART)
    assert "2 topics that the file does not judge stay" in dry and "  1: stays: " in dry

    code, out, _ = command("--merge", content=PART)

    made = AssessmentSet.objects.get(version=2)
    assert (code, made.merged_into, made.topic_count) == (0, first, 3)
    assert out.endswith("Imported as v2 of Ad hoc, merged into v1. Boards change when it is activated.\n")
    for options in ((), ("--replace",)):
        command(*options, content=PART)
        assert AssessmentSet.objects.order_by("-version").first().topic_count == 1


def test_the_command_refuses_what_cannot_be_merged(world, command):
    code, _, err = command("--merge", content=PART)
    assert (code, err) == (1, "There is no version yet that it could be merged into. Nothing was imported.")
    world.import_assessments()

    code, _, err = command("--merge", content=b"2 0 a 1\n")

    assert code == 1
    assert err.endswith("The two cannot be merged into one version. Nothing was imported.")
    with pytest.raises(CommandError, match="not allowed with argument"):
        call_command("import_assessments", "small/ad-hoc", "/nowhere", "--merge", "--replace")


def test_what_the_version_was_warned_of_stays_with_what_is_taken_over_from_it(world):
    placeholders = b"".join(
        b"%d Q0 %c 10 200 100 100:10\n" % (topic, document) for topic in (1, 3) for document in b"abcdefghijklmnop"
    )
    base = world.import_assessments(placeholders)
    assert [warning["rule"] for warning in base.warnings] == ["entry-points-alike"]

    found = read(world, b"2 Q0 a 30 200 120 120:30\n")
    made = accept_import(found, by=By(world.organiser), merges=True, seen=base.version)

    [warning] = made.warnings
    assert warning["rule"] == "entry-points-alike"
    assert warning["message"].startswith("In v1, into which it was merged: All 32 entry points are at character 100.")


def test_what_the_merged_file_was_warned_of_stays_with_the_version(world):
    base = world.import_assessments(ASSESSMENTS)
    alike = b"".join(b"2 Q0 a%d 10 200 100 100:10\n" % number for number in range(30))

    made = accept_import(read(world, alike), by=By(world.organiser), merges=True, seen=base.version)

    [warning] = [warning for warning in made.warnings if warning["rule"] == "entry-points-alike"]
    assert warning["message"].startswith("All 30 entry points are at character 100.")
