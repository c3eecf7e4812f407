"""`manage.py demo`: loads the demo campaign."""

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from campaign.models import Campaign
from evaluation.demo.accounts import ACCOUNTS
from evaluation.demo.loader import FOLDER, SLUG, TEAMS, load_demo, runs_of_demo


class Command(BaseCommand):
    help = "Load the demo campaign with its collection, topics, assessments, teams, accounts and runs."

    def add_arguments(self, parser):
        parser.add_argument("--dry-run", action="store_true", help="only say what would be loaded")

    def handle(self, *args, dry_run, **options):
        if not settings.DEMO_ACCOUNTS:
            raise CommandError(
                "The demo brings accounts with public passwords. It loads only with DEBUG on and HOST on loopback."
            )
        if Campaign.objects.filter(slug=SLUG).exists():
            self.stdout.write("The demo campaign is already loaded.")
            return
        if dry_run:
            documents, runs = len(list((FOLDER / "collection").glob("*.xml"))), len(runs_of_demo())
            self.stdout.write(
                f"The demo campaign would be loaded: {documents} documents, {runs} runs, {len(TEAMS)} teams, "
                f"and the accounts {', '.join(account.username for account in ACCOUNTS)}."
            )
            return
        with transaction.atomic():
            load_demo(say=self.stdout.write)
