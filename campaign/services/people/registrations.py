"""Registering teams for campaigns: who accepted which agreement, and what the organisers decided."""

from collections import defaultdict
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.utils import timezone

from campaign.models import Membership, Registration, Run, Task, Team
from campaign.services.people.conflicts import assessors_by_team, assessors_in, named, seen_people
from campaign.services.people.teams import whom_to_ask
from campaign.services.permissions.roles import is_leader, organises
from campaign.services.permissions.seeing import may_see_campaign
from campaign.services.refusals import Asks, Refused, Stale
from campaign.services.telling import trail
from campaign.services.telling.notifications import registration_decided, registration_requested
from limelight.wording import counted

State = Registration.State


@dataclass(frozen=True, slots=True)
class RegistrationStanding:
    """How one of a person's teams stands in a campaign."""

    team: Team
    registration: Registration | None
    leads: bool

    @property
    def stands(self):
        """Return whether the team takes part or waits for the organisers' answer."""
        return self.registration is not None and self.registration.stands

    @property
    def can_register(self):
        """Return whether there is something to accept: a first time, once more, or a new version."""
        return not self.stands or self.registration.needs_acceptance


def standings_of(user, campaign):
    """Return how each of a person's teams stands in a campaign."""
    if not user.is_authenticated:
        return []
    registrations = {
        registration.team_id: registration
        for registration in campaign.registrations.filter(team__memberships__user=user).select_related("accepted_by")
    }
    memberships = Membership.objects.filter(user=user).select_related("team").order_by("team__name", "team__pk")
    return [
        RegistrationStanding(entry.team, registrations.get(entry.team_id), entry.role == Membership.Role.LEADER)
        for entry in memberships
    ]


@dataclass(frozen=True, slots=True)
class Registrations:
    """The teams that asked to take part in a campaign: those who wait for an answer, and those who have one."""

    waiting: list
    decided: list


def registrations_of(campaigns):
    """Return campaigns' registrations for their organisers, by the campaign's key."""
    rows = Registration.objects.filter(campaign__in=campaigns).order_by("team__name")
    assessors = assessors_by_team([campaign.pk for campaign in campaigns])
    by_campaign = defaultdict(list)
    for registration in rows.select_related("campaign", "team", "accepted_by", "decided_by"):
        registration.assessors = assessors[registration.campaign_id, registration.team_id]
        by_campaign[registration.campaign_id].append(registration)
    return {campaign.pk: _in_order(by_campaign[campaign.pk]) for campaign in campaigns}


def _in_order(everybody):
    """Part those who wait, the longest first, from the others, by name."""
    waiting = [registration for registration in everybody if registration.state == State.PENDING]
    return Registrations(
        waiting=sorted(waiting, key=lambda registration: registration.accepted_at),
        decided=[registration for registration in everybody if registration.state != State.PENDING],
    )


def takes_registrations(campaign, moment=None):
    """Return whether there is still something to register for: a task ahead, or a gate to pass."""
    moment = moment or timezone.now()
    return (
        campaign.gates_topics
        or campaign.gates_collection
        or Task.objects.filter(track__campaign=campaign, closes_at__gt=moment).exists()
    )


def register(campaign, *, by, team, accepted, version=None):
    """Accept a campaign's agreement for a team and ask to take part; once more, it is the registration it was.

    `version` is the one that was read, so that nobody accepts a text that changed under their eyes.
    """
    if not may_see_campaign(by.user, campaign):
        raise Refused("This campaign is not open to you.")
    try:
        with transaction.atomic():
            _require_acceptance(by.user, team, campaign, accepted, version)
            registration = _locked(campaign=campaign, team=team)
            if registration is not None and registration.stands:
                return accept_again(registration, by=by, accepted=accepted, version=version)
            # Whom the organisers refused they decide about again, even where others need no approval.
            was_refused = registration is not None and registration.reason
            registration = registration or Registration(campaign=campaign, team=team)
            registration.state = State.PENDING if campaign.needs_approval or was_refused else State.APPROVED
            _accept(registration, by.user)
            registration_requested(registration, named(assessors_in(team, campaign)))
    except IntegrityError:  # another click was faster
        registration = Registration.objects.get(campaign=campaign, team=team)
    return registration


def accept_again(registration, *, by, accepted, version=None):
    """Accept a new version of the agreement; whether the team takes part stays as it was decided."""
    with transaction.atomic():
        _require_acceptance(by.user, registration.team, registration.campaign, accepted, version)
        locked = _locked(pk=registration.pk)
        if locked is None or not locked.stands:
            raise Refused(f"{registration.team.name} is not registered for {registration.campaign.name}.")
        if locked.needs_acceptance:
            _accept(locked, by.user)
    return locked


def withdraw_registration(registration, *, by):
    """Take a team out of a campaign; not while it has runs there."""
    team, campaign = registration.team, registration.campaign
    with transaction.atomic():
        locked = _locked(pk=registration.pk)  # the row that a submission holds, too
        if not is_leader(by.user, team):
            raise Refused(f"Only leaders of {team.name} withdraw its registration. {whom_to_ask(team)}")
        if not locked.stands:
            return locked
        runs = Run.objects.filter(team=team, task__track__campaign=campaign).standing()
        if number := runs.exclude(state=Run.State.REJECTED).count():
            raise Refused(
                f"{team.name} has {counted(number, 'run')} in {campaign.name}. "
                f"Withdraw {'them' if number > 1 else 'it'} first, then the registration."
            )
        locked.state = State.WITHDRAWN
        locked.save(update_fields=["state"])
    return locked


def decide(registration, *, by, approve, reason="", seen="", knowing=""):
    """Approve or refuse a team; `seen` is the state that the organiser had in front of them.

    A team with an assessor of the campaign is approved by whoever knows it: `knowing` is what was kept of these people.
    """
    team, campaign = registration.team, registration.campaign
    wanted, reason = State.APPROVED if approve else State.REFUSED, reason.strip()
    if not organises(by.user, campaign):
        raise Refused(f"Only organisers of {campaign.name} decide which teams take part.")
    if not approve and not reason:
        raise Refused(f"Tell {team.name} why it cannot take part.", "reason")
    with transaction.atomic():
        locked = _locked(pk=registration.pk)
        if locked.state == State.WITHDRAWN:
            raise Refused(f"{team.name} has withdrawn its registration. There is nothing to decide.")
        if locked.state == wanted:
            return locked  # a second click
        if seen and locked.state != seen:
            raise Stale(
                f"The registration of {team.name} is {locked.get_state_display()} by now. Look again, then decide."
            )
        if approve:
            _ask_about_assessors(locked, knowing)
        locked.state, locked.reason = wanted, "" if approve else reason
        locked.decided_by, locked.decided_at = by.user, timezone.now()
        locked.save(update_fields=["state", "reason", "decided_by", "decided_at"])
        registration_decided(locked)
        assessors = [person.pk for person in assessors_in(team, campaign)]
        known = {"assessors": assessors} if assessors else {}
        deed, details = (trail.APPROVED, known) if approve else (trail.REFUSED, {"reason": reason})
        trail.record(campaign, deed, f"registration of {team.name}", by=by, team=team.slug, **details)
    return locked


def _ask_about_assessors(registration, knowing):
    """Ask first where a member of the team knows the answer key."""
    team, people = registration.team, assessors_in(registration.team, registration.campaign)
    about = seen_people(people)
    if people and knowing != about:
        verb = "assesses" if len(people) == 1 else "assess"
        raise Asks(
            f"{named(people)} of {team.name} {verb} for {registration.campaign.name}, and may know the answer key "
            "before it is public.",
            about,
        )


def _require_acceptance(user, team, campaign, accepted, version):
    """Refuse whoever may not accept for the team, did not, or read another version; holds the team's row."""
    Team.objects.select_for_update().filter(pk=team.pk).first()
    if not is_leader(user, team):
        raise Refused(f"Only leaders of {team.name} accept an agreement for it. {whom_to_ask(team)}")
    campaign.refresh_from_db(fields=["agreement", "agreement_version", "needs_approval"])
    if version is not None and version != campaign.agreement_version:
        raise Refused(
            f"The agreement changed while you were reading it. This is version {campaign.agreement_version} now."
        )
    if campaign.agreement and not accepted:
        raise Refused(f"Tick the box to accept the agreement for {team.name}.", "accepted")


def _accept(registration, user):
    registration.agreement_version = registration.campaign.agreement_version
    registration.accepted_by, registration.accepted_at = user, timezone.now()
    registration.save()


def _locked(**which):
    """Hold a registration's row until the transaction ends."""
    return (
        Registration.objects.select_for_update(of=("self",)).select_related("campaign", "team").filter(**which).first()
    )
