"""The answer key is for those who may see it."""

from datetime import timedelta

from django.utils import timezone

from tests.world import ASSESSMENTS

IMPORTED = "/campaigns/small/ad-hoc/assessments/v1/imported"
TEXT = "/campaigns/small/ad-hoc/assessments/v1/qrels"


def test_assessments_come_back_as_imported_and_as_text(client, world):
    world.import_assessments()
    client.force_login(world.organiser)

    imported = client.get(IMPORTED)
    assert b"".join(imported.streaming_content) == ASSESSMENTS
    assert imported["Content-Disposition"] == 'attachment; filename="small.qrels"'
    assert client.get(TEXT).content == ASSESSMENTS
    assert client.get(TEXT.replace("qrels", "exe")).status_code == 404
    assert client.get(TEXT.replace("v1", "v2")).status_code == 404


def test_nobody_else_sees_them_before_every_task_of_the_track_reveals_them(client, world):
    world.import_assessments()
    other = world.new_task("thorough", closes_at=timezone.now() + timedelta(days=1))

    def statuses():
        found = []
        for user in (None, world.alice, world.assessor):
            client.logout()
            if user:
                client.force_login(user)
            found.append(client.get(IMPORTED).status_code)
        return found

    assert statuses() == [404, 404, 200]
    world.task.published_at = timezone.now()
    world.task.save()
    assert statuses() == [404, 404, 200]  # the other task is still running
    other.published_at = timezone.now()
    other.save()
    assert statuses() == [200, 200, 200]
    other.assessments_visible = "never"
    other.save()
    assert statuses() == [404, 404, 200]
