"""`manage.py reevaluate`: score all runs of a campaign, track or task in new editions."""

from django.core.management.base import BaseCommand, CommandError

from campaign.models import Run
from campaign.services.acting import COMMAND
from campaign.services.refusals import Refused
from evaluation.management.following import find, follow, said
from evaluation.services.decisions import rebuild


class Command(BaseCommand):
    help = "Build new editions with the present profile, parameters and engine, on the assessments that are live."

    def add_arguments(self, parser):
        parser.add_argument("what", help="campaign, campaign/track or campaign/track/task")
        parser.add_argument("--notes", default="", help="why, for the history")
        parser.add_argument("--wait", action="store_true", help="wait until the boards have switched")
        parser.add_argument("--dry-run", action="store_true", help="only say what would be built")

    def handle(self, *args, what, notes, wait, dry_run, **options):
        campaign, track, task = find(what)
        tracks = [track] if track else list(campaign.tracks.all())
        chosen = [(one, [found for found in self.with_boards(one) if task in (None, found)]) for one in tracks]
        chosen = [(one, tasks) for one, tasks in chosen if tasks]
        if not chosen:
            raise CommandError(f"{what} has no board yet. Activate assessments first.")
        if dry_run:
            for task in (task for _, tasks in chosen for task in tasks):
                runs = Run.objects.valid().filter(task=task).count()
                self.stdout.write(f"{task.track.slug}/{task.slug}: {runs:,} runs would be scored anew.")
            return
        begun = [(one, self.rebuild(tasks, notes)) for one, tasks in chosen]
        for one, started in begun:
            if wait:
                follow(one, started, self.stdout, self.stderr)

    def rebuild(self, tasks, notes):
        try:
            started = rebuild(tasks, by=COMMAND, notes=notes)
        except Refused as refusal:
            raise CommandError(refusal.reason) from refusal
        self.stdout.write(f"Begun: {', '.join(map(said, started))}.")
        return started

    def with_boards(self, track):
        return [task for task in track.tasks.all() if task.editions.scoring().exists()]
