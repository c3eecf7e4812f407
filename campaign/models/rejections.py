"""Rejections by the organisers: one deed, of one run or of many."""

from django.conf import settings
from django.db import models

from campaign.models.campaigns import Campaign


class Rejection(models.Model):
    """Runs that were rejected in one deed, for one reason; taken back, they alone come back."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="rejections")
    reason = models.TextField()
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)
    run_count = models.PositiveIntegerField(default=0, help_text="How many runs it was, whatever became of them since.")
    official_runs = models.JSONField(
        default=list, help_text="The keys of the runs that were their teams' official ones."
    )
    taken_back_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-made_at", "-pk"]

    def __str__(self):
        return self.reason
