"""Where django-allauth asks us how things are done here."""

import logging
import smtplib
from urllib.parse import urlsplit

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.core import context
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from django.conf import settings
from django.contrib import messages

from campaign.services.permissions.managing import may_sign_in
from campaign.sign_in import counted_for, is_guessed_too_often, remember_device

logger = logging.getLogger(__name__)

NO_MATCH = "This {} and password do not go together. The password is case-sensitive."
MAIL_PROBLEM = (
    "We could not send a mail to {email} just now. Nothing is lost: try again later, "
    "or ask an organiser of your campaign to confirm your account."
)


class AccountAdapter(DefaultAccountAdapter):
    """Accounts with passwords."""

    error_messages = DefaultAccountAdapter.error_messages | {
        "username_password_mismatch": NO_MATCH.format("user name"),
        "email_password_mismatch": NO_MATCH.format("e-mail address"),
        "too_many_login_attempts": "That was a wrong password too often. Wait five minutes, or reset the password.",
        "username_taken": "This user name is taken. Choose another one.",
        "email_taken": "There is already an account with this e-mail address.",
        "incorrect_password": "This is not your password. It is case-sensitive.",
        "invalid_password_reset": "This link has been used or is too old. Ask for a new one.",
    }

    def send_mail(self, template_prefix, email, context_of_mail):
        """Send a mail, or say that it could not be sent: a mail server that is away stops nobody."""
        try:
            super().send_mail(template_prefix, email, with_our_links(context_of_mail))
        except (OSError, smtplib.SMTPException) as problem:
            logger.error("Mail %s could not be sent: %s", template_prefix, problem)
            if context.request is not None:
                messages.error(context.request, MAIL_PROBLEM.format(email=email))

    def pre_login(self, request, user, **kwargs):
        """Take the address of an account that was made on the command line, or for the demo, as confirmed."""
        if (user.is_superuser or user.is_demo) and user.email and not EmailAddress.objects.filter(user=user).exists():
            EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
        return super().pre_login(request, user, **kwargs)

    def post_login(self, request, user, **kwargs):
        """Let the device be known from now on: wrong passwords from elsewhere do not lock it out."""
        return remember_device(super().post_login(request, user, **kwargs), request, user)

    def pre_authenticate(self, request, **credentials):
        """Count a guess; too many in a short time are refused before the password is looked at."""
        super().pre_authenticate(request, **credentials)
        if is_guessed_too_often(request, _login(credentials)):
            raise self.validation_error("too_many_login_attempts")

    def _get_login_attempts_cache_key(self, request, **credentials):
        return counted_for(request, _login(credentials), self.get_client_ip(request))


def _login(credentials):
    return credentials.get("email") or credentials.get("username") or ""


def with_our_links(context_of_mail):
    """Let every link of a mail begin with SITE_URL: the Host header of a request is anybody's to write."""
    ours = {"site_address": settings.SITE_URL}
    for name, value in context_of_mail.items():
        if name.endswith("_url"):
            parts = urlsplit(value)
            value = settings.SITE_URL + parts.path + (f"?{parts.query}" if parts.query else "")
        ours[name] = value
    return ours


class OrcidAdapter(DefaultSocialAccountAdapter):
    """Accounts that sign in with ORCID."""

    def pre_social_login(self, request, sociallogin):
        """Keep out accounts that do not work here."""
        if sociallogin.is_existing and not may_sign_in(sociallogin.user):
            sociallogin.user.is_active = False  # for this request: allauth then shows the page that says so

    def on_authentication_error(self, request, provider, error=None, exception=None, extra_context=None):
        """Leave word of what ORCID said in the log; the page says what to do."""
        logger.error("Signing in with %s failed: %s %s", provider, error, exception)
