"""The answer key is for those who may see it, in every form that it can be written in."""

import io
import zipfile
from datetime import timedelta

import pytest
from django.utils import timezone

from assessments.services.exports import export_formats, exported_assessments
from campaign.services.documents.collections import element_spans
from campaign.services.runs.checks import check_run
from limelight.formats.assessments.reading import read_assessments
from tests.limelight.formats.assessments.samples import elements_of, judgements_of, points_of
from tests.world import ASSESSMENTS, article, score_run, with_text

ADDRESS = "/campaigns/small/ad-hoc/assessments/v1/"
FORMS = ("imported", "highlights", "qrels", "xml")
QRELS = b"1 0 a 2\n1 0 b 0\n2 0 c 1\n3 0 d 1\n"
GRADED = b"""<all><assessments topic="1"><file file="a"><path path="/article[1]" exhaustiveness="2" specificity="U"/>
<path path="/article[1]/p[1]" exhaustiveness="0" specificity="0" inferred="true"/></file><file file="b"/></assessments>
<assessments topic="2"><file file="a"/></assessments></all>"""
POINTED = b"""<assessments topic="1"><file name="a">
<best-entry-point path="/article[1]/p[2]/text()[1].1"/>
<passage start="/article[1]/p[1]/text()[1].0" end="/article[1]/p[1]/text()[1].5" size="5"/>
<element path="/article[1]" exhaustivity="?" size="20" rsize="5"/>
<element path="/article[1]/p[1]" exhaustivity="2" size="5" rsize="5"/>
</file><file name="b"/></assessments>"""


def test_assessments_come_back_as_imported_and_in_every_form(client, world):
    with_text(world)
    world.import_assessments()
    client.force_login(world.organiser)

    imported, highlights, qrels, xml = (client.get(ADDRESS + form) for form in FORMS)

    assert b"".join(imported.streaming_content) == ASSESSMENTS
    assert imported["Content-Disposition"] == 'attachment; filename="small.qrels"'
    assert highlights.content == ASSESSMENTS
    assert highlights["Content-Disposition"] == 'attachment; filename="small-ad-hoc-v1-highlights.txt"'
    assert highlights["Content-Type"] == "text/plain; charset=utf-8"
    assert qrels.content == b"1 0 a 1\n1 0 b 0\n2 0 a 1\n2 0 c 1\n3 0 d 1\n"
    assert qrels["Content-Disposition"] == 'attachment; filename="small-ad-hoc-v1.qrels"'
    assert zipfile.ZipFile(io.BytesIO(xml.content)).namelist() == ["1.xml", "2.xml", "3.xml"]
    assert xml["Content-Disposition"] == 'attachment; filename="small-ad-hoc-v1.zip"'
    assert xml["Content-Type"] == "application/zip"


def test_highlights_read_the_same_from_their_xml(world):
    with_text(world)
    assessment_set = world.import_assessments()
    before, _ = read_assessments(io.BytesIO(ASSESSMENTS))

    exported = exported_assessments(assessment_set, "xml")

    again, _ = read_assessments(io.BytesIO(exported.content), lookup=element_spans(world.collection))
    assert judgements_of(again.judgements) == judgements_of(before.judgements)


def test_one_topic_is_one_document(client, world):
    with_text(world)
    world.import_assessments(b"1 Q0 a 50 200 0 0:50\n")
    client.force_login(world.organiser)

    response = client.get(ADDRESS + "xml")

    assert response["Content-Disposition"] == 'attachment; filename="small-ad-hoc-v1.xml"'
    assert response["Content-Type"] == "application/xml"
    assert b'<assessments topic="1">\n<file name="a">\n' in response.content


@pytest.mark.parametrize("text", [True, False])
def test_points_come_back_as_they_were_with_and_without_a_collection(world, text):
    if text:
        with_text(world)
    assessment_set = world.import_assessments(POINTED)

    exported = exported_assessments(assessment_set, "xml")

    before, again = (read_assessments(io.BytesIO(payload))[0] for payload in (POINTED, exported.content))
    assert points_of(again.highlights) == points_of(before.highlights)
    assert export_formats(assessment_set) == (("highlights", "qrels", "xml") if text else ("qrels", "xml"))


def test_points_outlive_their_collection(world):
    with_text(world)
    assessment_set = world.import_assessments(POINTED)
    world.track.collection = None
    world.track.save()

    assert export_formats(assessment_set) == ("highlights", "qrels", "xml")
    assert (
        b'<best-entry-point path="/article[1]/p[2]/text()[1].1"/>'
        in exported_assessments(assessment_set, "xml").content
    )


def test_graded_elements_come_back_as_they_were(world):
    assessment_set = world.import_assessments(GRADED)

    exported = exported_assessments(assessment_set, "xml")

    before, again = (read_assessments(io.BytesIO(payload))[0] for payload in (GRADED, exported.content))
    assert exported.file_name == "small-ad-hoc-v1.zip"
    assert elements_of(again.elements) == elements_of(before.elements)


@pytest.mark.parametrize(
    ("content", "text", "forms"),
    [
        (ASSESSMENTS, True, ("highlights", "qrels", "xml")),
        (ASSESSMENTS, False, ("highlights", "qrels")),
        (QRELS, True, ("qrels",)),
        (GRADED, False, ("xml",)),
    ],
    ids=["highlights with text", "highlights", "qrels", "graded elements"],
)
def test_a_set_is_offered_in_the_forms_that_can_hold_it(client, world, content, text, forms):
    if text:
        with_text(world)
    world.import_assessments(content)
    client.force_login(world.assessor)

    page = client.get("/assessing/").content.decode()

    for form in FORMS:
        offered = form in (*forms, "imported")
        assert (f'href="{ADDRESS}{form}"' in page) is offered
        assert client.get(ADDRESS + form).status_code == (200 if offered else 404)
    assert client.get(ADDRESS + "exe").status_code == 404
    assert client.get(ADDRESS.replace("v1", "v2") + "imported").status_code == 404


def test_the_board_offers_them_to_those_who_may_see_them(client, world):
    world.activate()
    run = world.submit()
    check_run(run.pk)
    score_run(run.pk)

    visitor = client.get("/campaigns/small/ad-hoc/focused/").content.decode()
    client.force_login(world.organiser)
    organiser = client.get("/campaigns/small/ad-hoc/focused/").content.decode()

    assert "assessments v1" in visitor
    assert ADDRESS not in visitor
    assert [form for form in FORMS if f'href="{ADDRESS}{form}"' in organiser] == ["imported", "highlights", "qrels"]


def test_documents_that_have_changed_are_told_on_a_page(client, world):
    with_text(world, a=article(40))
    world.import_assessments()
    client.force_login(world.organiser)

    response = client.get(ADDRESS + "xml")

    assert response.status_code == 409
    page = response.content.decode()
    assert "Line 1: document a of topic 1 is judged up to character 50, but has only 40 in the collection." in page
    assert f'href="{ADDRESS}imported"' in page


@pytest.mark.parametrize("form", FORMS)
def test_nobody_else_sees_them_before_every_task_of_the_track_reveals_them(client, world, form):
    with_text(world)
    world.import_assessments()
    other = world.new_task("thorough", closes_at=timezone.now() + timedelta(days=1))

    def statuses():
        found = []
        for user in (None, world.alice, world.assessor):
            client.logout()
            if user:
                client.force_login(user)
            found.append(client.get(ADDRESS + form).status_code)
        return found

    assert statuses() == [404, 404, 200]
    world.task.published_at = timezone.now()
    world.task.save()
    assert statuses() == [404, 404, 200]  # the other task is still running
    other.published_at = timezone.now()
    other.save()
    assert statuses() == [404, 404, 200]  # they are the answer key, and both are open
    for task in (world.task, other):
        task.closes_at = timezone.now()
        task.save()
    assert statuses() == [200, 200, 200]
    other.assessments_visible = "never"
    other.save()
    assert statuses() == [404, 404, 200]
