"""Who is told what came of an assessment file, and who need not be."""

import pytest
from django.utils import timezone

from assessments.models import AssessmentImport
from assessments.services import previews
from assessments.services.previews import read_import
from campaign.machinery.leases import MAX_ATTEMPTS
from campaign.models import Notification
from campaign.services.telling.notifications import LONG_READING
from tests.assessments.on_their_way import read, taken
from tests.world import ASSESSMENTS

State = AssessmentImport.State


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (ASSESSMENTS, "v.qrels for Ad hoc (Small) has been read: look at what is in it, then accept or discard it."),
        (
            ASSESSMENTS.replace(b"1 Q0 b 0 200", b"1 Q0 b x 200"),
            "v.qrels for Ad hoc (Small) has problems, so nothing of it was imported: 1 error.",
        ),
    ],
    ids=["good", "broken"],
)
def test_whoever_had_to_wait_for_the_reading_is_told_of_it_once(world, content, told):
    found = taken(world, content)
    AssessmentImport.objects.update(created_at=timezone.now() - LONG_READING)

    read_import(found.pk)
    read_import(found.pk)

    told_of = Notification.objects.get()
    assert (told_of.user, told_of.kind, told_of.text) == (world.organiser, "import", told)
    assert told_of.address == f"/desk/campaigns/small/imports/{found.pk}/"


def test_whoever_saw_it_being_read_is_not_told(world):
    read(world)

    assert not Notification.objects.exists()


def test_the_organisers_are_told_when_reading_failed_on_our_side(world, monkeypatch):
    monkeypatch.setattr(previews, "read_for_track", lambda *arguments, **options: 1 / 0)
    found = taken(world)
    for _ in range(MAX_ATTEMPTS):
        AssessmentImport.objects.update(held_until=None)
        read_import(found.pk)
    found.refresh_from_db()

    told_of = Notification.objects.get()
    assert (found.state, told_of.user, told_of.kind) == (State.FAILED, world.organiser, "failed")
    assert f"Reading v.qrels for Ad hoc (Small) failed on our side (ref. {found.failure_reference})." in told_of.text
