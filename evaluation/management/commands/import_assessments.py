"""`manage.py import_assessments`: the next version of a track's assessments, from a file."""

import sys
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from assessments.services.import_differences import LOST, difference_of_read
from assessments.services.imports import import_read
from assessments.services.inspection import inspected, warned_of
from assessments.services.merging import merge_read
from assessments.services.reading import read_for_track
from campaign.models import Track
from campaign.services.acting import COMMAND
from campaign.services.refusals import Refused
from limelight.formats.problems import FormatError

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
        how = parser.add_mutually_exclusive_group()
        how.add_argument(
            "--merge", action="store_true", help="take topics that the file doesn't judge over from the newest version"
        )
        how.add_argument(
            "--replace", action="store_true", help="take the file alone, whatever it doesn't judge (the default)"
        )
        parser.add_argument("--dry-run", action="store_true", help="only say what would be imported")

    def handle(self, *args, track, file, notes, make_topics, merge, dry_run, **options):
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
            preview, problems = inspected(found, read)
            self.show(file, preview, problems)
            newest = found.assessment_sets.order_by("-version").first()
            try:
                self.compare(found, read, newest, merge)
                if dry_run:
                    self.stdout.write("Nothing was imported: this was a dry run.")
                    return
                made = import_read(
                    found,
                    by=COMMAND,
                    read=read,
                    stream=stream,
                    file_name=file.name,
                    notes=notes,
                    makes_topics=make_topics,
                    merges=merge,
                    seen=newest.version if newest else 0,
                    warnings=warned_of(problems),
                )
            except Refused as refusal:
                raise CommandError(f"{refusal.reason} Nothing was imported.", returncode=HAS_PROBLEMS) from refusal
        merged = f", merged into v{newest.version}" if merge else ""
        self.stdout.write(f"Imported as v{made.version} of {found.name}{merged}. Boards change when it is activated.")

    def compare(self, track, read, newest, merge):
        """Say what the file changes in the newest version and in those that are live, lost topics first."""
        if merge:
            merge_read(newest, read)
        if newest is None:
            return
        live = track.assessment_sets.filter(editions__state="live").exclude(pk=newest.pk).distinct()
        for version in (newest, *live.order_by("-version")):
            self.say_difference(difference_of_read(read, version), merge, is_newest=version == newest)

    def say_difference(self, difference, merge, *, is_newest):
        version, counts = difference.version.version, difference.counts
        kept = merge and is_newest
        what = "the newest version" if is_newest else "which is live"
        lost = "that the file does not judge stay" if kept else "lose all their judgements"
        self.stdout.write(
            f"Compared with v{version}, {what}: {counts['lost']:,} topics {lost}, {counts['emptied']:,} lose all "
            f"relevant text, {counts['changed']:,} change, {counts['new']:,} are new, "
            f"{counts['same']:,} stay as they are."
        )
        for change in difference.different:
            word = "stays" if kept and change.change == LOST else change.change
            self.stdout.write(f"  {change.topic}: {word}: {_counted(change.before)} -> {_counted(change.after)}")
        if difference.is_a_choice and is_newest and not merge:
            self.stdout.write(f"With --merge the {counts['lost']:,} topics stay as in v{version}.")

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


def _counted(count):
    """Write what is judged for a topic."""
    if count is None:
        return "not judged"
    return f"{count.judged:,} judged, {count.relevant:,} relevant, {count.highlighted:,} characters"
