"""Campaigns, and the teams registered for them."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse

from campaign.models.people import Team


class CampaignQuerySet(models.QuerySet):
    """Campaigns as the pages ask for them."""

    def listed_for(self, user):
        """Return the campaigns a person finds on the home page: the public ones and their own."""
        if user.is_superuser:
            return self
        if not user.is_authenticated:
            return self.filter(is_public=True)
        admitted = Q(registrations__team__memberships__user=user, registrations__state=Registration.State.APPROVED)
        involved = Q(organisers=user) | Q(tracks__assessors=user) | admitted
        return self.filter(Q(is_public=True) | involved).distinct()

    def organised_by(self, user):
        """Return the campaigns on a person's organiser desk."""
        if user.is_superuser:
            return self
        return self.filter(organisers=user) if user.is_authenticated else self.none()

    def with_tracks(self):
        """Fetch tracks and tasks along, for pages that show them all."""
        return self.prefetch_related("tracks__tasks", "tracks__collection")


class Campaign(models.Model):
    """One round of evaluation: its tracks share organisers, registration and an agreement."""

    slug = models.SlugField(max_length=64, unique=True)
    name = models.CharField(max_length=200)
    year = models.PositiveSmallIntegerField()
    series = models.CharField(max_length=80, blank=True, default="")
    summary = models.CharField(max_length=300, blank=True)
    description = models.TextField(blank=True)
    contact = models.CharField(max_length=200, blank=True, default="")
    organisers = models.ManyToManyField(settings.AUTH_USER_MODEL, blank=True, related_name="organised_campaigns")
    is_public = models.BooleanField("listed for everyone", default=False)
    agreement = models.TextField(blank=True, help_text="What a team accepts when it registers.")
    agreement_version = models.PositiveSmallIntegerField(default=1)
    needs_approval = models.BooleanField("organisers approve each team", default=False)
    gates_topics = models.BooleanField("topics only for registered teams", default=False)
    gates_collection = models.BooleanField("collection only for registered teams", default=False)
    set_aside = models.JSONField(
        default=dict, blank=True, help_text="Lines of the checklist that do not apply here, each with the reason."
    )
    created_at = models.DateTimeField(auto_now_add=True)

    objects = CampaignQuerySet.as_manager()

    class Meta:
        ordering = ["-year", "name"]
        constraints = [
            models.CheckConstraint(condition=Q(year__gte=1950, year__lte=2200), name="campaign_year_is_plausible")
        ]

    def __str__(self):
        return self.name

    def get_absolute_url(self):
        return reverse("campaign", args=[self.slug])


class Registration(models.Model):
    """A team's entry into a campaign: which agreement was accepted, when and by whom, and what the organisers said."""

    class State(models.TextChoices):
        PENDING = "pending", "waiting for approval"
        APPROVED = "approved", "approved"
        REFUSED = "refused", "refused"
        WITHDRAWN = "withdrawn", "withdrawn"

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="registrations")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="registrations")
    state = models.CharField(max_length=10, choices=State, default=State.PENDING)
    agreement_version = models.PositiveSmallIntegerField()
    accepted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="accepted_registrations"
    )
    accepted_at = models.DateTimeField()
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="decided_registrations"
    )
    decided_at = models.DateTimeField(null=True, blank=True)
    reason = models.TextField(blank=True, help_text="What the organisers said when they refused.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "team"], name="one_registration_per_team_and_campaign"),
            models.CheckConstraint(
                condition=Q(state__in=["pending", "approved", "refused", "withdrawn"]),
                name="registration_state_is_known",
            ),
        ]

    def __str__(self):
        return f"{self.team} in {self.campaign}"

    @property
    def stands(self):
        """Return whether the team takes part, or waits to be told whether it may."""
        return self.state in (self.State.PENDING, self.State.APPROVED)

    @property
    def needs_acceptance(self):
        """Return whether the agreement has a newer version than the team accepted."""
        return self.stands and self.agreement_version < self.campaign.agreement_version
