"""Who may sign in."""

from django.conf import settings
from django.contrib.auth.backends import ModelBackend


class AccountBackend(ModelBackend):
    """Passwords from the database; demo accounts only where nobody else can reach the server."""

    def user_can_authenticate(self, user):
        """Refuse inactive accounts, and demo accounts outside a development machine."""
        return super().user_can_authenticate(user) and (settings.DEMO_ACCOUNTS or not user.is_demo)
