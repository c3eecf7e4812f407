"""What commands that build editions share: finding what was named, and following the building."""

import sys
import time

from django.core.management.base import CommandError
from tqdm import tqdm

from campaign.models import Campaign
from evaluation.models import Edition
from evaluation.services.building import building_of
from evaluation.services.status import status

LOOK_EVERY = 0.5


def find(named):
    """Return the campaign, track and task that `campaign[/track[/task]]` names; None for what it leaves out."""
    campaign, *rest = named.split("/")
    if len(rest) > 2 or not all([campaign, *rest]):
        raise CommandError(f"“{named}” is not of the form campaign, campaign/track or campaign/track/task.")
    found = Campaign.objects.filter(slug=campaign).first()
    if found is None:
        raise CommandError(f"There is no campaign {campaign}. There are: {_listed(Campaign.objects.all())}.")
    track = task = None
    if rest:
        track = found.tracks.filter(slug=rest[0]).first()
        if track is None:
            raise CommandError(f"{campaign} has no track {rest[0]}. It has: {_listed(found.tracks.all())}.")
    if len(rest) == 2:
        task = track.tasks.filter(slug=rest[1]).first()
        if task is None:
            raise CommandError(f"{campaign}/{track.slug} has no task {rest[1]}. It has: {_listed(track.tasks.all())}.")
    return found, track, task


def _listed(rows):
    return ", ".join(row.slug for row in rows) or "none"


def follow(track, started, stdout, stderr):
    """Wait until editions are live, with a bar on a terminal; raises CommandError where that needs a decision."""
    keys = [edition.pk for edition in started]
    with tqdm(unit=" runs", disable=not sys.stderr.isatty(), desc=track.slug) as bar:
        has_warned = False
        while (found := building_of(track)) and Edition.objects.building().filter(pk__in=keys).exists():
            bar.total, bar.n = found.runs, found.scored
            bar.refresh()
            if found.is_paused:
                raise CommandError(f"The building of {track.slug} is paused. Resume it on the desk.")
            if found.is_built:
                stdout.write(f"{track.slug}: {', '.join(map(said, started))} built. Look at it on the desk.")
                return
            if found.waits_for_decision:
                names = ", ".join(evaluation.run.name for evaluation in found.failed)
                raise CommandError(
                    f"Scoring failed on our side for {names}. Try again or go live without them on the desk."
                )
            if not has_warned and not _has_worker():
                stderr.write("No worker is alive: start the site, or a worker. Ctrl-C ends only the waiting.")
                has_warned = True
            time.sleep(LOOK_EVERY)
    if Edition.objects.filter(pk__in=keys, state=Edition.State.ABANDONED).exists():
        raise CommandError(f"The new editions of {track.slug} were abandoned: somebody began others, or gave them up.")
    stdout.write(f"{track.slug}: {', '.join(said(edition) for edition in started)} live.")


def said(edition):
    """Write an edition in a few words."""
    return f"{edition.task.slug} edition {edition.number}"


def _has_worker():
    return all(part.is_alive for part in status().parts if part.name == "worker")
