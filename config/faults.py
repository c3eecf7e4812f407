"""Answers to what goes wrong on our side: a page, a line for our scripts, or problem details; one line in the log."""

import logging
import sys

from django.http import JsonResponse
from django.shortcuts import render

from campaign.api.problems import told_of
from campaign.faults import fault_of

logger = logging.getLogger(__name__)


class Faults:
    """Answers exceptions of views that are no fault of whoever asked."""

    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request):
        """Pass the request on."""
        return self.get_response(request)

    def process_exception(self, request, error):
        """Answer a fault that we know; the rest is for Django."""
        return answer_to(request, error)


def answer_to(request, error):
    """Return the answer to a fault that we know, or None."""
    if request.path.startswith("/api/"):
        return told_of(request, error)
    fault = fault_of(error)
    if fault is None:
        return None
    if fault.is_logged:
        logger.error("%s: %s", fault.heading, request.path, exc_info=error)
    response = _answer(request, fault)
    if fault.retry_after:
        response["Retry-After"] = fault.retry_after
    return response


def _answer(request, fault):
    if request.headers.get("X-Requested-With") == "XMLHttpRequest":
        return JsonResponse({"errors": {"__all__": [fault.sentence]}}, status=fault.status)
    return render(request, "fault.html", {"fault": fault}, status=fault.status)


def server_error(request):
    """Answer what got past the views: a page that needs no database."""
    answer = answer_to(request, sys.exc_info()[1])
    return answer or render(request, "500.html", status=500)
