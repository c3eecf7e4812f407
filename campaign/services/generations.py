"""Generations of a task: what pages and analyses were made from, so that nothing older is taken for what is now so."""

from django.db.models import F

from campaign.models import Task


def raise_generation(*tasks):
    """Say, in the transaction that makes it so, that what the boards of tasks can show has changed."""
    Task.objects.filter(pk__in=[task.pk for task in tasks]).update(generation=F("generation") + 1)
