"""Generations of a task: what pages and analyses were made from, so that nothing older is taken for what is now so.

Called at the beginning of the transaction that changes what boards can show, before other rows are locked: whoever
takes tasks first and in the order of their keys never waits for somebody who waits for them.
"""

from django.db import transaction
from django.db.models import F

from campaign.models import Task


def raise_generation(*tasks):
    """Say, in the transaction that makes it so, that what the boards of tasks can show has changed."""
    _raise(sorted({task.pk for task in tasks}))


def raise_generations(tasks):
    """Say it of all tasks of a query."""
    _raise(sorted(set(tasks.order_by().values_list("pk", flat=True))))


def _raise(keys):
    with transaction.atomic():
        for key in keys:
            Task.objects.filter(pk=key).update(generation=F("generation") + 1)
