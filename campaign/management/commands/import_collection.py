"""`manage.py import_collection`: documents from a folder, an archive, or a list of ids and lengths."""

import sys
from contextlib import contextmanager
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from tqdm import tqdm

from campaign.later import judged_documents
from campaign.models import Collection
from campaign.services.acting import COMMAND
from campaign.services.documents.changes import (
    CHANGED,
    DAMAGED,
    NEW,
    UNCHANGED,
    document_changes,
    known_documents,
    length_changes,
)
from campaign.services.documents.collections import import_changes
from campaign.services.documents.imports import record_import
from campaign.services.documents.versions import make_version
from campaign.services.refusals import Refused
from campaign.services.runs.rechecks import recheck_collection
from limelight.formats.archives import is_archive
from limelight.formats.collections import (
    collection_files,
    document_identifier,
    keep_to_documents,
    read_document_lengths,
)
from limelight.formats.problems import FormatError
from limelight.formats.recognising import HEAD
from limelight.wording import counted

SHOWN = 5
HEADINGS = {CHANGED: "Changed", DAMAGED: "Damaged", NEW: "New"}


class Command(BaseCommand):
    help = "Import a collection: a folder, zip or tar of XML documents, or a text file with an id and a length a line."

    def add_arguments(self, parser):
        parser.add_argument("collection", help="slug of the collection; made if there is none")
        parser.add_argument("source", type=Path, help="folder, .zip, .tar, .tar.gz, or a list of ids and lengths")
        parser.add_argument("--name", default="", help="name of a collection that is made")
        parser.add_argument("--dry-run", action="store_true", help="only say what would be imported")
        parser.add_argument(
            "--new-version", action="store_true", help="where texts change, make a new version of the collection"
        )
        parser.add_argument("--all", action="store_true", dest="names_all", help="name every document, not five a kind")

    def handle(self, *args, collection, source, name, dry_run, new_version, names_all, **options):
        if not source.exists():
            raise CommandError(f"There is no {source}.")
        self.names_all = names_all
        try:
            if dry_run:
                self.try_out(collection, source)
                return
            with self.collection(collection, name) as found:
                self.import_from(found, source, new_version)
        except FormatError as error:
            raise CommandError("\n".join(f"{source}: {problem}" for problem in error.problems)) from error
        except Refused as refusal:
            raise CommandError(refusal.reason) from refusal

    @contextmanager
    def collection(self, slug, name):
        """Find or make the collection; one that stays empty is taken away again."""
        found, made = Collection.objects.get_or_create(slug=slug, defaults={"name": name or slug})
        if not found.is_in_use:
            raise CommandError(
                f"{slug} is {found.name} v{found.version}, which stays as it is. Import into {found.line}."
            )
        if made:
            self.stdout.write(f"Made the collection {found.slug}.")
        try:
            yield found
        finally:
            if made and not found.documents.exists():
                found.delete()
                self.stdout.write(f"Nothing came into {slug}, so it is gone again.")

    def import_from(self, collection, source, new_version):
        known = known_documents(collection)
        changed = [change for change in self.changes(source, known, reads_new=False) if change.kind == CHANGED]
        if not changed:
            self.report(collection, source, import_changes(collection, self.changes(source, known, shows=True)))
            return
        if not new_version:
            self.name(CHANGED, changed)
            self.say_judged(collection, changed)
            raise CommandError(
                f"{self.would_change(changed, collection)} Nothing was imported. With --new-version a new version is "
                "made, and the texts of this one stay."
            )
        self.make_version(collection, source)

    def changes(self, source, known, *, read_before=frozenset(), shows=False, **options):
        """Yield what each document of a source would change, with a bar where somebody looks."""
        with tqdm(unit=" documents", disable=not (shows and sys.stderr.isatty())) as bar:
            for change in self.changes_of(source, known, read_before=read_before, **options):
                yield change
                bar.update()

    def changes_of(self, source, known, **options):
        if source.is_dir():
            files = sorted(source.rglob("*.xml"))
            if not files:
                raise CommandError(f"There are no .xml files in {source}.")
            yield from document_changes(known, opened(files), **options)
            return
        with source.open("rb") as stream:
            if is_archive(stream):
                yield from document_changes(known, collection_files(stream), **options)
            else:
                yield from length_changes(known, read_document_lengths(stream))

    def make_version(self, collection, source):
        def changes_of(known, read_before):
            return self.changes(source, known, read_before=read_before, shows=True)

        def record(made):
            counts = {"documents": made.came, "damaged": len(made.reading.damaged)}
            self.record(made.collection, source, made.rechecked, **counts, version=f"v{made.collection.version}")

        made = make_version(collection, changes_of, record=record)
        collection.refresh_from_db()
        self.stdout.write(f"Made {made.collection.label}: {made.came:,} documents are new or changed.")
        self.stdout.write(f"v{collection.version} stays to be read at {collection.get_absolute_url()}.")
        self.tell_damaged([(change.identifier, change.problem) for change in made.reading.damaged])

    def record(self, collection, source, rechecked, **counts):
        """Write the import into the trail of the campaigns that use the collection."""
        counts |= {"rechecked": rechecked}
        counts = {name: count for name, count in counts.items() if count}
        record_import(collection, f"documents of {collection.name}", by=COMMAND, file=source.name, **counts)

    def report(self, collection, source, outcome):
        if outcome.imported:
            with transaction.atomic():
                counts = {"documents": outcome.imported, "damaged": len(outcome.problems)}
                self.record(collection, source, recheck_collection(collection), **counts)
        self.stdout.write(f"{outcome.imported:,} documents imported, {outcome.unchanged:,} were there already.")
        self.tell_damaged(outcome.problems)

    def tell_damaged(self, problems):
        for identifier, problem in problems:
            self.stderr.write(f"{identifier}: {problem}")
        if problems:
            raise CommandError(f"{len(problems)} documents cannot be read. The import is without them.")

    def try_out(self, slug, source):
        """Read everything as an import would, and write nothing."""
        collection = Collection.objects.filter(slug=slug).first()
        kinds = {NEW: [], CHANGED: [], UNCHANGED: [], DAMAGED: []}
        for change in self.changes(source, known_documents(collection) if collection else {}, shows=True):
            kinds[change.kind].append(change.brief)
        counts = ", ".join(f"{len(found):,} {kind}" for kind, found in kinds.items())
        self.stdout.write(f"{source.name} for {slug}: {counts}.")
        for kind in HEADINGS:
            self.name(kind, kinds[kind])
        if kinds[CHANGED]:
            self.say_judged(collection, kinds[CHANGED])
            self.stdout.write(f"{self.would_change(kinds[CHANGED], collection)} That needs --new-version.")
        self.stdout.write("Nothing was imported: this was a dry run.")
        if kinds[DAMAGED]:
            raise CommandError(f"{len(kinds[DAMAGED])} documents cannot be read.")

    def name(self, kind, changes):
        """Name the documents of a kind with their lengths; those that lose most stand first."""
        ordered = (
            sorted(changes, key=lambda change: (change.after or 0) - (change.before or 0))
            if kind == CHANGED
            else changes
        )
        for change in ordered if self.names_all else ordered[:SHOWN]:
            told = (
                change.problem
                or f"{'' if change.before is None else f'{change.before:,} -> '}{change.after:,} characters"
            )
            self.stdout.write(f"  {HEADINGS[kind]}: {change.identifier}: {told}")
        if not self.names_all and len(changes) > SHOWN:
            self.stdout.write(f"  {len(changes) - SHOWN:,} more: --all names them.")

    def say_judged(self, collection, changes):
        for track, count in judged_documents(collection, [change.identifier for change in changes]).items():
            self.stdout.write(f"Assessments of {track} refer to the text of {count:,} of the changed documents.")

    def would_change(self, changes, collection):
        return f"{counted(len(changes), 'document')} would change in {collection.name}."


def opened(files):
    """Yield the id and an open stream of each file."""
    for number, file in enumerate(files):
        with file.open("rb") as stream:
            if not number:
                keep_to_documents(stream.read(HEAD), file.name)
                stream.seek(0)
            yield document_identifier(file.name), stream
