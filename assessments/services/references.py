"""What assessments and pools refer to: lengths they tell, documents and topics that they need."""

from functools import lru_cache

from assessments.models import AssessmentSet, GradedJudgement, Judgement, PooledDocument
from campaign.machinery.storage import open_stored
from limelight.formats.assessments.columns import JudgementColumns

JUDGED_AT_ONCE = 500


def has_assessments(track):
    """Return whether a track has a version of the assessments."""
    return AssessmentSet.objects.filter(track=track).exists()


def assessed_lengths(track):
    """Return the lengths of documents that a track's newest assessments tell, None where they tell none."""
    sets = AssessmentSet.objects.filter(track=track, content=AssessmentSet.Content.HIGHLIGHTS)
    newest = sets.order_by("-version").first()
    return _lengths_in(newest.columns_file) if newest else None


@lru_cache(maxsize=4)
def _lengths_in(columns_file):
    with open_stored(columns_file) as stream:
        return JudgementColumns.load(stream).document_lengths


def judged_documents(collection, identifiers):
    """Count those of the documents that assessments of the tracks over a collection refer to, by the track's name."""
    wanted, judged = list(identifiers), {}
    for start in range(0, len(wanted), JUDGED_AT_ONCE):
        some = wanted[start : start + JUDGED_AT_ONCE]
        for model in (Judgement, GradedJudgement):
            rows = model.objects.filter(topic__track__collection=collection, document__in=some).order_by()
            for track, document in rows.values_list("topic__track__name", "document").distinct():
                judged.setdefault(track, set()).add(document)
    return {track: len(documents) for track, documents in sorted(judged.items())}


def topics_in_use(topics):
    """Return the numbers of those topics that assessments or pools refer to."""
    used = set()
    for model in (Judgement, GradedJudgement, PooledDocument):
        used |= set(model.objects.filter(topic__in=topics).order_by().values_list("topic", flat=True).distinct())
    return list(topics.filter(pk__in=used).values_list("number", flat=True))
