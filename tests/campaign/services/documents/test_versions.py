"""Documents that would change: shown first, accepted as a new version, and gone back from."""

import io
import tracemalloc
import zipfile
from io import BytesIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.utils import timezone

from campaign.models import Campaign, Collection, CollectionImport, Document, Run, Track, TrailEntry
from campaign.services.acting import By
from campaign.services.documents import imports as collection_imports
from campaign.services.documents import versions as collection_versions
from campaign.services.documents.collections import document_texts, import_collection
from campaign.services.documents.decisions import accept_import, discard_import, is_stale, seen_of, start_again
from campaign.services.documents.imports import read_collection, receive_collection
from campaign.services.documents.versions import use_version
from campaign.services.refusals import Refused
from campaign.services.runs.checks import check_run
from campaign.services.setup.tracks import usable_collections
from tests.pages import source_of

DESK = "/desk/campaigns/small"


def packed(**documents):
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in documents.items():
            archive.writestr(f"{name}.xml", content)
    return target.getvalue()


def received(world, content, name="documents.zip"):
    upload = SimpleUploadedFile(name, content)
    return receive_collection(world.collection, by=By(world.organiser), upload=upload, file_name=name)


def read(row):
    read_collection(row.pk)
    return CollectionImport.objects.get(pk=row.pk)


def accepted(world, row):
    return accept_import(row, by=By(world.organiser), seen=seen_of(row))


def lengths(collection):
    return dict(collection.documents.values_list("identifier", "length"))


@pytest.fixture
def plays(world):
    """Two documents with text beside the four that have only a length."""
    import_collection(world.collection, [("one", BytesIO(b"<a>first text</a>")), ("two", BytesIO(b"<a>second</a>"))])
    world.collection.refresh_from_db()
    return world


@pytest.fixture
def organiser(client, world):
    client.force_login(world.organiser)
    return client


def test_a_changed_document_waits_for_the_organiser_and_nothing_is_written_over(plays, organiser):
    row = read(received(plays, packed(one="<a>another</a>", two="<a>second</a>", three="<a>3</a>", bad="<a>")))

    assert row.state == "ready"
    assert lengths(plays.collection)["one"] == len("first text")
    assert plays.track.collection == plays.collection
    counts = {"new": 1, "changed": 1, "unchanged": 1, "damaged": 1, "absent": 4}
    assert {name: row.outcome[name] for name in counts} == counts
    assert row.outcome["lists"]["changed"] == [["one", 10, 7, -3]]
    page = source_of(organiser.get(f"{DESK}/collection-imports/{row.pk}/"))
    assert "waiting for your decision" in page and "Accept as a new version" in page
    assert "4 documents of <bdi>Letters</bdi> are not in the file and stay." in page
    rows = organiser.get(f"{DESK}/collection-imports/{row.pk}/documents.csv").getvalue().decode().splitlines()
    assert rows[:3] == ["document,what,characters before,characters after,problem", "one,changed,10,7,", rows[2]]
    assert rows[2].startswith("bad,damaged,,,Line 1: ")
    assert len(rows) == 1 + 1 + 1 + 4 + 1


def test_accepting_makes_a_version_and_the_old_text_stays(plays, organiser, client):
    row = read(received(plays, packed(one="<a>another</a>", three="<a>3</a>")))

    organiser.post(f"{DESK}/collection-imports/{row.pk}/accept/", {"seen": seen_of(row)})

    old, new = Collection.objects.get(slug="letters-v1"), Collection.objects.get(slug="letters")
    assert (old.pk, old.version, new.version, new.supersedes) == (plays.collection.pk, 1, 2, old)
    plays.track.refresh_from_db()
    assert plays.track.collection == new
    assert lengths(old) == {"a": 200, "b": 200, "c": 200, "d": 200, "one": 10, "two": 6}
    assert lengths(new) == lengths(old) | {"one": 7, "three": 1}
    assert new.documents.get(identifier="two").text_file == old.documents.get(identifier="two").text_file
    texts = [document_texts(version)("one").text for version in (old, new)]
    assert texts == ["first text", "another"]
    entry = TrailEntry.objects.get()
    assert (entry.deed, entry.actor, entry.details["version"]) == ("imported", plays.organiser, "v2")
    assert (entry.details["new"], entry.details["changed"]) == (1, 1)
    client.logout()
    assert "another" in source_of(client.get("/collections/letters/one/"))
    before = source_of(client.get("/collections/letters-v1/one/"))
    assert "first text" in before
    assert "This is v1 of <bdi>Letters</bdi>, which is no longer in use. It is another text in" in before
    assert "It is the same in" in source_of(client.get("/collections/letters-v1/two/"))


def test_what_assessments_refer_to_is_told_and_changes_only_in_a_new_version(plays, organiser):
    plays.import_assessments(b"1 Q0 one 5 10 0 0:5\n1 Q0 a 5 200 0 0:5\n2 Q0 one 0 10\n")

    row = read(received(plays, packed(one="<a>another</a>", two="<a>second</a>")))

    assert row.outcome["judged"] == {"Ad hoc": 1}
    page = source_of(organiser.get(f"{DESK}/collection-imports/{row.pk}/"))
    assert "Assessments refer to the old text of changed documents:" in page
    assert "1 document judged in <bdi>Ad hoc</bdi>" in page
    accepted(plays, row)
    old = Collection.objects.get(slug="letters-v1")
    assert document_texts(old)("one").text == "first text"
    plays.track.refresh_from_db()
    assert plays.track.collection.version == 2


@pytest.mark.parametrize("damaged", ["<a/>", "", "\0\0\0", "<a>cut o", "nothing like XML"])
def test_no_damaged_document_takes_the_place_of_a_text(plays, organiser, damaged):
    row = read(received(plays, packed(one=damaged, two="<a>second</a>", three="<a>3</a>")))

    assert (row.state, row.state_told) == ("accepted", "accepted without 1 document")
    assert lengths(plays.collection) == {"a": 200, "b": 200, "c": 200, "d": 200, "one": 10, "two": 6, "three": 1}
    assert row.outcome["lists"]["damaged"][0][:2] == ["one", 10]
    for address in (f"collection-imports/{row.pk}/", "material/"):
        assert "accepted without 1 document<" in source_of(organiser.get(f"{DESK}/{address}"))


def test_a_file_of_nothing_but_damaged_documents_is_rejected(plays):
    row = read(received(plays, packed(one="<a>cut o", two="")))

    assert row.state == "rejected"
    assert [problem.partition(":")[0] for problem in row.problems] == ["one", "two"]


def test_a_list_never_contradicts_a_text(plays):
    row = read(received(plays, b"one 99\nx 5\n", "lengths.txt"))

    assert row.state_told == "accepted without 1 document"
    assert row.outcome["lists"]["damaged"] == [
        ["one", 10, "The list says 99 characters, but its text in the collection has 10."]
    ]
    assert lengths(plays.collection)["one"] == 10


def test_a_list_that_changes_lengths_waits_too(plays):
    row = read(received(plays, b"a 300\nx 5\n", "lengths.txt"))

    assert (row.state, row.outcome["changed"], lengths(plays.collection)["a"]) == ("ready", 1, 200)
    accepted(plays, row)
    plays.track.refresh_from_db()
    assert (lengths(plays.track.collection)["a"], plays.track.collection.has_text) == (300, True)


def test_accepted_twice_it_is_one_version(plays):
    row = read(received(plays, packed(one="<a>another</a>")))

    first, second = (accepted(plays, row) for _ in range(2))

    assert first.prepared == second.prepared
    assert sorted(Collection.objects.values_list("slug", "version")) == [("letters", 2), ("letters-v1", 1)]
    assert TrailEntry.objects.count() == 1


def test_a_collection_that_changed_since_the_preview_is_looked_at_again(plays, organiser):
    row = read(received(plays, packed(one="<a>another</a>")))
    import_collection(plays.collection, [("late", BytesIO(b"<a>late</a>"))])

    with pytest.raises(Refused, match=r"^Letters has changed since this file was read\. Have it read again"):
        accepted(plays, row)

    assert is_stale(CollectionImport.objects.get())
    page = source_of(organiser.get(f"{DESK}/collection-imports/{row.pk}/"))
    assert "so this is no longer what it would do." in page and "Accept as a new version" not in page
    organiser.post(f"{DESK}/collection-imports/{row.pk}/again/")
    row = read(row)
    assert row.state == "ready"
    accepted(plays, row)
    plays.track.refresh_from_db()
    assert lengths(plays.track.collection)["late"] == 4
    assert not Collection.objects.filter(version=None).exists()


def test_of_two_imports_that_wait_the_second_is_read_again_on_the_new_version(plays):
    first = read(received(plays, packed(one="<a>another</a>")))
    second = read(received(plays, packed(two="<a>2nd</a>")))
    accepted(plays, first)

    with pytest.raises(Refused, match="has changed since this file was read"):
        accepted(plays, second)
    start_again(second)
    second = read(second)
    accepted(plays, second)

    plays.track.refresh_from_db()
    new = plays.track.collection
    assert (new.version, lengths(new)["one"], lengths(new)["two"]) == (3, 7, 3)


def test_a_preview_that_was_made_anew_is_not_accepted_from_an_old_tab(plays, organiser):
    row = read(received(plays, packed(one="<a>another</a>")))

    told = organiser.post(f"{DESK}/collection-imports/{row.pk}/accept/", {"seen": "before"}, follow=True)

    assert "This file was read again since you looked at it. Look once more." in source_of(told)
    assert Collection.objects.get(slug="letters").version == 1


def test_a_discarded_import_leaves_nothing(plays, organiser):
    row = read(received(plays, packed(one="<a>another</a>")))

    for _ in range(2):
        organiser.post(f"{DESK}/collection-imports/{row.pk}/discard/")

    assert list(Collection.objects.values_list("slug", flat=True)) == ["letters"]
    assert Document.objects.count() == 6
    assert TrailEntry.objects.get().subject == "import of documents.zip into Letters"
    with pytest.raises(Refused, match="There is nothing to accept"):
        accepted(plays, row)


def test_an_accepted_import_is_not_discarded(plays):
    row = read(received(plays, packed(one="<a>another</a>")))
    accepted(plays, row)

    with pytest.raises(Refused, match=r"To undo it, go back to the earlier version\."):
        discard_import(row, by=By(plays.organiser))


def test_two_imports_of_the_same_new_documents_at_once_bring_them_once(plays, monkeypatch):
    first = received(plays, packed(three="<a>3</a>"))
    second = received(plays, packed(three="<a>3</a>", four="<a>four</a>"))
    staged = collection_imports.stage

    def overtaken(*arguments, **options):
        monkeypatch.undo()
        reading = staged(*arguments, **options)
        assert read(first).state == "accepted"
        return reading

    monkeypatch.setattr(collection_imports, "stage", overtaken)

    assert read(second).state == "received"  # the collection changed under it, so it begins again
    second = read(second)
    assert (second.state, second.outcome["new"], second.outcome["unchanged"]) == ("accepted", 1, 1)


class Killed(BaseException):
    """The process ends here."""


def test_killed_while_a_version_is_laid_out_it_goes_on(plays, monkeypatch):
    monkeypatch.setattr(collection_versions, "COPIED_AT_ONCE", 2)
    written, count = collection_versions.write_documents, 0

    def dies(*arguments):
        nonlocal count
        count += 1
        if count == 3:
            raise Killed
        written(*arguments)

    row = received(plays, packed(one="<a>another</a>", two="<a>second</a>"))
    with monkeypatch.context() as patched:
        patched.setattr(collection_versions, "write_documents", dies)
        with pytest.raises(Killed):
            read_collection(row.pk)
    CollectionImport.objects.update(held_until=timezone.now())
    row = read(row)

    assert (row.state, row.outcome["changed"], row.outcome["unchanged"]) == ("ready", 1, 1)
    assert lengths(row.prepared) == lengths(plays.collection) | {"one": 7}


def test_killed_while_it_is_accepted_nothing_has_changed(plays, monkeypatch):
    row = read(received(plays, packed(one="<a>another</a>")))

    def dies(collection):
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(collection_versions, "recheck_collection", dies)
        with pytest.raises(Killed):
            accepted(plays, row)

    assert Collection.objects.get(slug="letters") == plays.collection
    plays.track.refresh_from_db()
    assert plays.track.collection == plays.collection
    accepted(plays, row)
    assert Collection.objects.get(slug="letters").version == 2


def test_going_back_and_forward_again(plays, organiser):
    run = plays.submit(b"1 Q0 one 1 9.5 r 0 10\n")
    check_run(run.pk)
    row = read(received(plays, packed(one="<a>another</a>")))
    accepted(plays, row)
    check_run(run.pk)
    run.refresh_from_db()
    assert run.state == Run.State.REJECTED  # it ends past the new text

    back = source_of(
        organiser.post(f"{DESK}/tracks/ad-hoc/collection/version/", {"version": "1", "seen": "2"}, follow=True)
    )

    assert "Letters v1 is in use. 1 run is checked again in the background." in back
    check_run(run.pk)
    run.refresh_from_db()
    assert run.state == Run.State.VALID
    plays.track.refresh_from_db()
    assert (plays.track.collection.slug, plays.track.collection.version) == ("letters", 1)
    assert Collection.objects.get(slug="letters-v2").version == 2
    entry = TrailEntry.objects.first()
    assert (entry.deed, entry.details["changes"]) == ("changed", {"version": ["v2", "v1"]})
    again = use_version(plays.collection, by=By(plays.organiser), version=1, seen=2)
    assert again == (plays.track.collection, 0)
    with pytest.raises(Refused, match=r"^Letters is at v1 by now\."):
        use_version(plays.collection, by=By(plays.organiser), version=2, seen=2)
    use_version(plays.collection, by=By(plays.organiser), version=2, seen=1)
    plays.track.refresh_from_db()
    assert plays.track.collection.version == 2


def test_a_version_after_going_back_has_a_number_of_its_own(plays):
    accepted(plays, read(received(plays, packed(one="<a>another</a>"))))
    use_version(plays.collection, by=By(plays.organiser), version=1, seen=2)

    plays.collection = Collection.objects.get(slug="letters")
    accepted(plays, read(received(plays, packed(one="<a>third</a>"))))

    numbers = Collection.objects.values_list("slug", "version", "supersedes__version").order_by("version")
    assert list(numbers) == [("letters-v1", 1, None), ("letters-v2", 2, 1), ("letters", 3, 1)]


def test_who_does_not_organise_every_campaign_changes_no_version(plays):
    row = read(received(plays, packed(one="<a>another</a>")))
    other = Campaign.objects.create(slug="other", name="Other", year=2026)
    Track.objects.create(campaign=other, slug="t", name="T", collection=plays.collection)

    with pytest.raises(Refused, match="is used by campaigns that you do not organise"):
        accepted(plays, row)
    with pytest.raises(Refused, match="is used by campaigns that you do not organise"):
        use_version(plays.collection, by=By(plays.organiser), version=1, seen=1)


def test_what_is_prepared_is_for_organisers_and_offered_to_no_track(plays, organiser, client):
    row = read(received(plays, packed(one="<a>another</a>")))
    address = row.prepared.get_absolute_url()

    assert "It has not been accepted yet." in source_of(organiser.get(f"{address}one/"))
    assert "as an import would make them" in source_of(organiser.get(address))
    client.force_login(plays.alice)
    assert client.get(address).status_code == client.get(f"{address}one/").status_code == 404
    client.logout()
    assert client.get(address).status_code == 404
    plays.organiser.is_superuser = True
    assert usable_collections(plays.organiser) == [plays.collection]


def test_gates_of_a_campaign_hold_for_old_versions_too(plays, client):
    accepted(plays, read(received(plays, packed(one="<a>another</a>"))))
    Campaign.objects.update(gates_collection=True)

    assert [client.get(f"/collections/{slug}/one/").status_code for slug in ("letters", "letters-v1")] == [403, 403]
    Campaign.objects.update(is_public=False)
    assert [client.get(f"/collections/{slug}/one/").status_code for slug in ("letters", "letters-v1")] == [404, 404]


def test_imports_are_found_after_their_collection_was_superseded(plays, organiser):
    row = read(received(plays, packed(one="<a>another</a>")))
    accepted(plays, row)

    page = source_of(organiser.get(f"{DESK}/collection-imports/{row.pk}/"))

    assert "It made <a" in page
    assert f"/collection-imports/{row.pk}/" in source_of(organiser.get(f"{DESK}/material/"))


@pytest.fixture
def command(plays, tmp_path):
    source = tmp_path / "documents.zip"

    def command(*options, slug="letters", **documents):
        source.write_bytes(packed(**documents))
        said = io.StringIO()
        try:
            call_command("import_collection", slug, str(source), *options, stdout=said, stderr=said)
        except CommandError as error:
            said.write(str(error))
        return said.getvalue().splitlines()

    return command


CHANGES = {f"d{number}": "<a>x</a>" for number in range(7)} | {"one": "<a>another</a>", "two": "", "three": "<a>3</a>"}


def test_the_command_shows_what_would_change_and_writes_nothing(plays, command):
    plays.import_assessments(b"1 Q0 one 5 10 0 0:5\n")
    told = [
        "  Changed: one: 10 -> 7 characters",
        "Assessments of Ad hoc refer to the text of 1 of the changed documents.",
    ]

    dry, refused = command("--dry-run", **CHANGES), command(**CHANGES)

    assert dry == [
        "documents.zip for letters: 8 new, 1 changed, 0 unchanged, 1 damaged.",
        told[0],
        "  Damaged: two: Its file in the archive is empty, or holds nothing but zeros.",
        *(f"  New: d{number}: 1 characters" for number in range(5)),
        "  3 more: --all names them.",
        told[1],
        "1 document would change in Letters. That needs --new-version.",
        "Nothing was imported: this was a dry run.",
        "1 documents cannot be read.",
    ]
    assert refused == [
        *told,
        "1 document would change in Letters. Nothing was imported. With --new-version a new version is made, and the "
        "texts of this one stay.",
    ]
    assert len(lengths(plays.collection)) == 6
    assert Collection.objects.count() == 1
    assert "  New: d6: 1 characters" in command("--dry-run", "--all", **CHANGES)


def test_the_command_makes_a_version_when_told_to(plays, command):
    said = command("--new-version", **CHANGES)

    assert said == [
        "Made Letters v2: 9 documents are new or changed.",
        "v1 stays to be read at /collections/letters-v1/.",
        "two: Its file in the archive is empty, or holds nothing but zeros.",
        "1 documents cannot be read. The import is without them.",
    ]
    plays.track.refresh_from_db()
    new = plays.track.collection
    assert (new.version, lengths(new)["one"], lengths(new)["two"], len(lengths(new))) == (2, 7, 6, 14)
    entry = TrailEntry.objects.get()
    assert (entry.through, entry.details["version"], entry.details["damaged"]) == ("command", "v2", 1)
    again = command("--dry-run", **CHANGES)[0]
    assert again == "documents.zip for letters: 0 new, 0 changed, 9 unchanged, 1 damaged."
    assert command(slug="letters-v1", **CHANGES) == [
        "letters-v1 is Letters v1, which stays as it is. Import into letters."
    ]


def test_a_command_that_is_broken_off_leaves_no_version(plays, command, monkeypatch):
    def dies(prepared):
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(collection_versions, "complete", dies)
        with pytest.raises(Killed):
            command("--new-version", **CHANGES)

    assert list(Collection.objects.values_list("slug", flat=True)) == ["letters"]


@pytest.mark.slow
def test_a_thousand_documents_are_read_and_laid_out_in_less_memory_than_they_have_text(plays):
    names = [f"d{number:05}" for number in range(1_000)]
    body = "<a>" + "words " * 2_000 + "</a>"
    first = read(received(plays, packed(**dict.fromkeys(names, body))))
    assert (first.state, first.outcome["new"]) == ("accepted", 1_000)
    content = packed(**dict.fromkeys(names, body.replace("words", "other")))

    tracemalloc.start()
    row = read(received(plays, content))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert (row.state, row.outcome["changed"]) == ("ready", 1_000)
    assert peak < 5_000_000 < len(content) / 2
    assert len(row.outcome["lists"]["changed"]) == 100
