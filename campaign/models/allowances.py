"""What organisers allow beyond the rules: more runs or time for one team, an early look for reviewers."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from campaign.models.campaigns import Campaign
from campaign.models.people import Team
from campaign.models.tasks import Task


class GrantQuerySet(models.QuerySet):
    """Grants as the rules ask for them."""

    def standing(self):
        """Return the grants that have not been taken back."""
        return self.filter(revoked_at=None)


class Grant(models.Model):
    """More runs, or more time, for one team in one task."""

    task = models.ForeignKey(Task, on_delete=models.CASCADE, related_name="grants")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="grants")
    extra_runs = models.PositiveSmallIntegerField(default=0)
    open_until = models.DateTimeField(null=True, blank=True)
    reason = models.TextField()
    granted_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = GrantQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(extra_runs__gt=0) | Q(open_until__isnull=False), name="grant_gives_something"
            ),
        ]

    def __str__(self):
        return f"Grant to {self.team} in {self.task}"


class ReviewerLinkQuerySet(models.QuerySet):
    """Links as the pages ask for them."""

    def open(self):
        """Return the links that work now."""
        return self.filter(Q(expires_at=None) | Q(expires_at__gt=timezone.now()), revoked_at=None)


class ReviewerLink(models.Model):
    """A link that shows whoever has it a campaign's boards as they will be published, until it is revoked."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="reviewer_links")
    token = models.CharField(max_length=43, unique=True)
    label = models.CharField(max_length=200, help_text="For whom it is.")
    shows_names = models.BooleanField("shows team names", default=False)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)

    objects = ReviewerLinkQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-pk"]

    def __str__(self):
        return f"{self.label} ({self.campaign})"
