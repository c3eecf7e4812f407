"""Signing in."""

from django.conf import settings
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView


class SignInForm(AuthenticationForm):
    """User name and password, with errors that say what to do."""

    error_messages = {
        "invalid_login": "This user name and password do not go together. Both are case-sensitive.",
        "inactive": "This account is switched off. An organiser can switch it on again.",
    }


class SignInView(LoginView):
    """The sign-in page; leads back to where the person wanted to go."""

    template_name = "campaign/sign_in.html"
    authentication_form = SignInForm
    redirect_authenticated_user = True
    extra_context = {"demo_accounts": settings.DEMO_ACCOUNTS}
