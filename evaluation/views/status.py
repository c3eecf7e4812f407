"""The status page, for everyone."""

from django.http import JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from evaluation.services.status import status as current_status


@require_safe
def status(request):
    """Show whether workers are alive, how much waits and since when."""
    return render(request, "evaluation/status.html", {"status": current_status()})


@require_safe
def status_json(request):
    """Tell the same to machines."""
    found = current_status()
    return JsonResponse(
        {
            "well": found.is_well,
            "parts": [{"name": part.name, "alive": part.is_alive, "last_seen": part.last_seen} for part in found.parts],
            "waiting": found.waiting,
            "working": found.working,
            "oldest_waiting": found.oldest_waiting,
            "last_scored": found.last_scored,
        }
    )
