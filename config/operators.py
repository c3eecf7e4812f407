"""What those who run a site should know about how it is set up."""

from django.conf import settings

NO_MAIL_SERVER = [f"django.core.mail.backends.{name}.EmailBackend" for name in ("console", "dummy", "filebased")]
WITHOUT_MAIL = (
    "No mail server is set up: nobody gets mail, and whoever signs up cannot confirm an address. Set EMAIL_URL "
    "(docs/operating.md, Mail)."
)


def warnings():
    """Return a sentence for each thing that a site in production lacks."""
    return [WITHOUT_MAIL] if not settings.DEBUG and settings.EMAIL_BACKEND in NO_MAIL_SERVER else []
