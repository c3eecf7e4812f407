"""Keys to the API: shown once, kept as a digest."""

from django.conf import settings
from django.db import models


class ApiTokenQuerySet(models.QuerySet):
    """Tokens as the API asks for them."""

    def standing(self):
        """Return the tokens that have not been revoked."""
        return self.filter(revoked_at=None)


class ApiToken(models.Model):
    """A token that acts for a person; whoever reads the database cannot use it."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=100)
    digest = models.CharField("SHA-256 of the token", max_length=64, unique=True)
    beginning = models.CharField(max_length=12, help_text="The first letters, so that its owner knows it again.")
    created_at = models.DateTimeField(auto_now_add=True)
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = ApiTokenQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-pk"]
        verbose_name = "API token"

    def __str__(self):
        return f"{self.name} ({self.beginning}…)"
