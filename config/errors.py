"""The pages shown when something is wrong."""

from django.conf import settings
from django.shortcuts import render

from campaign.api.problems import is_rewritable, rewritten
from config.faults import answer_to


def bad_request(request, exception=None):
    """Show the page for a request we cannot make sense of, or for whose file there was no room."""
    return answer_to(request, exception) or render(request, "400.html", status=400)


def forbidden(request, exception=None):
    """Show the page for something that isn't this person's to see."""
    page = getattr(exception, "page", "403.html")  # some refusals have a page that shows the way in
    return render(request, page, {"reason": str(exception or ""), "refusal": exception}, status=403)


def not_found(request, exception=None):
    """Show the page for an address that leads nowhere."""
    return render(request, "404.html", status=404)


def our_not_found_page(get_response):
    """Show our page for a missing address with DEBUG on, too: a table of URL patterns helps nobody who is lost."""

    def respond(request):
        response = get_response(request)
        is_missing = response.status_code == 404 and response["Content-Type"].startswith("text/html")
        if settings.DEBUG and is_missing and not hasattr(response, "says_why"):
            return not_found(request)
        return response

    return respond


def answers_of_the_api(get_response):
    """Give machines no page to read: below /api/ errors are problem details; and let no cache keep an answer."""

    def respond(request):
        response = get_response(request)
        if not request.path.startswith("/api/"):
            return response
        response.headers.setdefault("Cache-Control", "no-store")  # who asks decides what is seen
        return rewritten(response) if is_rewritable(response) else response

    return respond


def csrf_failure(request, reason=""):
    """Show the page for a form that was open too long, or came from elsewhere."""
    return render(request, "csrf.html", status=403)


def too_often(request):
    """Show the page for somebody who tried something too often in a short time."""
    response = render(request, "429.html", status=429)
    response["Retry-After"] = 60
    return response
