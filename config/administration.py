"""The administration: tables for superusers. Organisers have the desk, which shows them their own campaigns alone."""

from django.contrib.admin import AdminSite
from django.contrib.admin.apps import AdminConfig


class Administration(AdminSite):
    """Django's tables, behind one door: only whoever may see every campaign comes in."""

    site_header = "Limelight administration"
    site_title = "Limelight"
    index_title = "Tables"

    def has_permission(self, request):
        """Let superusers in."""
        return request.user.is_active and request.user.is_superuser


class AdministrationConfig(AdminConfig):
    """Puts ours in the place of Django's."""

    default_site = "config.administration.Administration"
