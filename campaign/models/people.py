"""People and the teams they answer for."""

from django.contrib.auth.models import AbstractUser
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils import timezone


class User(AbstractUser):
    """An account; what it may do follows from teams, campaigns and tracks, not from the account itself."""

    is_demo = models.BooleanField(
        "demo account", default=False, help_text="Can sign in only with DEBUG on and the server bound to loopback."
    )
    unmailed = models.JSONField(
        default=list, blank=True, help_text="Kinds of notification this person does not want by mail."
    )

    class Meta(AbstractUser.Meta):
        constraints = [
            models.UniqueConstraint(Lower("username"), name="usernames_differ_in_more_than_case"),
        ]

    @property
    def display_name(self):
        """Return the name to greet this person with."""
        return self.get_full_name() or self.username


class TeamQuerySet(models.QuerySet):
    """Teams as the pages ask for them."""

    def of(self, user):
        """Return the teams that a person answers for."""
        return self.filter(memberships__user=user) if user.is_authenticated else self.none()

    def led_by(self, user):
        """Return the teams that a person leads."""
        if not user.is_authenticated:
            return self.none()
        return self.filter(memberships__user=user, memberships__role=Membership.Role.LEADER)

    def admitted_to(self, campaign):
        """Return the teams that may submit to a campaign."""
        return self.filter(registrations__campaign=campaign, registrations__state="approved")

    def accepted_before(self, campaign):
        """Return the teams that accepted an older version of a campaign's agreement than the present one."""
        older = {"registrations__agreement_version__lt": campaign.agreement_version}
        return self.filter(registrations__campaign=campaign, **older)


class Team(models.Model):
    """A group that submits runs under one name."""

    slug = models.SlugField(max_length=64, unique=True)
    name = models.CharField(max_length=500)
    affiliation = models.CharField(max_length=500, blank=True)
    participant_number = models.CharField(
        "INEX participant number",
        max_length=20,
        blank=True,
        validators=[RegexValidator(r"^\d*$", "A participant number has digits only.")],
    )
    members = models.ManyToManyField(User, through="Membership", related_name="teams")
    created_at = models.DateTimeField(auto_now_add=True)

    objects = TeamQuerySet.as_manager()

    class Meta:
        ordering = ["name"]

    def __str__(self):
        return self.name

    def get_absolute_url(self):
        return reverse("team", args=[self.slug])


class Membership(models.Model):
    """A person's place in a team."""

    class Role(models.TextChoices):
        LEADER = "leader", "leader"
        MEMBER = "member", "member"

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role, default=Role.MEMBER)
    joined_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["team", "user"], name="one_membership_per_person_and_team"),
            models.CheckConstraint(condition=models.Q(role__in=["leader", "member"]), name="membership_role_is_known"),
        ]

    def __str__(self):
        return f"{self.user} in {self.team}"


class InvitationQuerySet(models.QuerySet):
    """Invitations as the pages ask for them."""

    def open(self):
        """Return the invitations that can still be taken up."""
        return self.filter(revoked_at=None, expires_at__gt=timezone.now())


class Invitation(models.Model):
    """A link that lets whoever has it join a team, until it expires or is revoked."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="invitations")
    token = models.CharField(max_length=43, unique=True)
    created_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = InvitationQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["team"], condition=Q(revoked_at=None), name="one_standing_invitation_per_team"
            ),
        ]

    def __str__(self):
        return f"Invitation to {self.team}"
