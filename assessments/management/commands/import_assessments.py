"""`manage.py import_assessments`: the next version of a track's assessments, from a file."""

import sys
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from assessments.services.imports import import_read
from assessments.services.inspection import inspected
from assessments.services.reading import read_for_track
from campaign.formats.problems import FormatError
from campaign.models import Track
from campaign.services.trail import Through

SHOWN = 20
HAS_PROBLEMS, NOT_FOUND = 1, 2
"""What the command ends with when the file cannot be imported, and when there is no such file or track."""


class Command(BaseCommand):
    help = "Import a file of assessments, in any format, as the next version of a track; all of it or nothing."

    def add_arguments(self, parser):
        parser.add_argument("track", help="slugs of the campaign and the track, as in inex-2009/ad-hoc")
        parser.add_argument("file", type=Path, help="highlights in text, XML, an archive of XML, or TREC qrels")
        parser.add_argument("--notes", default="", help="what is new in this version")
        parser.add_argument("--make-topics", action="store_true", help="make the topics that the track doesn't have")
        parser.add_argument("--dry-run", action="store_true", help="only say what would be imported")

    def handle(self, *args, track, file, notes, make_topics, dry_run, **options):
        found = self.track(track)
        if not file.is_file():
            raise CommandError(f"There is no file {file}.", returncode=NOT_FOUND)
        with file.open("rb") as stream:
            try:
                read = self.read(found, stream, make_topics)
            except FormatError as error:
                for problem in error.problems:
                    self.stderr.write(f"{file}: {problem}")
                raise CommandError("Nothing was imported.", returncode=HAS_PROBLEMS) from error
            self.show(file, *inspected(found, read))
            if dry_run:
                self.stdout.write("Nothing was imported: this was a dry run.")
                return
            made = import_read(
                found,
                read,
                stream,
                file_name=file.name,
                notes=notes,
                makes_topics=make_topics,
                through=Through.COMMAND,
            )
        self.stdout.write(f"Imported as v{made.version} of {found.name}. Boards change when it is activated.")

    def track(self, slugs):
        campaign, _, track = slugs.partition("/")
        found = Track.objects.filter(campaign__slug=campaign, slug=track).select_related("campaign", "collection")
        if not found:
            raise CommandError(f"There is no track {slugs}. Name it as campaign/track.", returncode=NOT_FOUND)
        return found.get()

    def read(self, track, stream, make_topics):
        with tqdm(total=100, unit=" %", disable=not sys.stderr.isatty()) as bar:
            return read_for_track(
                track, stream, makes_topics=make_topics, progress=lambda part: bar.update(round(100 * part) - bar.n)
            )

    def show(self, file, preview, problems):
        totals = preview["totals"]
        self.stdout.write(
            f"{file.name}: {totals['topics']:,} topics, {totals['judged']:,} judged documents, "
            f"{totals['relevant']:,} relevant, {totals['highlighted']:,} characters highlighted, "
            f"{totals['entry_points']:,} entry points."
        )
        for topic in preview["topics"]:
            self.stdout.write(
                f"  {topic['topic']}: {topic['judged']:,} judged, {topic['relevant']:,} relevant, "
                f"{topic['highlighted']:,} characters, {topic['entry_points']:,} entry points"
            )
        if preview["new_topics"]:
            self.stdout.write(f"Topics to be made: {', '.join(preview['new_topics'])}.")
        if preview["unjudged_topics"]:
            self.stdout.write(f"Topics that the file does not judge: {', '.join(preview['unjudged_topics'])}.")
        for problem in problems[:SHOWN]:
            self.stderr.write(f"{file}: {problem}")
        if len(problems) > SHOWN:
            self.stderr.write(f"{len(problems) - SHOWN:,} more warnings.")
