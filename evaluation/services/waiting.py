"""What waits for a person to decide: registrations, files that were read, boards to look at, agreements."""

from dataclasses import dataclass

from django.db.models import Count, F
from django.urls import reverse

from assessments.models import AssessmentImport
from campaign.models import Campaign, CollectionImport, Membership, Registration
from evaluation.models import Edition
from limelight.wording import counted


@dataclass(frozen=True, slots=True)
class Waiting:
    """One thing that waits: what, in which campaign, and where it is decided."""

    what: str
    campaign: str
    address: str


def waiting_for(user):
    """Return what waits for somebody, in six queries at most, however many campaigns they run."""
    return [*_to_accept(user), *_to_decide(user)]


def _to_accept(user):
    """Yield the agreements that a new version of has to be accepted by a leader of a team."""
    led = Membership.objects.filter(user=user, role=Membership.Role.LEADER).values("team")
    outdated = Registration.objects.filter(
        team__in=led,
        state__in=[Registration.State.PENDING, Registration.State.APPROVED],
        agreement_version__lt=F("campaign__agreement_version"),
    )
    for row in outdated.select_related("campaign", "team").order_by("pk"):
        address = reverse("register", args=[row.campaign.slug])
        yield Waiting(f"A new agreement for {row.team.name} to accept", row.campaign.name, address)


def _to_decide(user):
    """Yield what organisers decide."""
    campaigns = {campaign.pk: campaign for campaign in Campaign.objects.organised_by(user)}
    if not campaigns:
        return
    ready = AssessmentImport.State.READY
    kinds = [
        (Registration.objects.filter(state="pending"), "campaign", "registration", "to decide on", "campaign-desk"),
        (
            AssessmentImport.objects.filter(state=ready),
            "track__campaign",
            "file",
            "of assessments to look at",
            "desk-assessments",
        ),
        (
            CollectionImport.objects.filter(state=ready),
            "collection__tracks__campaign",
            "file",
            "of documents to look at",
            "desk-material",
        ),
        (
            Edition.objects.building().filter(built_at__isnull=False, waits_for_look=True),
            "task__track__campaign",
            "board",
            "built, to look at before it goes live",
            "desk-boards",
        ),
    ]
    for rows, campaign, noun, what, page in kinds:
        counts = rows.filter(**{f"{campaign}__in": campaigns}).order_by().values_list(campaign)
        for key, count in counts.annotate(Count("pk", distinct=True)):
            found = campaigns[key]
            yield Waiting(f"{counted(count, noun)} {what}", found.name, reverse(page, args=[found.slug]))
