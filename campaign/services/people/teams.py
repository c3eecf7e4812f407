"""Teams: making them, inviting people, joining and leaving, and who leads."""

import secrets
import unicodedata
from datetime import timedelta

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone

from campaign.models import Invitation, Membership, Task, Team
from campaign.services.generations import raise_generations
from campaign.services.people.conflicts import assessed_by
from campaign.services.permissions.managing import may_manage_team
from campaign.services.permissions.roles import is_leader
from campaign.services.refusals import Refused
from campaign.services.slugs import free_slug
from campaign.services.telling import trail
from campaign.services.telling.audit import changed_fields, refuse_stale, told, values_of
from campaign.services.telling.notifications import assessor_joined, member_joined, member_left
from limelight.moments import spoken

INVITATION_LASTS = timedelta(days=14)
TAKEN_BY_PAGES = {"new", "join"}  # /teams/new/ and /teams/join/… are no teams
LEADER, MEMBER = Membership.Role.LEADER, Membership.Role.MEMBER


def create_team(*, by, name, affiliation="", participant_number=""):
    """Make a team that this person leads; the same form sent twice makes one team."""
    entered = _checked(name, affiliation, participant_number)
    for _ in range(5):
        slug = slug_for(entered["name"])  # chosen before looking: of two equal names at once, one finds it taken
        if same := Team.objects.filter(name__iexact=entered["name"]).first():
            if is_leader(by.user, same) and all(getattr(same, field) == value for field, value in entered.items()):
                return same
            raise _name_taken(same)
        try:
            with transaction.atomic():
                team = Team.objects.create(slug=slug, **entered)
                Membership.objects.create(team=team, user=by.user, role=LEADER)
        except IntegrityError:
            continue  # somebody took this slug in between
        return team
    raise Refused("Other teams are being made at this very moment. Send the form once more.")


def slug_for(name):
    """Return an address for a team; names without Latin letters or digits are numbered."""
    return free_slug(name, TAKEN_BY_PAGES.union(Team.objects.values_list("slug", flat=True)), "team")


def shown_team(team):
    """Return what a team's page lets its leaders change."""
    return values_of(team, ("name", "affiliation", "participant_number"))


def edit_team(team, *, by, name, affiliation="", participant_number="", seen=""):
    """Change what a team says about itself; its address stays."""
    entered = _checked(name, affiliation, participant_number)
    with transaction.atomic():
        raise_generations(Task.objects.filter(runs__team=team))
        locked = _locked(team)
        _require_leader(by.user, locked)
        refuse_stale("this team", shown_team(locked), seen)
        if same := Team.objects.filter(name__iexact=entered["name"]).exclude(pk=team.pk).first():
            raise _name_taken(same)
        changed = changed_fields(locked, entered)
        if changed and not locked.memberships.filter(user=by.user).exists():  # somebody else's deed
            trail.record(None, trail.CHANGED, f"team {locked.name}", by=by, changes=told(locked, entered, changed))
        Team.objects.filter(pk=team.pk).update(**entered)
    team.refresh_from_db()
    return team


def _checked(name, affiliation, participant_number):
    """Return what was entered about a team, with white space tidied; refuses what no page could show."""
    entered = {
        "name": " ".join(name.split()),
        "affiliation": " ".join(affiliation.split()),
        "participant_number": participant_number.strip(),
    }
    for field, text in entered.items():
        if any(unicodedata.category(letter) == "Cc" for letter in text):
            raise Refused("This holds a control character, which no page can show. Type it anew.", field)
    if not any(unicodedata.category(letter)[0] in "LNPS" for letter in entered["name"]):
        raise Refused("Give the team a name that can be seen.", "name")
    try:
        Team(**entered).clean_fields(exclude=["slug"])
    except ValidationError as error:
        field, sentences = next(iter(error.message_dict.items()))
        raise Refused(sentences[0], field) from error
    return entered


def _name_taken(team):
    return Refused(
        f"There is already a team named {team.name}. If it is yours, ask its leader for an invitation link; "
        "otherwise choose another name.",
        "name",
    )


# Who leads ------------------------------------------------------------------------------------------------------------


def leaders_of(team):
    """Return the people who lead a team, the first to join first."""
    leading = team.memberships.filter(role=LEADER).select_related("user").order_by("joined_at", "pk")
    return [membership.user for membership in leading]


def whom_to_ask(team):
    """Say who can do what only leaders can."""
    names = [leader.display_name for leader in leaders_of(team)]
    if not names:
        return f"{team.name} has no leader at present; an organiser can name one."
    return f"Ask {', '.join(names[:-1])} or {names[-1]}." if len(names) > 1 else f"Ask {names[0]}."


def _require_leader(user, team):
    if not may_manage_team(user, team):
        raise Refused(f"Only leaders of {team.name} can do this. {whom_to_ask(team)}")


def _locked(team):
    """Hold a team's row until the transaction ends, so that two people cannot both be the last but one."""
    locked = Team.objects.select_for_update().filter(pk=team.pk).first()
    if locked is None:
        raise Refused(f"The team {team.name} no longer exists.")
    return locked


def _membership(team, person):
    found = team.memberships.filter(user=person).first()
    if found is None:
        raise Refused(f"{person.display_name} is not in {team.name}.")
    return found


def _is_only_leader(membership):
    others = membership.team.memberships.exclude(pk=membership.pk)
    return membership.role == LEADER and not others.filter(role=LEADER).exists()


def change_role(team, *, by, person, role):
    """Make somebody leader or member; a team always keeps a leader."""
    if role not in Membership.Role.values:
        raise Refused("In a team one is a leader or a member.")
    with transaction.atomic():
        locked = _locked(team)
        _require_leader(by.user, locked)
        membership = _membership(locked, person)
        if role == MEMBER and _is_only_leader(membership):
            raise Refused(
                f"{person.display_name} is the only leader of {team.name}. Make somebody else leader first.", "role"
            )
        membership.role = role
        membership.save(update_fields=["role"])
    return membership


# Coming and going -----------------------------------------------------------------------------------------------------


def invite(team, *, by, seen=None):
    """Make a link that lets whoever has it join; the link that stood before no longer works.

    `seen` is the number of the link on the page that asks, 0 where it showed none.
    """
    with transaction.atomic():
        locked = _locked(team)
        _require_leader(by.user, locked)
        standing = locked.invitations.open().first()
        if seen is not None and standing is not None and standing.pk != seen:
            raise Refused(
                "After you opened this page, somebody made a new link, and may have sent it to people. It stands "
                "below. Renew it only if it should stop working."
            )
        _revoke(locked)
        return Invitation.objects.create(
            team=locked,
            token=secrets.token_urlsafe(32),
            created_by=by.user,
            expires_at=timezone.now() + INVITATION_LASTS,
        )


def revoke_invitation(team, *, by):
    """Let a team's link work no longer."""
    with transaction.atomic():
        locked = _locked(team)
        _require_leader(by.user, locked)
        _revoke(locked)


def _revoke(team):
    Invitation.objects.filter(team=team, revoked_at=None).update(revoked_at=timezone.now())


def find_invitation(token):
    """Return the invitation behind a link, open or not, or None."""
    return Invitation.objects.select_related("team").filter(token=token.replace("\x00", "")).first()


def why_closed(invitation):
    """Say why a link no longer lets anybody in; empty while it does."""
    if invitation.revoked_at:
        return f"This invitation to {invitation.team.name} was revoked. Ask a leader of the team for a new link."
    if invitation.expires_at <= timezone.now():
        return (
            f"This invitation to {invitation.team.name} expired on {spoken(invitation.expires_at)}. "
            "Ask a leader of the team for a new link."
        )
    return ""


def join(invitation, *, by):
    """Take up an invitation; returns whether the person is new in the team."""
    team = invitation.team
    try:
        with transaction.atomic():
            _locked(team)
            if Membership.objects.filter(team=team, user=by.user).exists():
                return False
            invitation.refresh_from_db(fields=["revoked_at", "expires_at"])
            if sentence := why_closed(invitation):
                raise Refused(sentence)
            Membership.objects.create(team=team, user=by.user, role=MEMBER)
            member_joined(team, by.user, team.get_absolute_url())
            for campaign in assessed_by(by.user, team):
                assessor_joined(team, by.user, campaign)
    except IntegrityError:
        return False  # another click was faster
    return True


def leave(team, *, by):
    """End one's own membership; returns whether the team is gone, too, as an empty one without a history is."""
    with transaction.atomic():
        locked = _locked(team)
        membership = locked.memberships.filter(user=by.user).first()
        if membership is None:
            raise Refused(f"You are not in {team.name}.")
        if _is_only_leader(membership) and locked.memberships.count() > 1:
            raise Refused(f"You are the only leader of {team.name}. Make somebody else leader first, then leave.")
        membership.delete()
        member_left(locked, by.user, locked.get_absolute_url())
        return _close_if_empty(locked)


def step_out(user, team):
    """Take somebody whose account ends out of a team; if they alone led it, whoever joined first leads it then."""
    with transaction.atomic():
        locked = _locked(team)
        membership = _membership(locked, user)
        others = locked.memberships.exclude(user=user).order_by("joined_at", "pk")
        if _is_only_leader(membership) and others:
            Membership.objects.filter(pk=others[0].pk).update(role=LEADER)
        membership.delete()
        member_left(locked, user, locked.get_absolute_url())
        _close_if_empty(locked)


def remove_member(team, *, by, person):
    """End somebody's membership, and the link with it: who is removed may still have it."""
    if person == by.user:
        raise Refused(f"To leave {team.name} yourself, use “Leave this team”.")
    with transaction.atomic():
        locked = _locked(team)
        _require_leader(by.user, locked)
        membership = _membership(locked, person)
        if _is_only_leader(membership) and locked.memberships.count() > 1:
            raise Refused(f"{person.display_name} is the only leader of {team.name}. Make somebody else leader first.")
        membership.delete()
        member_left(locked, person, locked.get_absolute_url())
        _revoke(locked)
        return _close_if_empty(locked)


def _close_if_empty(team):
    """Close a team that nobody is in any more; one that never registered or submitted leaves nothing behind."""
    if team.memberships.exists():
        return False
    _revoke(team)
    if team.runs.exists() or team.registrations.exists():
        return False
    team.delete()
    return True
