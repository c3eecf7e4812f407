"""Asking before something is done that many would notice: what it does, in numbers, and whether it should be."""

from django.urls import reverse

from campaign.views.desk.frame import render_desk

ANSWER = "sure"
"""The field by which a question is answered; it holds what the question was about."""


def answered(request):
    """Return what somebody said yes to; empty where nothing was asked yet."""
    return request.POST.get(ANSWER, "")


def ask(request, campaign, *, heading, sentences, button, seen, tab, changed="", replaced=None, **more):
    """Show a question; the answer sends all that was sent, and what the question was about.

    `changed` is said first where somebody had said yes to something that is different by now. More can be tables,
    ticks, whether the deed is grave, and the page to go back to; `replaced` are fields that are sent with other values.
    """
    replaced = replaced or {}
    left_out = {"csrfmiddlewaretoken", ANSWER, *replaced, *(tick["name"] for tick in more.get("ticks", ()))}
    context = {
        "heading": heading,
        "sentences": sentences,
        "button": button,
        "changed": changed,
        "answer": ANSWER,
        "seen": seen,
        "fields": [*_sent(request, left_out), *replaced.items()],
        "back": reverse(tab, args=[campaign.slug]),
    }
    return render_desk(request, "desk/question.html", campaign, context | more, tab=tab)


def _sent(request, left_out):
    return [(name, value) for name in request.POST if name not in left_out for value in request.POST.getlist(name)]
