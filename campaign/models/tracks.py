"""Tracks: topics, tasks and documents that belong together."""

from django.conf import settings
from django.db import models
from django.urls import reverse

from campaign.models.campaigns import Campaign
from campaign.models.collections import Collection


class TrackQuerySet(models.QuerySet):
    """Tracks as the pages ask for them."""

    def assessed_by(self, user):
        """Return the tracks on an assessor's desk."""
        return self.filter(assessors=user) if user.is_authenticated else self.none()


class Track(models.Model):
    """Topics over one collection; its tasks ask for different kinds of answers to the same topics."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="tracks")
    slug = models.SlugField(max_length=64)
    name = models.CharField(max_length=200)
    description = models.TextField(blank=True)
    collection = models.ForeignKey(Collection, on_delete=models.PROTECT, null=True, blank=True, related_name="tracks")
    assessors = models.ManyToManyField(settings.AUTH_USER_MODEL, blank=True, related_name="assessed_tracks")
    position = models.PositiveSmallIntegerField(default=0)

    objects = TrackQuerySet.as_manager()

    class Meta:
        ordering = ["campaign", "position", "name"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "slug"], name="one_track_per_slug_and_campaign"),
        ]

    def __str__(self):
        return f"{self.campaign} › {self.name}"

    def get_absolute_url(self):
        return reverse("track", args=[self.campaign.slug, self.slug])
