"""`manage.py pool`: make a pool of a track's runs, write it to a file, or only say how large it would be."""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from assessments.services.judged import version_numbered
from assessments.services.pool_exports import FILE_FORMATS, pool_file
from assessments.services.pool_summaries import summarise
from assessments.services.pools import DEPTH, check_choice, choose_runs, make_pool, poolable_runs
from campaign.models import Track
from campaign.services.acting import COMMAND
from campaign.services.refusals import Refused


class Command(BaseCommand):
    help = "Pool the top results of a track's runs: for each topic the documents that assessors are asked to judge."

    def add_arguments(self, parser):
        parser.add_argument("track", metavar="campaign/track", help="slugs of the campaign and the track")
        parser.add_argument("--depth", type=int, default=DEPTH, help=f"results a topic of each run ({DEPTH})")
        parser.add_argument(
            "--runs-per-team", type=int, metavar="N", help="so many runs a team at most, official first"
        )
        parser.add_argument("--task", action="append", metavar="SLUG", help="only runs of this task; may be repeated")
        parser.add_argument("--output", type=Path, metavar="FILE", help="write the pool here: .xml, .csv or .txt")
        parser.add_argument(
            "--judged-under", type=int, metavar="N", help="version that says what is judged; the newest without it"
        )
        parser.add_argument("--leave-out-judged", action="store_true", help="leave out what that version has judged")
        parser.add_argument("--dry-run", action="store_true", help="only say how large the pool would be")

    def handle(
        self, *args, track, depth, runs_per_team, task, output, judged_under, leave_out_judged, dry_run, **options
    ):
        found = self.track(track)
        version = self.version(found, judged_under, leave_out_judged)
        without = version if leave_out_judged else None
        file_format = output.suffix.removeprefix(".") if output else None
        if output and file_format not in FILE_FORMATS:
            raise CommandError(f"{output} should end in .xml, .csv or .txt: that says how the pool is written.")
        if output and not output.absolute().parent.is_dir():
            raise CommandError(f"There is no folder {output.absolute().parent}.")
        if runs_per_team is not None and runs_per_team < 1:
            raise CommandError("--runs-per-team is a whole number from 1.")
        runs = choose_runs(poolable_runs(found, self.tasks(found, task)), runs_per_team)
        try:
            if not runs:
                raise Refused(f"{found.name} has no valid run to make a pool of.")
            check_choice(found, runs, depth)
            self.say(summarise(found, runs, depth, version=version, without=without), without)
            if dry_run:
                self.stdout.write("Nothing was stored.")
                return
            made = make_pool(found, by=COMMAND, runs=runs, depth=depth, without=without)
        except Refused as refusal:
            raise CommandError(refusal.reason) from refusal
        self.stdout.write(
            f"Made pool {made.pool.number} of {found.name}."
            if made.is_new
            else f"Pool {made.pool.number} of {found.name} was made of the same runs at the same depth already."
        )
        if output:
            with output.open("wb") as target:
                target.writelines(pool_file(made.pool, file_format))
            self.stdout.write(f"Written to {output}.")

    def track(self, address):
        campaign, _, track = address.partition("/")
        found = Track.objects.filter(campaign__slug=campaign, slug=track).select_related("campaign", "collection")
        if not found:
            raise CommandError(f"There is no track {address}. Write it as campaign/track, by their slugs.")
        return found[0]

    def tasks(self, track, slugs):
        if not slugs:
            return None
        tasks = {task.slug: task for task in track.tasks.all()}
        for slug in slugs:
            if slug not in tasks:
                raise CommandError(f"{track.name} has no task {slug}. It has {', '.join(tasks) or 'none'}.")
        return [tasks[slug] for slug in slugs]

    def version(self, track, number, needed):
        found = version_numbered(track, number)
        if found is None and number is not None:
            raise CommandError(f"{track.name} has no v{number} of its assessments.")
        if found is None and needed:
            raise CommandError(f"{track.name} has no assessments yet, so nothing is judged.")
        return found

    def say(self, summary, without):
        for line in summary.teams:
            own = [run.contributor.name for run in summary.runs if run.contributor.team_id == line.contributor.pk]
            self.stdout.write(
                f"{line.contributor.name}: {', '.join(own)}: {line.size:,} documents, {line.unique:,} of no other team"
            )
        self.stdout.write(
            f"Depth {summary.depth:,}, {len(summary.runs)} runs of {len(summary.teams)} teams: "
            f"{summary.size:,} documents for {summary.answered} of {len(summary.topics)} topics, "
            f"{summary.smallest:,} to {summary.largest:,} a topic."
        )
        if without:
            self.stdout.write(f"What v{without.version} has judged is left out.")
        elif summary.version:
            self.stdout.write(
                f"v{summary.version.version} has judged {summary.judged:,} of them; {summary.to_judge:,} remain:"
            )
            for topic in summary.topics:
                self.stdout.write(
                    f"  {topic.number}: {topic.judged:,} of {topic.size:,} judged, {topic.to_judge:,} left"
                )
