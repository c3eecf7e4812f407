"""What has been judged, topic by topic."""

from dataclasses import dataclass

from django.db.models import Count, Q, Sum

from assessments.models import AssessmentSet
from assessments.services.exports import export_formats
from campaign.models import Track


@dataclass(frozen=True, slots=True)
class JudgedTrack:
    """A track's newest assessments, topic by topic, and the forms in which they can be written anew."""

    track: Track
    assessment_set: AssessmentSet | None
    topics: list
    export_formats: tuple


def judged_topics(track):
    """Count, for each topic of a track, what the newest assessment set says about it."""
    newest = track.assessment_sets.order_by("-version").first()
    of_newest = Q(judgements__assessment_set=newest)
    relevant = Q(judgements__highlighted__gt=0) | Q(judgements__grade__gt=0)
    topics = track.topics.annotate(
        judged=Count("judgements", filter=of_newest),
        relevant=Count("judgements", filter=of_newest & relevant),
        highlighted=Sum("judgements__highlighted", filter=of_newest, default=0),
    )
    return JudgedTrack(track, newest, list(topics), export_formats(newest) if newest else ())
