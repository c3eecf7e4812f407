"""The status page, for everyone, and the answer for machines that watch the site."""

from django.db import Error
from django.http import JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from campaign.faults import AWAY
from config.operators import warnings
from evaluation.services.readiness import OK, READINESS
from evaluation.services.status import status as current_status


@require_safe
def status(request):
    """Show whether workers are alive, how much waits and since when."""
    for_operators = warnings() if request.user.is_superuser else []
    return render(request, "evaluation/status.html", {"status": current_status(), "warnings": for_operators})


@require_safe
def status_json(request):
    """Tell the same to machines; the code says it, too."""
    try:
        found = current_status()
    except Error:
        return JsonResponse({"well": False, "reason": AWAY}, status=503)
    return JsonResponse(
        {
            "well": found.is_well,
            "parts": [{"name": part.name, "alive": part.is_alive, "last_seen": part.last_seen} for part in found.parts],
            "waiting": found.waiting,
            "working": found.working,
            "oldest_waiting": found.oldest_waiting,
            "not_entered": found.not_entered,
            "messages": found.messages,
            "usual_seconds": found.usual_seconds,
            "last_scored": found.last_scored,
        },
        status=200 if found.is_well else 503,
    )


@require_safe
def readyz(request):
    """Return whether database, queue, storage and workers can do their work, and which of them cannot."""
    parts = READINESS.answers()
    is_ready = all(answer == OK for answer in parts.values())
    response = JsonResponse({"ready": is_ready, "parts": parts}, status=200 if is_ready else 503)
    response["Cache-Control"] = "no-store"
    return response
