"""Editions as addresses name them."""

from django.http import Http404

from evaluation.models import Edition


def edition_or_404(task, view, number=None):
    """Return the edition with a number that somebody may open; without a number the live one, or None before it is."""
    if number is None:
        return Edition.objects.live_for(task)
    edition = Edition.objects.shown_to(view).for_board().filter(task=task, number=number).first()
    if edition is None:
        raise Http404("This board has no such edition.")
    return edition
