"""What every answer says about who may keep it and what it may use."""

from django.conf import settings

UNUSED = "accelerometer browsing-topics camera display-capture geolocation gyroscope microphone midi payment usb"
PERMISSIONS = ", ".join(f"{feature}=()" for feature in UNUSED.split())


def careful_headers(get_response):
    """Keep answers to people who are signed in out of shared caches, and other sites away from all of them."""

    def respond(request):
        response = get_response(request)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS)
        response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        kept_by = "private, no-cache" if is_personal(request, response) else "no-cache"
        response.headers.setdefault("Cache-Control", kept_by)
        if has_signed_out(response):
            response.headers["Clear-Site-Data"] = '"cache"'  # the next person here goes back to no page of the last one
        return response

    return respond


def is_personal(request, response):
    """Return whether an answer may depend on who asks: a session came with the question, or begins or ends with it."""
    name = settings.SESSION_COOKIE_NAME
    return name in request.COOKIES or name in response.cookies or "HTTP_AUTHORIZATION" in request.META


def has_signed_out(response):
    """Return whether an answer takes the session away."""
    session = response.cookies.get(settings.SESSION_COOKIE_NAME)
    return session is not None and not session.value
