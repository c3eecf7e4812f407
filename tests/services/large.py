"""A campaign large enough that a worker can be caught in the middle of its work."""

from datetime import timedelta
from io import BytesIO

from django.utils import timezone

from assessments.services.imports import import_assessments
from campaign.models import Campaign, Registration, Task, Team, Topic, Track
from evaluation.services.decisions import activate

TASK_PATH = "/campaigns/large/ad-hoc/focused/"
TOPICS = 150
RESULTS = 1500


def make():
    """Add the campaign to a site that has the demo; the demo's team Argand takes part."""
    now = timezone.now()
    campaign = Campaign.objects.create(slug="large", name="Large", year=now.year, is_public=True)
    track = Track.objects.create(campaign=campaign, slug="ad-hoc", name="Ad hoc")
    Topic.objects.bulk_create(
        Topic(track=track, number=str(number), position=number) for number in range(1, TOPICS + 1)
    )
    Task.objects.create(
        track=track,
        slug="focused",
        name="Focused",
        kind="focused",
        opens_at=now - timedelta(days=1),
        closes_at=now + timedelta(days=1),
        other_scores_visible="at-once",
    )
    team = Team.objects.get(slug="argand")
    Registration.objects.create(campaign=campaign, team=team, state="approved", agreement_version=1, accepted_at=now)
    lines = [
        f"{topic} Q0 {document} 500 9000 0 0:300 600:200" for topic in range(1, TOPICS + 1) for document in range(50)
    ]
    content = "\n".join(lines).encode()
    activate(import_assessments(track, stream=BytesIO(content), file_name="large.qrels"))


def run_lines(name):
    """Return a run with results for every topic."""
    return "\n".join(
        f"{topic} Q0 {rank * 7 % RESULTS} {rank} {RESULTS - rank} {name} {rank % 100} 400"
        for topic in range(1, TOPICS + 1)
        for rank in range(1, RESULTS + 1)
    ).encode()
