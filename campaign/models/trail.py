"""The trail: who did what and when; written once and never changed."""

from django.conf import settings
from django.db import models

from campaign.models.campaigns import Campaign


class TrailIsFinal(Exception):
    """Somebody tried to change or remove an entry of the trail."""


class TrailQuerySet(models.QuerySet):
    """Entries as the pages ask for them; none can be changed through it."""

    def of_campaigns_of(self, user):
        """Return the entries that an organiser may read."""
        return self if user.is_superuser else self.filter(campaign__organisers=user)

    def update(self, **changes):
        """Refuse: what was done was done."""
        raise TrailIsFinal("Entries of the trail are not changed.")

    def delete(self):
        """Refuse: what was done was done."""
        raise TrailIsFinal("Entries of the trail are not removed.")


class TrailEntry(models.Model):
    """One deed: an import, an activation, a publication, a grant, a deletion or a change of settings."""

    class Through(models.TextChoices):
        SITE = "site", "on the site"
        COMMAND = "command", "on the command line"
        ADMIN = "admin", "in the administration"
        MACHINERY = "machinery", "by the machinery"

    at = models.DateTimeField(auto_now_add=True)
    campaign = models.ForeignKey(Campaign, on_delete=models.SET_NULL, null=True, related_name="trail")
    campaign_name = models.CharField(max_length=200)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        related_name="deeds",
        help_text="Empty for commands, the machinery, and people whose account was deleted.",
    )
    through = models.CharField(max_length=10, choices=Through, default=Through.SITE)
    deed = models.CharField(max_length=40)
    subject = models.TextField(help_text="What it was done to, in words.")
    details = models.JSONField(default=dict, blank=True)

    objects = TrailQuerySet.as_manager()

    class Meta:
        ordering = ["-at", "-pk"]
        verbose_name_plural = "trail entries"
        indexes = [models.Index(fields=["campaign", "-at"], name="trail_of_a_campaign")]

    def __str__(self):
        return f"{self.deed} {self.subject}"

    def save(self, *args, **kwargs):
        """Write a new entry; an entry that is there stays as it is."""
        if self.pk:
            raise TrailIsFinal("Entries of the trail are not changed.")
        super().save(*args, **kwargs)

    def delete(self, *args, **kwargs):
        """Refuse: what was done was done."""
        raise TrailIsFinal("Entries of the trail are not removed.")
