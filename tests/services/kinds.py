"""A campaign with a task of every kind that can be scored, for runs that come over the web and go through a worker."""

from datetime import timedelta
from io import BytesIO

from django.utils import timezone

from assessments.services.imports import import_assessments
from campaign.models import Campaign, Registration, Task, TaskKind, Team, Topic, Track
from evaluation.services.decisions import activate
from limelight.scoring.evaluators import EVALUATORS

ASSESSMENTS = b"""\
1 Q0 document-1 300 2000 10 10:300
1 Q0 document-2 300 2000 10 10:300
2 Q0 document-1 300 2000 10 10:300
2 Q0 document-2 300 2000 10 10:300
"""


def make():
    """Add the campaign to a site that has the demo; every task's example run finds all that is relevant."""
    now = timezone.now()
    campaign = Campaign.objects.create(slug="kinds", name="Kinds", year=now.year, is_public=True)
    track = Track.objects.create(campaign=campaign, slug="ad-hoc", name="Ad hoc")
    Topic.objects.bulk_create(Topic(track=track, number=str(number), position=number) for number in (1, 2))
    for kind in EVALUATORS:
        Task.objects.create(
            track=track,
            slug=kind,
            name=TaskKind(kind).label,
            kind=kind,
            opens_at=now - timedelta(days=1),
            closes_at=now + timedelta(days=1),
            other_scores_visible="at-once",
        )
    Registration.objects.create(
        campaign=campaign,
        team=Team.objects.get(slug="argand"),
        state="approved",
        agreement_version=1,
        accepted_at=now,
    )
    activate(import_assessments(track, stream=BytesIO(ASSESSMENTS), file_name="kinds.qrels"))
