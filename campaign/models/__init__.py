"""What was asked, about which documents, and who answered."""

from campaign.models.campaigns import Campaign, Registration, Track
from campaign.models.documents import Collection, Document, Topic
from campaign.models.heartbeats import Heartbeat
from campaign.models.people import Membership, Team, User
from campaign.models.runs import Run
from campaign.models.tasks import Pseudonym, Task, TaskKind, Visible

__all__ = [
    "Campaign",
    "Collection",
    "Document",
    "Heartbeat",
    "Membership",
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
