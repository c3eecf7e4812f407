"""`manage.py demo`: loads the demo campaign."""

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from campaign.models import Campaign
from evaluation.demo.loader import SLUG, load_demo


class Command(BaseCommand):
    help = "Load the demo campaign with its collection, topics, assessments, teams, accounts and runs."

    def handle(self, *args, **options):
        if not settings.DEMO_ACCOUNTS:
            raise CommandError(
                "The demo brings accounts with public passwords. It loads only with DEBUG on and HOST on loopback."
            )
        if Campaign.objects.filter(slug=SLUG).exists():
            self.stdout.write("The demo campaign is already loaded.")
            return
        with transaction.atomic():
            load_demo(say=self.stdout.write)
