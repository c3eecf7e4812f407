"""A small campaign that a crowd of programs submits to: one task without a limit, one with a single place."""

from datetime import timedelta
from io import BytesIO

from django.utils import timezone

from assessments.services.imports import import_assessments
from campaign.models import Campaign, Registration, Task, Team, Topic, Track
from evaluation.services.decisions import activate

TASK, LAST_PLACE = "crowd/ad-hoc/focused", "crowd/ad-hoc/last-place"
ASSESSMENTS = b"1 Q0 a 50 200 0 0:50\n2 Q0 b 20 200 100 100:20\n"
RUN = b"1 Q0 a 1 9.5 crowd 0 50\n2 Q0 b 1 8.0 crowd 90 40\n"


def make():
    """Add the campaign to a site that has the demo; the demo's team Argand takes part."""
    now = timezone.now()
    campaign = Campaign.objects.create(slug="crowd", name="Crowd", year=now.year, is_public=True)
    track = Track.objects.create(campaign=campaign, slug="ad-hoc", name="Ad hoc")
    Topic.objects.bulk_create(Topic(track=track, number=str(number), position=number) for number in (1, 2))
    for slug, quota in (("focused", None), ("last-place", 1)):
        Task.objects.create(
            track=track,
            slug=slug,
            name=slug,
            kind="focused",
            quota=quota,
            opens_at=now - timedelta(days=1),
            closes_at=now + timedelta(days=1),
            other_scores_visible="at-once",
        )
    team = Team.objects.get(slug="argand")
    Registration.objects.create(campaign=campaign, team=team, state="approved", agreement_version=1, accepted_at=now)
    activate(import_assessments(track, stream=BytesIO(ASSESSMENTS), file_name="crowd.qrels"))
