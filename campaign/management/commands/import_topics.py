"""`manage.py import_topics`: a file of topics into a track."""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from campaign.models import Track
from campaign.services.acting import COMMAND
from campaign.services.setup.topics import preview_topics, read_records, take_topics
from limelight.formats.problems import FormatError


class Command(BaseCommand):
    help = "Import topics in any format that is read into a track: new ones are added, known ones brought up to date."

    def add_arguments(self, parser):
        parser.add_argument("track", help="campaign and track, as in their addresses: inex-2009/ad-hoc")
        parser.add_argument("file", type=Path, help="INEX or TREC topics, gzipped or not")
        parser.add_argument("--dry-run", action="store_true", help="only say what would change")

    def handle(self, *args, track, file, dry_run, **options):
        campaign, _, slug = track.partition("/")
        found = Track.objects.select_related("campaign").filter(campaign__slug=campaign, slug=slug).first()
        if found is None:
            raise CommandError(f"There is no track {track}. Write it as campaign/track, as in their addresses.")
        if not file.is_file():
            raise CommandError(f"There is no file {file}.")
        try:
            with file.open("rb") as stream:
                if dry_run:
                    preview = preview_topics(found, stream)
                    if preview.problems:
                        raise FormatError(preview.problems)
                    self.stdout.write(f"{preview.sentence}. Nothing was changed.")
                    return
                records = read_records(stream)
        except FormatError as error:
            raise CommandError("\n".join(f"{file}: {problem}" for problem in error.problems)) from error
        taken = take_topics(found, by=COMMAND, records=records, file=file.name)
        self.stdout.write(f"{taken.sentence}.")
        if taken.rechecked:
            self.stdout.write(f"Runs that are checked again: {taken.rechecked:,}.")
