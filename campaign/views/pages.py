"""What browsers and machines ask of every site."""

from django.http import HttpResponse
from django.shortcuts import redirect
from django.templatetags.static import static
from django.views.decorators.http import require_safe


@require_safe
def favicon(request):
    """Lead browsers that ask for the old kind of icon to ours."""
    return redirect(static("img/limelight.svg"))


@require_safe
def healthz(request):
    """Answer that the web server answers."""
    return HttpResponse("ok\n", content_type="text/plain")
