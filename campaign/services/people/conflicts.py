"""Assessors who take part: whoever knows the answer key and is in a team; the organisers are told and decide."""

from collections import defaultdict

from django.db.models import F

from campaign.models import Membership, Registration, User
from campaign.services.telling.audit import fingerprint

STANDING = (Registration.State.PENDING, Registration.State.APPROVED)


def assessors_in(team, campaign):
    """Return the members of a team who assess a track of a campaign."""
    return list(
        User.objects.filter(memberships__team=team, assessed_tracks__campaign=campaign).distinct().order_by("username")
    )


def assessors_by_team(campaigns):
    """Return the assessors of campaigns who are in a team, by the keys of campaign and team."""
    assessors = defaultdict(list)
    memberships = Membership.objects.annotate(campaign=F("user__assessed_tracks__campaign"))
    memberships = memberships.filter(campaign__in=campaigns).select_related("user").distinct()
    for membership in memberships.order_by("user__username"):
        assessors[membership.campaign, membership.team_id].append(membership.user)
    return assessors


def teams_in(people, campaign):
    """Return who of some people is in a team that takes part in a campaign, or asks to: pairs of person and team."""
    memberships = Membership.objects.filter(
        user__in=people, team__registrations__campaign=campaign, team__registrations__state__in=STANDING
    )
    return [(entry.user, entry.team) for entry in memberships.select_related("user", "team").order_by("user__username")]


def assessed_by(person, team):
    """Return the campaigns that a team takes part in, or asks to, and that a person assesses for."""
    registrations = team.registrations.filter(state__in=STANDING, campaign__tracks__assessors=person)
    return [entry.campaign for entry in registrations.select_related("campaign").distinct()]


def seen_people(people):
    """Return what a question keeps of the people whom it names."""
    return fingerprint({"people": sorted(person.pk for person in people)})


def named(people):
    """Write some people's names as a sentence does.

    >>> named([])
    ''
    """
    names = [f"{person.display_name} ({person.username})" for person in people]
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else "".join(names)
