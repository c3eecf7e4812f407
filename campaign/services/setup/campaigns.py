"""Campaigns: making, changing and deleting them, and who organises them."""

from django.db import IntegrityError, transaction
from django.db.models import ProtectedError, Q

from campaign.addresses import PAGE_NAMES
from campaign.models import Campaign, Run, Task, User
from campaign.services.generations import raise_generations
from campaign.services.refusals import Refused
from campaign.services.slugs import free_slug
from campaign.services.telling import trail
from campaign.services.telling.audit import changed_fields, refuse_stale, refuse_unseen, told, values_of
from limelight.wording import counted

SETTINGS = (
    "name",
    "year",
    "series",
    "summary",
    "description",
    "contact",
    "agreement",
    "needs_approval",
    "gates_topics",
    "gates_collection",
    "is_public",
)


def shown_settings(campaign):
    """Return what the page of a campaign's settings shows."""
    return values_of(campaign, SETTINGS)


def contents_of(campaign):
    """Return what goes with a campaign that is deleted."""
    tracks = campaign.tracks.order_by("pk")
    return shown_settings(campaign) | {
        "tracks": list(tracks.values_list("name", "description", "collection")),
        "tasks": list(Task.objects.filter(track__campaign=campaign).order_by("pk").values_list()),
        "topics": list(tracks.values_list("topics__number", flat=True)),
    }


def create_campaign(*, by, **entered):
    """Make a campaign that this person organises; the same form sent twice makes one campaign."""
    try:
        with transaction.atomic():
            if same := of_name(entered["name"], entered["year"]).first():
                if same.organisers.filter(pk=by.user.pk).exists() and not changed_fields(same, entered):
                    return same
                raise name_taken(same)
            campaign = Campaign.objects.create(slug=new_slug(entered["name"]), **entered)
            campaign.organisers.add(by.user)
            trail.record(campaign, trail.CREATED, f"campaign {campaign.name}", by=by)
    except IntegrityError:
        raise at_this_moment() from None
    return campaign


def of_name(name, year):
    """Return the campaigns of a year that bear a name."""
    return Campaign.objects.filter(name__iexact=name, year=year)


def name_taken(campaign):
    """Return the refusal of a name that another campaign of the year bears."""
    return Refused(f"There is a campaign {campaign.name} of {campaign.year} already. Choose another name.", "name")


def at_this_moment():
    """Return the refusal where somebody else has just taken the address."""
    return Refused("Another campaign is being made at this very moment. Send the form once more.")


def new_slug(name):
    """Return an address for a new campaign."""
    return free_slug(name, PAGE_NAMES.union(Campaign.objects.values_list("slug", flat=True)), "campaign")


def change_campaign(campaign, *, by, new_version=False, seen="", **entered):
    """Change a campaign's settings; a new version of the agreement asks every team to accept it anew."""
    with transaction.atomic():
        raise_generations(Task.objects.filter(track__campaign=campaign))
        locked = Campaign.objects.select_for_update().get(pk=campaign.pk)
        refuse_stale("these settings", shown_settings(locked), seen)
        if same := of_name(entered["name"], entered["year"]).exclude(pk=locked.pk).first():
            raise name_taken(same)
        changed = changed_fields(locked, entered)
        if not changed:
            return locked
        details = {"changes": told(locked, entered, changed)}
        for name in changed:
            setattr(locked, name, entered[name])
        if "agreement" in changed and new_version:
            locked.agreement_version += 1
            details["agreement_version"] = locked.agreement_version
        locked.save(update_fields=[*changed, "agreement_version"])
        trail.record(locked, trail.CHANGED, f"settings of {locked.name}", by=by, **details)
    return locked


def find_person(text):
    """Return the person with a user name or an e-mail address; refuses where there is none, or more than one."""
    text = text.strip()
    people = list(User.objects.filter(Q(username__iexact=text) | Q(email__iexact=text), is_active=True)[:2])
    if not text or not people:
        raise Refused(f"Nobody on this site has the user name or e-mail address “{text}”.", "person")
    if len(people) > 1:
        raise Refused(f"More than one account has the e-mail address “{text}”. Give the user name.", "person")
    return people[0]


def add_organiser(campaign, *, by, person):
    """Let somebody, named by user name or e-mail address, run a campaign, too."""
    with transaction.atomic():
        Campaign.objects.select_for_update().get(pk=campaign.pk)
        found = find_person(person)
        if not campaign.organisers.filter(pk=found.pk).exists():
            campaign.organisers.add(found)
            trail.record(campaign, trail.GRANTED, f"organising {campaign.name}", by=by, person=found.pk)
    return found


def remove_organiser(campaign, *, by, person):
    """End somebody's organising; one organiser always stays."""
    with transaction.atomic():
        Campaign.objects.select_for_update().get(pk=campaign.pk)
        if not campaign.organisers.filter(pk=person.pk).exists():
            return
        if campaign.organisers.count() == 1:
            raise Refused(f"{campaign.name} needs at least one organiser. Name another one first.")
        campaign.organisers.remove(person)
        trail.record(campaign, trail.REVOKED, f"organising {campaign.name}", by=by, person=person.pk)


def delete_campaign(campaign, *, by, typed, seen=""):
    """Delete a campaign that nobody has submitted to, after its address was typed."""
    if typed.strip() != campaign.slug:
        raise Refused(f"Type {campaign.slug} to delete the campaign.", "typed")
    with transaction.atomic():
        locked = Campaign.objects.select_for_update().get(pk=campaign.pk)
        refuse_unseen(f"{locked.name}, or something in it,", contents_of(locked), seen)
        runs = Run.objects.filter(task__track__campaign=locked).count()
        if runs:
            raise Refused(f"{locked.name} has {counted(runs, 'run')}. A campaign with runs is not deleted.")
        trail.record(locked, trail.DELETED, f"campaign {locked.name}", by=by, slug=locked.slug)
        try:
            locked.delete()
        except (ProtectedError, IntegrityError):
            raise Refused(f"{locked.name} has assessments. A campaign with assessments is not deleted.") from None
