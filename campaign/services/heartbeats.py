"""Signs of life: written by doing real work, so that they cannot lie."""

from django.utils import timezone

from campaign.models import Heartbeat


def beat(name):
    """Note that this part of the machinery works."""
    Heartbeat.objects.update_or_create(name=name, defaults={"at": timezone.now()})


def has_beaten_since(name, moment):
    """Tell whether a part of the machinery has shown life since a moment."""
    return Heartbeat.objects.filter(name=name, at__gte=moment).exists()
