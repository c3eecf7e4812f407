"""Writing the trail: one line for every deed that somebody may ask about later."""

from campaign.models import TrailEntry

Through = TrailEntry.Through

IMPORTED, ACTIVATED, WENT_LIVE, PUBLISHED, UNPUBLISHED = (
    "imported",
    "activated",
    "went live",
    "published",
    "unpublished",
)
GRANTED, REVOKED, REJECTED, REEVALUATED, DELETED = "granted", "revoked", "rejected", "re-evaluated", "deleted"
CREATED, CHANGED, COPIED, DISCARDED, PAUSED, RESUMED = "created", "changed", "copied", "discarded", "paused", "resumed"
APPROVED, REFUSED, CONFIRMED, POOLED = "approved", "refused", "confirmed", "pooled"


def record(campaign, deed, subject, *, actor=None, through=None, **details):
    """Write what somebody did to something, in the transaction in which it is done."""
    if through is None:
        through = Through.SITE if actor is not None else Through.MACHINERY
    return TrailEntry.objects.create(
        campaign=campaign,
        campaign_name=campaign.name if campaign else "",
        deed=deed,
        subject=subject,
        actor=actor,
        through=through,
        details=details,
    )
