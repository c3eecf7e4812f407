"""What the API says when something is wrong: problem details as RFC 9457 has them, always in the same form."""

import json
import logging
from http import HTTPStatus

from django.core.exceptions import BadRequest, PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.http import Http404, HttpResponse, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from ninja.errors import ValidationError

from campaign.faults import fault_of
from campaign.forms.uploads import is_too_large, too_large
from campaign.machinery.leases import new_reference
from campaign.services.runs.submissions import KeyTaken, Refused

logger = logging.getLogger(__name__)

CONTENT_TYPE = "application/problem+json"
TITLES = {413: "Content Too Large", 422: "Unprocessable Content"}  # as RFC 9110 has them; Python's vary by version
NOTHING_THERE = "There is nothing at this address that you may see."
SENTENCES = {
    400: "This request makes no sense to us.",
    403: "This is not yours to do.",
    404: NOTHING_THERE,
    413: "This request is too large.",
    500: "This one is our fault. It is in our log; please try again in a moment.",
}


class ApiProblem(Exception):
    """Ends a request with a problem that names its status, and says in a sentence what is wrong."""

    def __init__(self, status, detail, errors=(), headers=None):
        self.status, self.detail, self.errors, self.headers = status, detail, errors, headers or {}
        super().__init__(detail)


def problem(status, detail, errors=(), headers=None):
    """Return a response with problem details; `errors` are dictionaries with field, line and message."""
    return HttpResponse(body(status, detail, errors), CONTENT_TYPE, status, headers=headers)


def body(status, detail, errors=()):
    """Return problem details as JSON."""
    told = {"type": "about:blank", "title": title_of(status), "status": status, "detail": detail}
    if errors:
        told["errors"] = list(errors)
    return json.dumps(told, ensure_ascii=False)


def title_of(status):
    """Return the name of a status."""
    return TITLES.get(status) or HTTPStatus(status).phrase


def wrong(message, field=None, line=None):
    """Return one thing that is wrong, as `errors` lists it."""
    return {"field": field, "line": line, "message": message}


def rewritten(response):
    """Turn an error page into problem details, keeping its status and headers."""
    status = response.status_code
    if status == 405:
        detail = f"This address answers to {response['Allow']} only."
    else:
        detail = SENTENCES.get(status) or f"{title_of(status)}."
    response.content = body(status, detail)
    response["Content-Type"] = CONTENT_TYPE
    response["Content-Length"] = len(response.content)
    return response


def is_rewritable(response):
    """Return whether a response is an error that does not come as problem details yet."""
    return response.status_code >= 400 and response["Content-Type"] != CONTENT_TYPE and not response.streaming


def handlers():
    """Pair each exception that can end a request with the function that answers it."""
    return {
        ApiProblem: lambda request, error: problem(error.status, error.detail, error.errors, error.headers),
        Refused: refused,
        KeyTaken: lambda request, error: problem(409, error.reason, [wrong(error.reason, "Idempotency-Key")]),
        ValidationError: invalid,
        Http404: lambda request, error: problem(404, NOTHING_THERE),
        PermissionDenied: lambda request, error: problem(403, str(error) or SENTENCES[403]),
        RequestDataTooBig: lambda request, error: problem(413, "The fields beside the file are too long."),
        MultiPartParserError: unreadable,
        UnreadablePostError: lambda request, error: problem(400, "The request ended before its file was complete."),
        BadRequest: lambda request, error: problem(400, SENTENCES[400]),
        SuspiciousOperation: lambda request, error: problem(400, SENTENCES[400]),
        Exception: broken,
    }


def unreadable(request, error):
    """Answer a form that cannot be read, or for whose file there was no room."""
    return told_of(request, error) or problem(400, f"The form cannot be read: {error}.")


def told_of(request, error):
    """Return what is told of a fault of ours that has a sentence of its own; None for others."""
    fault = fault_of(error)
    if fault is None:
        return None
    if fault.is_logged:
        logger.error("%s: %s", fault.heading, request.path, exc_info=error)
    return problem(
        fault.status, fault.sentence, headers={"Retry-After": fault.retry_after} if fault.retry_after else None
    )


def refused(request, refusal):
    """Answer a submission that was not taken: a field is wrong, or it may not be submitted at all."""
    if refusal.field is None:
        return problem(403, refusal.reason)
    field = "Idempotency-Key" if refusal.field == "submission_key" else refusal.field
    return problem(422, refusal.reason, [wrong(refusal.reason, field)])


def invalid(request, error):
    """Answer fields and parameters that are missing or have the wrong form, all at once."""
    if any(found["loc"][0] == "file" for found in error.errors):
        if is_too_large(request):
            return problem(413, too_large(), [wrong(too_large(), "file")])
        if request.content_type != "multipart/form-data":
            return problem(415, "Send the run as the file of a form: multipart/form-data with a field named file.")
    errors = [wrong(_sentence(found), str(found["loc"][-1])) for found in error.errors]
    return problem(422, " ".join(f"{found['field']}: {found['message']}" for found in errors), errors)


def _sentence(found):
    if found["loc"][0] == "file":
        return "Send the run file in this field."
    return f"{found['msg']}."


def broken(request, error):
    """Answer what is our fault: in its own words, or under a reference that stands in the log."""
    if told := told_of(request, error):
        return told
    reference = new_reference()
    logger.error("The API failed at %s (ref. %s).", request.path, reference, exc_info=error)
    return problem(
        500,
        f"This one is our fault (ref. {reference}). It is in our log; please try again in a moment, and tell the "
        "organisers the reference if it happens again.",
    )
