"""Doing what a form asks for."""

from campaign.services.refusals import Refused


def attempted(form, deed, *subject, **more):
    """Do a deed with a form's answers; a refusal becomes the form's own error.

    Returns what was made; None where the form is not filled in rightly or the deed was refused. A form whose fields are
    not the deed's own has `answers()`.
    """
    if not form.is_valid():
        return None
    answers = form.answers() if hasattr(form, "answers") else form.cleaned_data
    try:
        return deed(*subject, **answers, **more)
    except Refused as refusal:
        form.add_error(refusal.field, refusal.reason)
        return None
