"""Who may sign in."""

from allauth.account.auth_backends import AuthenticationBackend
from django.conf import settings


def may_sign_in(user):
    """Tell whether an account works here: demo accounts do only where nobody else can reach the server."""
    return user.is_active and (settings.DEMO_ACCOUNTS or not user.is_demo)


class AccountBackend(AuthenticationBackend):
    """User name or e-mail address, and password."""

    def user_can_authenticate(self, user):
        """Refuse accounts that do not work here; those signed in are signed out."""
        return super().user_can_authenticate(user) and may_sign_in(user)
