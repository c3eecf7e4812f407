"""Signs of life: written by doing real work, so that they cannot lie."""

from django.db import models
from django.utils import timezone

from campaign.machinery.wake import nobody_waits, wake

BEAT_TASK = "campaign.tasks.beat"


class Heartbeat(models.Model):
    """When a part of the machinery last did real work; a silent worker shows here first."""

    name = models.CharField(max_length=100, unique=True)
    at = models.DateTimeField()

    def __str__(self):
        return f"{self.name} at {self.at:%Y-%m-%d %H:%M:%S}"


def beat(name):
    """Note that this part of the machinery works."""
    Heartbeat.objects.update_or_create(name=name, defaults={"at": timezone.now()})


def has_beaten_since(name, moment):
    """Return whether a part of the machinery has shown life since a moment."""
    return Heartbeat.objects.filter(name=name, at__gte=moment).exists()


def ask_for_beat(name, asked_at=None):
    """Ask for a sign of life, unless what was asked before still waits in the queue; returns when it was asked for."""
    if asked_at is None or has_beaten_since(name, asked_at) or nobody_waits():
        asked_at = timezone.now()
        wake(BEAT_TASK, name)
    return asked_at
