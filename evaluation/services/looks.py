"""Built, looked at, then live: new boards that wait for an organiser's look, and the decision about them."""

from django.db import transaction

from campaign.services import trail
from evaluation.models import Edition
from evaluation.services.editions import finish_building, hold, let_wait, named


def wait_for_look(track, user=None, seen=None):
    """Have new boards wait for a look when they are built; tells whether they were to go live by themselves."""
    with transaction.atomic():
        hold(track, seen)
        found = _building(track, waits_for_look=False)
        if not found:
            return False
        let_wait(track)
        _record(track, found, user, waits_for_look=[False, True])
    finish_building(track)
    return True


def go_live_when_ready(track, user=None, seen=None):
    """Let new boards go live, at once if all is scored; tells whether they did, None where none waited for a look."""
    with transaction.atomic():
        hold(track, seen)
        found = _building(track, waits_for_look=True)
        if not found:
            return None
        Edition.objects.filter(pk__in=[edition.pk for edition in found]).update(waits_for_look=False)
        if finish_building(track, user=user):
            return True
        _record(track, found, user, waits_for_look=[True, False])
    return False


def _building(track, **fields):
    return list(Edition.objects.building().filter(task__track=track, **fields).select_related("task"))


def _record(track, editions, user, **changes):
    subject = f"new boards of {track.name}"
    trail.record(track.campaign, trail.CHANGED, subject, actor=user, changes=changes, editions=named(editions))
