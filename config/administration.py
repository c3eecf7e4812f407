"""The administration: tables for superusers. Organisers have the desk, which shows them their own campaigns alone."""

from django.apps import apps
from django.contrib import messages
from django.contrib.admin import AdminSite
from django.contrib.admin.apps import AdminConfig

from config.operators import warnings

OURS = {"campaign", "assessments", "evaluation"}
"""The apps whose tables are shown; addresses and sign-ins have pages of their own, with rules."""


class Administration(AdminSite):
    """Django's tables, behind one door: only whoever may see every campaign comes in."""

    site_header = "Limelight administration"
    site_title = "Limelight"
    index_title = "Tables"

    def has_permission(self, request):
        """Let superusers in."""
        return request.user.is_active and request.user.is_superuser

    def register(self, model_or_iterable, admin_class=None, **options):
        """Take our own tables, and leave those of others out."""
        models = [model_or_iterable] if isinstance(model_or_iterable, type) else list(model_or_iterable)
        super().register([model for model in models if model._meta.app_label in OURS], admin_class, **options)

    def index(self, request, extra_context=None):
        """Say what those who run the site should know, and where things are imported and changed, above the tables."""
        for warning in warnings():
            messages.warning(request, warning)
        campaigns = apps.get_model("campaign", "Campaign").objects.all()
        return super().index(request, {"campaigns": campaigns} | (extra_context or {}))


class AdministrationConfig(AdminConfig):
    """Puts ours in the place of Django's."""

    default_site = "config.administration.Administration"
