"""Who somebody is to a campaign or a team; what follows from it is decided next door."""

from django.db.models import Exists

from campaign.models import Campaign, Membership, Registration, Track


def organises(user, campaign):
    """Return whether a person runs a campaign."""
    return user.is_authenticated and (user.is_superuser or campaign.organisers.filter(pk=user.pk).exists())


def organises_any(user):
    """Return whether a person runs a campaign of this site."""
    return user.is_authenticated and (user.is_superuser or Campaign.objects.filter(organisers=user).exists())


def assesses(user, campaign):
    """Return whether a person is an assessor of one of a campaign's tracks."""
    return user.is_authenticated and campaign.tracks.filter(assessors=user).exists()


def assesses_track(user, track):
    """Return whether a person is an assessor of a track."""
    return user.is_authenticated and track.assessors.filter(pk=user.pk).exists()


def organises_or_assesses(user, track):
    """Return whether a person runs a track's campaign, and whether they are an assessor of the track, in one query."""
    if not user.is_authenticated:
        return False, False
    if user.is_superuser:
        return True, False
    organising = Campaign.organisers.through.objects.filter(campaign=track.campaign_id, user=user)
    assessing = Track.assessors.through.objects.filter(track=track, user=user)
    return Track.objects.filter(pk=track.pk).values_list(Exists(organising), Exists(assessing)).get()


def reviews(user, campaign):
    """Return whether somebody came in by one of a campaign's reviewer links."""
    return campaign.pk in getattr(user, "reviewed_campaigns", {})


def takes_part(user, campaign):
    """Return whether a person is in a team admitted to a campaign."""
    return (
        user.is_authenticated
        and Registration.objects.filter(
            campaign=campaign, state=Registration.State.APPROVED, team__memberships__user=user
        ).exists()
    )


def is_member(user, team):
    """Return whether a person is in a team."""
    return user.is_authenticated and Membership.objects.filter(user=user, team=team).exists()


def is_leader(user, team):
    """Return whether a person leads a team."""
    return Membership.objects.filter(user=user, team=team, role=Membership.Role.LEADER).exists()
