"""What a version of the assessments has judged: which documents for which topics."""

from typing import NamedTuple

import numpy as np
from django.db.models import Count, Exists, OuterRef

from assessments.models import AssessmentSet, GradedJudgement, Judgement, PooledDocument
from assessments.services.loading import load_judgements

Content = AssessmentSet.Content


class JudgedColumns(NamedTuple):
    """Judged documents as parallel arrays, one entry a judgement, that number the names."""

    topics: tuple
    documents: tuple
    topic: np.ndarray
    document: np.ndarray


def judged_columns(version):
    """Return which documents a version judged for which topics."""
    if version.content == Content.ELEMENTS:
        rows = GradedJudgement.objects.filter(assessment_set=version).order_by()
        pairs = list(rows.values_list("topic__number", "document").distinct())
        topics = {name: number for number, name in enumerate(dict.fromkeys(topic for topic, _ in pairs))}
        documents = {name: number for number, name in enumerate(dict.fromkeys(document for _, document in pairs))}
        numbers = np.array([(topics[t], documents[d]) for t, d in pairs], dtype=np.int64).reshape(-1, 2)
        return JudgedColumns(tuple(topics), tuple(documents), *numbers.T)
    columns = load_judgements(version.columns_file, version.content)
    return JudgedColumns(columns.topics, columns.documents, columns.topic, columns.document)


def judged_pairs(version):
    """Return the numbers of topics with the ids of documents that a version judged for them."""
    topics, documents, topic, document = judged_columns(version)
    return {(topics[t], documents[d]) for t, d in zip(topic.tolist(), document.tolist(), strict=True)}


def judged_in_pools(track, version):
    """Count the documents of each pool of a track that a version has judged, by the pool's key."""
    model = GradedJudgement if version.content == Content.ELEMENTS else Judgement
    judged = model.objects.filter(assessment_set=version, topic=OuterRef("topic"), document=OuterRef("document"))
    rows = PooledDocument.objects.filter(Exists(judged), pool__track=track).order_by()
    return dict(rows.values_list("pool").annotate(count=Count("pk")))


def version_numbered(track, number=None):
    """Return a version of a track's assessments by its number, the newest without one; None where there is none."""
    versions = track.assessment_sets.order_by("-version")
    return versions.filter(version=number).first() if number is not None else versions.first()
