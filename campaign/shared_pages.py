"""Pages that are the same for every visitor, given from memory as long as they are true.

Only those without a session get them, and no page that sets a cookie is kept. A view says from which track its page is
made (`share`), before it reads anything else. For a second nobody is asked whether a page is still true; then the mark
of its track is read, in one statement for all its pages, and a page with another mark is made anew.

To others such a page is sent compressed as well, with padding of a random length: its only secret is the token of its
forms, which is masked anew each time. Pages that hold other secrets, invitations or tokens of programs, share nothing
and are never compressed.
"""

import time

from django.db import DatabaseError
from django.http import HttpResponse, HttpResponseNotModified
from django.utils.cache import patch_vary_headers
from django.utils.text import compress_string

from campaign.machinery.page_store import LARGEST, PageStore, stored
from campaign.services.visibility.marks import mark_of

FRESH = 1.0
"""Seconds for which nobody is asked whether a page is still true."""
LONGEST = 60.0
"""Seconds after which a page is made anew whatever its mark: it says how far away deadlines are."""
HARMLESS = {"theme"}
"""Cookies that no page is made from."""
MADE_ANEW = {"content-length", "content-encoding", "etag", "vary"}
"""Headers that are written for each answer by itself."""

LEAST_BYTES = 1_000
"""Shorter answers are not worth compressing."""
PADDING = 100
"""Up to so many random bytes hide how well a page could be compressed."""

HOSTS = ("HTTP_HOST", "HTTP_X_FORWARDED_HOST", "SERVER_NAME")

pages = PageStore()
_marks = {}


def share(request, track):
    """Say that the page now being made is the same for all visitors as long as the mark of a track is.

    The mark is read before the page: what changes while it is made has another one, and the page is made anew.
    """
    request.may_be_compressed = True
    if is_for_anybody(request):
        request.shared_by = track.pk, _mark(track.pk)


def is_for_anybody(request):
    """Return whether somebody asks of whom nothing is known."""
    return (
        request.method in ("GET", "HEAD")
        and "HTTP_AUTHORIZATION" not in request.META
        and "HTTP_HX_REQUEST" not in request.META
        and not request.COOKIES.keys() - HARMLESS
    )


def shared_pages(get_response):
    """Give visitors without a session what others have been given, as long as it is true."""

    def respond(request):
        if not is_for_anybody(request):
            return _compressed(request, get_response(request))
        key = (request.is_secure(), *map(request.META.get, HOSTS), request.get_full_path())
        page = pages.get(key)
        if page is None or not _is_true(page):
            began_at = time.monotonic()
            response = get_response(request)
            track, mark = getattr(request, "shared_by", (None, None))
            if mark is None or not _can_be_kept(response):
                return response
            headers = [pair for pair in response.items() if pair[0].lower() not in MADE_ANEW]
            page = stored(track, mark, began_at, headers, response.content)
            pages.put(key, page)
        return _answer(request, page)

    return respond


def _compressed(request, response):
    """Compress a page of results for somebody of whom something is known."""
    if not getattr(request, "may_be_compressed", False) or response.streaming or "Content-Encoding" in response:
        return response
    patch_vary_headers(response, ("Accept-Encoding",))
    if "gzip" in request.META.get("HTTP_ACCEPT_ENCODING", "") and len(response.content) >= LEAST_BYTES:
        response.content = compress_string(response.content, max_random_bytes=PADDING)
        response.headers["Content-Encoding"] = "gzip"
        response.headers["Content-Length"] = str(len(response.content))
    return response


def forget_pages():
    """Forget all pages and marks of this process."""
    pages.clear()
    _marks.clear()


def _can_be_kept(response):
    """Return whether an answer is whole, in order, the same for others, and not too large to keep."""
    return (
        response.status_code == 200
        and not response.streaming
        and not response.cookies
        and len(response.content) <= LARGEST
    )


def _is_true(page):
    if time.monotonic() - page.made_at >= LONGEST:
        return False
    try:
        return _mark(page.subject) == page.mark
    except DatabaseError:
        return False  # whoever makes the page tells that the database does not answer


def _mark(track):
    """Return the mark of a track as it was at most a second ago."""
    mark, read_at = _marks.get(track, (None, None))
    now = time.monotonic()
    if read_at is None or now - read_at >= FRESH:
        mark = mark_of(track)
        _marks[track] = mark, now
    return mark


def _answer(request, page):
    """Give a page to somebody: nothing where they have it, compressed where they can read that."""
    if page.matches(request.META.get("HTTP_IF_NONE_MATCH", "")):
        response = HttpResponseNotModified()
    elif "gzip" in request.META.get("HTTP_ACCEPT_ENCODING", ""):
        response = HttpResponse(page.compressed)
        response.headers["Content-Encoding"] = "gzip"
    else:
        response = HttpResponse(page.plain())
    for name, value in page.headers:
        response.headers[name] = value
    if response.status_code == 304:
        del response.headers["Content-Type"]
    else:
        response.headers["Content-Length"] = str(len(response.content))
    response.headers["ETag"] = page.etag
    patch_vary_headers(response, ("Cookie", "Accept-Encoding"))
    return response
