"""The desk's pages for assessments: who gets in, what they say, and what happens with rubbish."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from assessments.models import AssessmentImport, AssessmentSet
from assessments.services import previews
from assessments.services.previews import read_import
from campaign.models import Campaign, TrailEntry
from evaluation.services.decisions import activate
from tests.pages import source_of
from tests.world import ASSESSMENTS

DESK = "/desk/campaigns/small"
State = AssessmentImport.State


@pytest.fixture
def desk(client, world):
    client.force_login(world.organiser)
    return client


def upload(client, content=ASSESSMENTS, name="v.qrels", **fields):
    file = SimpleUploadedFile(name, content)
    return client.post(f"{DESK}/ad-hoc/assessments/upload/", {"ad-hoc-file": file, **fields})


def uploaded(client, content=ASSESSMENTS, **fields):
    upload(client, content, **fields)
    found = AssessmentImport.objects.first()
    read_import(found.pk)
    found.refresh_from_db()
    return found


def text(response):
    return source_of(response)


def test_only_organisers_of_this_campaign_get_in(client, world, desk):
    found = uploaded(desk)
    world.import_assessments()
    other = world.person("other-organiser")
    Campaign.objects.create(slug="other", name="Other", year=2026, is_public=True).organisers.add(other)
    pages = ["assessments/", "ad-hoc/differences/", f"imports/{found.pk}/", f"imports/{found.pk}/state/"]
    pages += [f"imports/{found.pk}/report.txt"]
    deeds = ["ad-hoc/assessments/upload/", "ad-hoc/assessments/v1/notes/"]
    deeds += [f"imports/{found.pk}/{deed}/" for deed in ("accept", "discard", "again")]
    superuser = world.person("root", is_superuser=True)
    roles = [(None, 302), (world.alice, 404), (world.assessor, 404), (other, 404), (superuser, 200)]

    for user, status in [*roles, (world.organiser, 200)]:
        client.logout()
        if user:
            client.force_login(user)
        for page in pages:
            assert client.get(f"{DESK}/{page}").status_code == status, (user, page)
        for deed in deeds if status != 200 else ():
            assert client.post(f"{DESK}/{deed}").status_code == status, (user, deed)
        for deed in deeds if status == 200 else ():
            assert client.get(f"{DESK}/{deed}").status_code == 405, (user, deed)
    found.refresh_from_db()
    assert found.state == State.READY


def test_an_import_is_found_only_on_the_desk_of_its_campaign(world, desk):
    found = uploaded(desk)
    Campaign.objects.create(slug="other", name="Other", year=2026).organisers.add(world.organiser)

    assert desk.get(f"/desk/campaigns/other/imports/{found.pk}/").status_code == 404
    assert desk.post(f"/desk/campaigns/other/imports/{found.pk}/accept/").status_code == 404
    assert not AssessmentSet.objects.exists()


def test_an_empty_track_says_how_versions_come(desk):
    page = text(desk.get(f"{DESK}/assessments/"))

    assert "No version yet. Upload a file below" in page
    assert "Make the topics that the track doesn’t have yet, by their numbers" in page


def test_from_upload_to_version(world, desk):
    response = upload(desk, **{"ad-hoc-notes": "the <b>first</b>"})
    found = AssessmentImport.objects.get()
    assert response.url == f"{DESK}/imports/{found.pk}/"
    page = text(desk.get(response.url))
    assert "It waits for a worker." in page
    assert f'hx-get="{DESK}/imports/{found.pk}/state/"' in page
    assert f'action="{DESK}/imports/{found.pk}/accept/"' not in page

    read_import(found.pk)
    page = text(desk.get(f"{DESK}/imports/{found.pk}/state/"))
    assert "hx-get" not in page
    assert "Accept as the next version" in page
    assert "Every line could be read, and none was odd." in page
    assert '<th scope="row">Highlighted characters</th><td class="number">210</td>' in page

    response = desk.post(f"{DESK}/imports/{found.pk}/accept/", follow=True)
    page = text(response)
    assert "v.qrels is now v1 of Ad hoc." in page
    assert "the &lt;b&gt;first&lt;/b&gt;" in page
    assert "not live" in page
    assert "/campaigns/small/ad-hoc/assessments/v1/imported" in page
    assert "On the way in" not in page

    activate(AssessmentSet.objects.get())
    assert '<span class="state good">live</span> for Focused' in text(desk.get(f"{DESK}/assessments/"))


def test_accepting_twice_on_the_page_says_the_same_and_makes_one_version(desk):
    found = uploaded(desk)

    for _ in range(2):
        page = text(desk.post(f"{DESK}/imports/{found.pk}/accept/", follow=True))
        assert "v.qrels is now v1 of Ad hoc." in page
    assert AssessmentSet.objects.count() == 1


def test_a_broken_file_shows_its_problems_by_rule_and_as_a_whole(desk):
    found = uploaded(desk, ASSESSMENTS + b"3 Q0 a ten 200 0 0:10\n3 Q0\n")

    page = text(desk.get(f"{DESK}/imports/{found.pk}/"))
    assert "has problems" in page
    assert "Nothing was imported. Correct the file and <a href=" in page
    assert "Too few or too many fields" in page
    assert "<b>Line 6:</b>" in page
    assert "Accept as the next version" not in page
    report = text(desk.get(f"{DESK}/imports/{found.pk}/report.txt"))
    assert report.startswith("v.qrels:6: ")
    assert len(report.splitlines()) == 2
    told = json.loads(desk.get(f"{DESK}/imports/{found.pk}/report.json").content)
    assert (told["file"], told["state"], len(told["problems"])) == ("v.qrels", "rejected", 2)
    assert desk.get(f"{DESK}/imports/{found.pk}/report.exe").status_code == 404
    page = text(desk.post(f"{DESK}/imports/{found.pk}/accept/", follow=True))
    assert "This file has problems, so nothing of it was imported." in page


def test_missing_topics_can_be_made_from_the_page(world, desk):
    found = uploaded(desk, ASSESSMENTS + b"9 Q0 a 0 200\n")
    assert "Make the missing topics and read it again" in text(desk.get(f"{DESK}/imports/{found.pk}/"))

    desk.post(f"{DESK}/imports/{found.pk}/again/", {"makes_topics": "yes"})
    read_import(found.pk)
    page = text(desk.get(f"{DESK}/imports/{found.pk}/"))
    assert "Topics that will be made: 9." in page
    assert '<th scope="row">9 <span class="quiet">new</span></th>' in page

    desk.post(f"{DESK}/imports/{found.pk}/accept/")
    assert world.track.topics.filter(number="9").exists()


def test_a_failure_on_our_side_has_a_reference_and_a_way_on(desk, monkeypatch):
    found = uploaded(desk)
    AssessmentImport.objects.update(state="failed", failure_reference="7F3A21", outcome={})

    page = text(desk.get(f"{DESK}/imports/{found.pk}/"))
    assert "Reading this file failed on our side (ref. 7F3A21). Nothing was imported, and the file is kept." in page
    desk.post(f"{DESK}/imports/{found.pk}/again/")
    found.refresh_from_db()
    assert (found.state, found.failure_reference) == (State.RECEIVED, "")


def test_reading_again_what_is_ready_changes_nothing(desk):
    found = uploaded(desk)

    assert desk.post(f"{DESK}/imports/{found.pk}/again/").status_code == 302

    found.refresh_from_db()
    assert found.state == State.READY


def test_discarding_says_so_also_twice(desk):
    found = uploaded(desk)

    for _ in range(2):
        page = text(desk.post(f"{DESK}/imports/{found.pk}/discard/", follow=True))
        assert "v.qrels is discarded. Nothing of it was imported." in page
    assert "It was discarded" in text(desk.get(f"{DESK}/imports/{found.pk}/"))
    assert TrailEntry.objects.filter(deed="discarded").count() == 1


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({}, "Choose a file of assessments."),
        ({"ad-hoc-file": SimpleUploadedFile("empty.qrels", b"")}, "This file is empty."),
    ],
)
def test_an_upload_without_a_file_is_answered_with_a_sentence(desk, fields, sentence):
    response = desk.post(f"{DESK}/ad-hoc/assessments/upload/", fields)

    assert response.status_code == 422
    assert sentence in text(response)
    assert not AssessmentImport.objects.exists()


def test_a_file_over_the_limit_is_answered_with_a_sentence(desk, settings):
    settings.UPLOAD_LIMIT_MB = 0

    response = upload(desk)

    assert response.status_code == 422
    assert "This file is larger than 0 MB. Pack it with gzip or zip." in text(response)


def test_rubbish_is_rejected_in_words(desk):
    found = uploaded(desk, bytes(range(256)) * 40)

    assert found.state == State.REJECTED
    assert desk.get(f"{DESK}/imports/{found.pk}/").status_code == 200


def test_notes_of_a_version_are_changed_on_the_page(world, desk):
    version = world.import_assessments()

    page = text(desk.post(f"{DESK}/ad-hoc/assessments/v1/notes/", {"notes": "better"}, follow=True))
    assert "The notes of v1 are changed." in page
    response = desk.post(f"{DESK}/ad-hoc/assessments/v1/notes/", {"notes": "x" * 2001})
    assert response.status_code == 422
    assert "Notes have at most 2000 characters." in text(response)
    assert desk.post(f"{DESK}/ad-hoc/assessments/v7/notes/", {"notes": "x"}).status_code == 404
    version.refresh_from_db()
    assert version.notes == "better"


def test_differences_are_shown_per_topic_and_document(world, desk):
    world.import_assessments()
    world.import_assessments(ASSESSMENTS.replace(b"1 Q0 b 0 200\n", b"1 Q0 =b 12 200 0 0:12\n"))

    page = text(desk.get(f"{DESK}/ad-hoc/differences/?from=1&to=2"))
    assert "What changed from v1 to v2" in page
    assert "1 document added, 1 dropped, 0 changed, 4 as before. 12 characters gained, 0 lost." in page
    assert 'href="/campaigns/small/ad-hoc/topics/1/"' in page
    assert "1 topic with a change" in page
    table = text(desk.get(f"{DESK}/ad-hoc/differences.csv?from=1&to=2")).splitlines()
    assert table[1:] == ["1,'=b,added,12,0,,0,,", "1,b,dropped,0,0,,,,"]


def test_differences_the_other_way_round_and_with_itself(world, desk):
    world.import_assessments()
    world.import_assessments(ASSESSMENTS + b"3 Q0 a 5 200 0 0:5\n")

    assert "0 documents added, 1 dropped" in text(desk.get(f"{DESK}/ad-hoc/differences/?from=2&to=1"))
    assert "judge the same documents in the same way: 5 judgements" in text(
        desk.get(f"{DESK}/ad-hoc/differences/?from=1&to=1")
    )
    assert "What changed from v1 to v2" in text(desk.get(f"{DESK}/ad-hoc/differences/"))


@pytest.mark.parametrize("question", ["?from=9&to=1", "?from=one&to=2", "?from=-1", "?to=%00"])
def test_differences_with_a_version_that_is_not_there(world, desk, question):
    world.import_assessments()
    world.import_assessments()

    assert desk.get(f"{DESK}/ad-hoc/differences/{question}").status_code == 404
    assert desk.get(f"{DESK}/ad-hoc/differences.csv{question}").status_code == 404


def test_differences_of_one_version_teach(world, desk):
    world.import_assessments()

    assert "There is one version so far." in text(desk.get(f"{DESK}/ad-hoc/differences/"))
    assert desk.get(f"{DESK}/ad-hoc/differences.csv").status_code == 404


def test_long_lists_of_documents_are_cut_on_the_page_and_whole_in_the_csv(world, desk, monkeypatch):
    monkeypatch.setattr("assessments.views.desk.differences.DOCUMENTS_SHOWN", 2)
    world.import_assessments()
    world.import_assessments(b"1 Q0 x 0 9\n1 Q0 y 0 9\n1 Q0 z 0 9\n")

    page = text(desk.get(f"{DESK}/ad-hoc/differences/"))

    assert "3 more documents in the CSV." in page
    assert len(text(desk.get(f"{DESK}/ad-hoc/differences.csv")).splitlines()) == 9


def test_an_import_that_is_being_read_shows_how_far(desk, monkeypatch):
    upload(desk)
    found = AssessmentImport.objects.claim(AssessmentImport.objects.get().pk)
    monkeypatch.setattr(previews, "SECONDS_A_NOTE", 0)
    previews._progress_of(found)(0.42)

    page = text(desk.get(f"{DESK}/imports/{found.pk}/"))

    assert 'value="42"' in page
    assert "being read" in page


def test_the_same_file_again_is_said_to_be_the_same(world, desk):
    world.import_assessments()

    page = text(desk.get(f"{DESK}/imports/{uploaded(desk).pk}/"))
    other = text(desk.get(f"{DESK}/imports/{uploaded(desk, ASSESSMENTS + b'3 Q0 a 10 200 0 0:10' + bytes([10])).pk}/"))

    assert "This is the same file as v1, which was imported before." in page
    assert "This is the same file" not in other
