"""`manage.py verify_files`: look at every stored file that rows refer to."""

import sys

from django.core.management.base import BaseCommand
from tqdm import tqdm

from assessments.services.stored_files import verify
from evaluation.services.stored_files import references


class Command(BaseCommand):
    help = "Check that every stored file is there and whole, say what to do where one is not, and end with 1 then."

    def add_arguments(self, parser):
        parser.add_argument("--quick", action="store_true", help="only look whether files are there, and at sizes")
        parser.add_argument("--repair", action="store_true", help="make again what can be made from other files")

    def handle(self, *args, quick, repair, **options):
        wrong = mended = 0
        found = list(references())
        looked_at = tqdm(found, unit=" files", disable=not sys.stderr.isatty())
        for finding in verify(looked_at, quick=quick, repair=repair):
            reference = finding.reference
            done = "Made again" if finding.is_mended else reference.remedy
            self.stdout.write(f"{reference.name} {finding.fault}: {reference.of}. {done}.")
            mended += finding.is_mended
            wrong += not finding.is_mended
        self.stdout.write(summary(len(found), wrong, mended, quick))
        if wrong:
            sys.exit(1)


def summary(count, wrong, mended, quick):
    """Say in a sentence what was looked at and found."""
    looked = "looked at by size, as far as that is known" if quick else "read through"
    outcome = f"{wrong:,} wrong" if wrong else "all is well"
    return f"{count:,} references {looked}: {outcome}{f', {mended:,} made again' if mended else ''}."
