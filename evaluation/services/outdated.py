"""Boards that were built on other documents, or by another engine, than there are now."""

from evaluation.models import Edition
from limelight.scoring.evaluators import ENGINE_VERSION


def behind_collection(track):
    """Return the live editions of a track that were begun on other documents than are there now.

    Runs that came since are measured on the new documents, beside others that were not: build such a board anew.
    """
    live = Edition.objects.live().filter(task__track=track).select_related("task").order_by("task__position")
    changed_at = track.collection.changed_at if track.collection else None
    return [
        edition
        for edition in live
        if edition.collection_id != track.collection_id or (changed_at and changed_at > edition.created_at)
    ]


def behind_engine(track):
    """Return the live editions of a track that another engine built than the one that scores runs now."""
    live = Edition.objects.live().filter(task__track=track).exclude(engine_version=ENGINE_VERSION)
    return list(live.select_related("task").order_by("task__position"))
