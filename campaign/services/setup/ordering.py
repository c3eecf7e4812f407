"""The order in which an organiser wants things shown."""


def move(entry, siblings, *, down):
    """Move something one place up or down among its siblings; returns whether there was a place to go to."""
    order = list(siblings.order_by("position", "name"))
    here = order.index(entry)
    there = here + (1 if down else -1)
    if not 0 <= there < len(order):
        return False
    order[here], order[there] = order[there], order[here]
    for position, one in enumerate(order, start=1):
        siblings.filter(pk=one.pk).update(position=position)
    return True
