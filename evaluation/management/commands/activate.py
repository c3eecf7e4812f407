"""`manage.py activate`: build the boards of a track on a version of its assessments."""

from django.core.management.base import BaseCommand, CommandError

from assessments.services.versions import version_of
from campaign.models import Run
from campaign.services.acting import COMMAND
from campaign.services.refusals import Refused
from evaluation.management.following import find, follow, said
from evaluation.services.decisions import activate
from evaluation.services.editions import tasks_scored_by
from limelight.scoring.evaluators import official_measure


class Command(BaseCommand):
    help = "Build new editions of all tasks of a track on a version of its assessments; the boards switch in one step."

    def add_arguments(self, parser):
        parser.add_argument("track", help="campaign/track")
        parser.add_argument("version", type=int, help="number of the assessments; an earlier one goes back to it")
        parser.add_argument("--notes", default="", help="why, for the history")
        parser.add_argument("--wait", action="store_true", help="wait until the boards have switched")
        parser.add_argument("--look", action="store_true", help="built, wait for an organiser's look before going live")
        parser.add_argument("--dry-run", action="store_true", help="only say what would be built")

    def handle(self, *args, track, version, notes, wait, look, dry_run, **options):
        _, found, task = find(track)
        if found is None or task is not None:
            raise CommandError(f"“{track}” is not of the form campaign/track.")
        try:
            assessments = version_of(found, version)
            if dry_run:
                self.tell(assessments)
                return
            started = activate(assessments, by=COMMAND, notes=notes, waits_for_look=look)
        except Refused as refusal:
            raise CommandError(refusal.reason) from refusal
        self.warn(assessments)
        self.stdout.write(f"Begun with assessments v{version}: {', '.join(map(said, started))}.")
        if wait:
            follow(found, started, self.stdout, self.stderr)

    def warn(self, assessments):
        for warning in assessments.warnings:
            more = f" And {warning['times'] - 1:,} more of this kind." if warning["times"] > 1 else ""
            self.stderr.write(f"The import of v{assessments.version} warned: {warning['message']}{more}")

    def tell(self, assessments):
        self.warn(assessments)
        for task in tasks_scored_by(assessments):
            runs = Run.objects.valid().filter(task=task).count()
            ranked_by = official_measure(task.kind, task.official_measure, task.profile, task.parameters)
            self.stdout.write(
                f"{task.slug}: {runs:,} runs would be scored under {task.profile} and ranked by {ranked_by}."
            )
