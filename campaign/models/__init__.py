"""What was asked, about which documents, and who answered."""

from campaign.models.campaigns import Campaign, Registration, Track
from campaign.models.documents import Collection, Document, Topic
from campaign.models.heartbeats import Heartbeat
from campaign.models.notifications import Notification
from campaign.models.people import Invitation, Membership, Team, User
from campaign.models.runs import Run
from campaign.models.tasks import Pseudonym, Task, TaskKind, Visible
from campaign.models.tokens import ApiToken

__all__ = [
    "ApiToken",
    "Campaign",
    "Collection",
    "Document",
    "Heartbeat",
    "Invitation",
    "Membership",
    "Notification",
    "Pseudonym",
    "Registration",
    "Run",
    "Task",
    "TaskKind",
    "Team",
    "Topic",
    "Track",
    "User",
    "Visible",
]
