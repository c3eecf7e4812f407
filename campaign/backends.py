"""Who may sign in."""

from allauth.account.auth_backends import AuthenticationBackend

from campaign.services.permissions.managing import may_sign_in


class AccountBackend(AuthenticationBackend):
    """User name or e-mail address, and password."""

    def user_can_authenticate(self, user):
        """Refuse accounts that do not work here; those signed in are signed out."""
        return super().user_can_authenticate(user) and may_sign_in(user)
