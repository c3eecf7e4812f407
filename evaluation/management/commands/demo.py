"""`manage.py demo`: loads the demo campaign, or a large one that is made from a seed."""

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from campaign.models import Campaign
from evaluation.demo import pilot
from evaluation.demo.accounts import ACCOUNTS
from evaluation.demo.large import loading
from evaluation.demo.large.entrants import FEWEST_RUNS, MOST_RUNS
from evaluation.demo.large.world import World
from evaluation.demo.loader import FOLDER, SLUG, TEAMS, load_demo, runs_of_demo
from evaluation.demo.runs import runs_listed_in

RUNS, TOPICS, MOST_TOPICS = 300, 120, 500
LARGEST_SEED = 2**32 - 1


class Command(BaseCommand):
    help = (
        "Load the demo campaign with its collection, topics, assessments, teams, accounts and runs; "
        "with --runs or --topics, a large one beside it that is made from a seed."
    )

    def add_arguments(self, parser):
        parser.add_argument("--dry-run", action="store_true", help="only say what would be loaded")
        parser.add_argument(
            "--runs", type=int, help=f"make a large campaign with so many runs on its first board (usual: {RUNS})"
        )
        parser.add_argument("--topics", type=int, help=f"make a large campaign with so many topics (usual: {TOPICS})")
        parser.add_argument(
            "--seed", type=int, help="what the large campaign is made from: the same seed, the same files"
        )

    def handle(self, *args, dry_run, runs, topics, seed, **options):
        if not settings.DEMO_ACCOUNTS:
            raise CommandError(
                "The demo brings accounts with public passwords. It loads only with DEBUG on and HOST on loopback."
            )
        if runs is not None or topics is not None:
            self.load_large(_world(runs, topics, seed), dry_run)
        elif seed is not None:
            raise CommandError("A seed makes a large campaign. Say how large, e.g. --runs 300 --topics 120.")
        else:
            self.load_small(dry_run)

    def load_small(self, dry_run):
        if Campaign.objects.filter(slug=SLUG).exists():
            self.stdout.write("The demo campaign is already loaded.")
            return
        if dry_run:
            documents, runs = len(list((FOLDER / "collection").glob("*.xml"))), len(runs_of_demo())
            self.stdout.write(
                f"The demo campaign would be loaded: {documents} documents, {runs} runs, {len(TEAMS)} teams, "
                f"a pilot with {len(runs_listed_in(pilot.FOLDER))} runs, "
                f"and the accounts {', '.join(account.username for account in ACCOUNTS)}."
            )
            return
        with transaction.atomic():
            load_demo(say=self.stdout.write)

    def load_large(self, world, dry_run):
        if Campaign.objects.filter(slug=loading.SLUG).exists():
            self.stdout.write("The large demo campaign is already loaded.")
            return
        if dry_run:
            self.stdout.write(
                f"A large demo campaign would be loaded: {len(world.articles):,} documents, "
                f"{world.topic_count:,} topics, {len(world.entries):,} runs, {world.run_count:,} of them on the board "
                f"of Focused, {len(world.entrants):,} teams, "
                f"and the accounts {', '.join(account.username for account in ACCOUNTS)}."
            )
            return
        with transaction.atomic():
            loading.load_large_demo(world, say=self.say)

    def say(self, sentence):
        self.stdout.write(sentence)
        self.stdout.flush()


def _world(runs, topics, seed):
    """Return the campaign that is asked for, or refuse a size that makes none."""
    runs, topics, seed = (
        asked if asked is not None else usual for asked, usual in ((runs, RUNS), (topics, TOPICS), (seed, 1))
    )
    if not FEWEST_RUNS <= runs <= MOST_RUNS:
        raise CommandError(f"A large campaign has {FEWEST_RUNS} to {MOST_RUNS:,} runs, not {runs:,}.")
    if not 1 <= topics <= MOST_TOPICS:
        raise CommandError(f"A large campaign has 1 to {MOST_TOPICS:,} topics, not {topics:,}.")
    if not 0 <= seed <= LARGEST_SEED:
        raise CommandError(f"A seed is a number from 0 to {LARGEST_SEED:,}, not {seed:,}.")
    return World(runs, topics, seed)
