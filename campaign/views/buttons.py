"""Doing what a button asks for."""

from django.contrib import messages

from campaign.services.refusals import Refused


def pressed(request, deed, *subject, told="", **more):
    """Do a deed, and say on the next page that it was done or why not. Returns whether it was.

    `told` is the sentence, or makes it of what the deed returned.
    """
    try:
        outcome = deed(*subject, **more)
    except Refused as refusal:
        messages.error(request, refusal.reason)
        return False
    if sentence := told(outcome) if callable(told) else told:
        messages.success(request, sentence)
    return True
