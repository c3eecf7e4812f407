"""What was asked of the systems: topics."""

from django.db import models
from django.db.models import Q
from django.urls import reverse

from campaign.models.tracks import Track


class Topic(models.Model):
    """A request for information: what systems answer and assessors judge."""

    track = models.ForeignKey(Track, on_delete=models.CASCADE, related_name="topics")
    number = models.CharField(max_length=64)
    position = models.PositiveIntegerField()
    title = models.TextField(blank=True)
    castitle = models.TextField(blank=True, help_text="The same request as a NEXI query.")
    phrasetitle = models.TextField(blank=True)
    description = models.TextField(blank=True)
    narrative = models.TextField(blank=True)

    class Meta:
        ordering = ["track", "position"]
        constraints = [
            models.UniqueConstraint(fields=["track", "number"], name="one_topic_per_number_and_track"),
            models.CheckConstraint(condition=~Q(number=""), name="topic_has_a_number"),
        ]

    def __str__(self):
        return f"{self.number} {self.title}".strip()

    def get_absolute_url(self):
        return reverse("topic", args=[self.track.campaign.slug, self.track.slug, self.number])
