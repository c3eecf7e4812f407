"""What was asked, about which documents, and who answered."""

from campaign.machinery.heartbeats import Heartbeat
from campaign.models.allowances import Grant, ReviewerLink
from campaign.models.campaigns import Campaign, Registration
from campaign.models.collections import Collection, Document
from campaign.models.imports import CollectionImport, Import
from campaign.models.notifications import Notification
from campaign.models.people import Invitation, Membership, Team, User
from campaign.models.rejections import Rejection
from campaign.models.runs import Run
from campaign.models.tasks import SWITCHES, Pseudonym, Task, TaskKind, Visible
from campaign.models.tokens import ApiToken
from campaign.models.topics import Topic
from campaign.models.tracks import Track
from campaign.models.trail import TrailEntry

__all__ = [
    "SWITCHES",
    "ApiToken",
    "Campaign",
    "Collection",
    "CollectionImport",
    "Document",
    "Grant",
    "Heartbeat",
    "Import",
    "Invitation",
    "Membership",
    "Notification",
    "Pseudonym",
    "Registration",
    "Rejection",
    "ReviewerLink",
    "Run",
    "Task",
    "TaskKind",
    "Team",
    "Topic",
    "Track",
    "TrailEntry",
    "User",
    "Visible",
]
