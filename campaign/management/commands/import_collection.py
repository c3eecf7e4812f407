"""`manage.py import_collection`: documents from a folder, an archive, or a list of ids and lengths."""

import sys
from io import BytesIO
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from tqdm import tqdm

from campaign.documents import read_document
from campaign.formats.archives import is_archive
from campaign.formats.collections import collection_files, document_identifier, read_document_lengths
from campaign.formats.problems import FormatError
from campaign.models import Collection, TrailEntry
from campaign.services.collection_imports import record_import
from campaign.services.collections import import_collection, import_document_lengths
from campaign.services.rechecks import recheck_collection


class Command(BaseCommand):
    help = "Import a collection: a folder, zip or tar of XML documents, or a text file with an id and a length a line."

    def add_arguments(self, parser):
        parser.add_argument("collection", help="slug of the collection; made if there is none")
        parser.add_argument("source", type=Path, help="folder, .zip, .tar, .tar.gz, or a list of ids and lengths")
        parser.add_argument("--name", default="", help="name of a collection that is made")
        parser.add_argument("--dry-run", action="store_true", help="only say what would be imported")

    def handle(self, *args, collection, source, name, dry_run, **options):
        if not source.exists():
            raise CommandError(f"There is no {source}.")
        try:
            if dry_run:
                self.try_out(collection, source)
                return
            found, made = Collection.objects.get_or_create(slug=collection, defaults={"name": name or collection})
            if made:
                self.stdout.write(f"Made the collection {found.slug}.")
            try:
                self.import_from(found, source)
            finally:
                if made and not found.documents.exists():
                    found.delete()
                    self.stdout.write(f"Nothing came into {collection}, so it is gone again.")
        except FormatError as error:
            raise CommandError("\n".join(f"{source}: {problem}" for problem in error.problems)) from error

    def import_from(self, collection, source):
        if not source.is_dir():
            with source.open("rb") as stream:
                if not is_archive(stream):
                    count = import_document_lengths(collection, stream)
                    self.record(collection, source, documents=count)
                    self.stdout.write(f"{count:,} ids and lengths imported.")
                    return
                self.report(collection, source, self.follow(collection, collection_files(stream), None))
            return
        files = sorted(source.rglob("*.xml"))
        if not files:
            raise CommandError(f"There are no .xml files in {source}.")
        self.report(collection, source, self.follow(collection, opened(files), len(files)))

    def follow(self, collection, documents, total):
        with tqdm(total=total, unit=" documents", disable=not sys.stderr.isatty()) as bar:
            return import_collection(collection, documents, progress=lambda identifier: bar.update())

    def record(self, collection, source, **counts):
        """Write the import into the trail of the campaigns that use the collection, and check their runs again."""
        with transaction.atomic():
            rechecked = recheck_collection(collection)
            counts |= {"rechecked": rechecked} if rechecked else {}
            record_import(
                collection,
                f"documents of {collection.name}",
                through=TrailEntry.Through.COMMAND,
                file=source.name,
                **counts,
            )

    def report(self, collection, source, outcome):
        unreadable = len({identifier for identifier, _ in outcome.problems})
        if outcome.imported:
            self.record(collection, source, documents=outcome.imported, unreadable=unreadable)
        for identifier, problem in outcome.problems:
            self.stderr.write(f"{identifier}: {problem}")
        self.stdout.write(f"{outcome.imported:,} documents imported, {outcome.unchanged:,} were there already.")
        if outcome.problems:
            raise CommandError(f"{unreadable} documents cannot be read.")

    def try_out(self, collection, source):
        """Read everything as an import would, and write nothing."""
        readable, problems = 0, []
        for identifier, stream in self.documents_in(source):
            try:
                if stream is not None:
                    read_document(BytesIO(stream.read()), identifier)
                readable += 1
            except FormatError as error:
                problems += [f"{identifier}: {problem}" for problem in error.problems]
        for problem in problems:
            self.stderr.write(problem)
        self.stdout.write(f"{readable:,} documents would be imported into {collection}.")
        if problems:
            raise CommandError(f"{len({problem.partition(':')[0] for problem in problems})} documents cannot be read.")

    def documents_in(self, source):
        """Yield ids and open streams; no streams for a list of lengths."""
        if source.is_dir():
            yield from opened(sorted(source.rglob("*.xml")))
            return
        with source.open("rb") as stream:
            if is_archive(stream):
                yield from collection_files(stream)
            else:
                yield from dict.fromkeys(read_document_lengths(stream)).items()


def opened(files):
    """Yield the id and an open stream of each file."""
    for file in files:
        with file.open("rb") as stream:
            yield document_identifier(file.name), stream
