"""Light or dark, as a reader chose: for browsers that run no script; with one, static/js/theme.js does the same."""

from urllib.parse import urlsplit

from django.http import HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_cookie

COOKIE = "theme"
THEMES = ("light", "dark")
A_YEAR = 365 * 24 * 3600


@csrf_exempt  # the form stands on pages that are the same for everybody; all it changes is a colour
@require_POST
def choose(request):
    """Keep the choice in a cookie and lead back to the page that was open."""
    theme = request.POST.get("theme")
    if theme not in (*THEMES, "system"):
        return HttpResponseBadRequest("The theme is one of: system, light, dark.\n", content_type="text/plain")
    response = redirect(_page_before(request))
    if theme == "system":
        response.delete_cookie(COOKIE, samesite="Lax")
    else:
        response.set_cookie(COOKIE, theme, max_age=A_YEAR, secure=request.is_secure(), samesite="Lax")
    return response


def _page_before(request):
    """Return the address on this site that the form was sent from, or the front page."""
    address = request.headers.get("Referer", "")
    if not url_has_allowed_host_and_scheme(address, {request.get_host()}, require_https=request.is_secure()):
        return "home"
    page = urlsplit(address)
    path = page._replace(scheme="", netloc="", fragment="").geturl()
    return path if path.startswith("/") and not path.startswith("//") else "home"


@vary_on_cookie
@require_safe
def stylesheet(request):
    """Say which of its two colours each thing has: the only answer that depends on the choice."""
    theme = request.COOKIES.get(COOKIE)
    rule = f":root {{ color-scheme: {theme}; }}\n" if theme in THEMES else ""
    return HttpResponse(rule, content_type="text/css", headers={"Cache-Control": "private, no-cache"})
