"""Organisers who accept, discard and go back at the same moment, on both databases: one whole version is in use."""

import pytest

pytestmark = [pytest.mark.services, pytest.mark.slow]

AT_ONCE = """
import io, zipfile
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models import F
from campaign.models import Campaign, Collection, CollectionImport, Document, Team, Track, TrailEntry, User
from campaign.services.acting import By
from campaign.services.documents.decisions import accept_import, discard_import, seen_of
from campaign.services.documents.imports import read_collection, receive_collection
from campaign.services.documents.versions import use_version
from tests.services.threads import at_once
from tests.world import World

def make(slug):
    # Another world beside those of other tests: its people and slugs are renamed out of the way.
    for model, field in ((User, "username"), (Campaign, "slug"), (Collection, "slug"), (Team, "slug")):
        for row in model.objects.all():
            setattr(row, field, f"{getattr(row, field)[:30]}-{row.pk}-{slug}")
            row.save()
    Collection.objects.update(line=F("slug"), version=1)
    world = World()
    world.give_text(**{name: b"<a>first of %s</a>" % name.encode() for name in "abcd"})
    return world

def received(world, **documents):
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in documents.items():
            archive.writestr(f"{name}.xml", content)
    upload = SimpleUploadedFile("d.zip", target.getvalue())
    collection = Track.objects.get(pk=world.track.pk).collection
    return receive_collection(collection, by=By(world.organiser), upload=upload, file_name="d.zip").pk

def read(world, **documents):
    key = received(world, **documents)
    read_collection(key)
    return CollectionImport.objects.get(pk=key)

def accept(world, row):
    return accept_import(row, by=By(world.organiser), seen=seen_of(row)).prepared.version

def state(world):
    rows = Collection.objects.filter(line="letters", version__isnull=False).order_by("version")
    used = Track.objects.get(pk=world.track.pk).collection
    return [[row.version, row.slug, row.documents.count()] for row in rows], used.version, used.slug
"""


@pytest.fixture(scope="module")
def at_once(quiet_site):
    """Return a function that runs code in a site's Django, with `at_once` to call things in threads."""
    return lambda code: quiet_site.python(AT_ONCE + code)


def test_of_eight_clicks_and_two_files_one_version_comes(at_once):
    told, (versions, used, slug), deeds = at_once("""
world = make("accept")
one, two = read(world, a="<a>second</a>"), read(world, b="<a>second</a>", e="<a>new</a>")
told = at_once(*[lambda: accept(world, one), lambda: accept(world, two)] * 4)
print(json.dumps([told, state(world), TrailEntry.objects.filter(deed="imported", campaign=world.campaign).count()]))
""")

    assert sorted(set(told)) == [
        "3",
        "Letters has changed since this file was read. Have it read again, and look once more.",
    ]
    assert told.count("3") == 4
    assert [version for version, _, _ in versions] == [1, 2, 3]
    assert (used, slug, deeds) == (3, "letters", 1)
    assert versions[2][2] in (4, 5)


def test_accepted_and_discarded_at_once_is_one_of_the_two(at_once):
    told, (versions, used, slug), left = at_once("""
world = make("discard")
row = read(world, a="<a>second</a>")
discard = lambda: discard_import(row, by=By(world.organiser))
told = at_once(*[lambda: accept(world, row), discard] * 3)
print(json.dumps([told, state(world), Collection.objects.filter(line="letters", version=None).count()]))
""")

    assert (used, slug, left) == (versions[-1][0], "letters", 0)
    assert all(count == 4 for _, _, count in versions)
    assert len(versions) == (3 if "3" in told else 2)


def test_two_workers_with_the_same_new_documents_write_them_once(at_once):
    states, count, (_, used, slug) = at_once("""
world = make("new")
documents = {f"n{number}": f"<a>{number}</a>" for number in range(40)}
keys = [received(world, **documents), received(world, **documents, more="<a>more</a>")]
at_once(*[lambda key=key: read_collection(key) for key in keys])
for _ in range(3):
    for key in keys:
        read_collection(key)
states = list(CollectionImport.objects.filter(pk__in=keys).order_by("pk").values_list("state", flat=True))
used = Track.objects.get(pk=world.track.pk).collection
print(json.dumps([states, used.documents.count(), state(world)]))
""")

    assert states == ["accepted", "accepted"]
    assert (count, used, slug) == (45, 2, "letters")


def test_going_back_and_accepting_at_once_leaves_one_version_in_use(at_once):
    told, (versions, used, slug) = at_once("""
world = make("back")
row = read(world, a="<a>second</a>")
back = lambda: use_version(world.collection, by=By(world.organiser), version=1, seen=2)[0].version
told = at_once(*[lambda: accept(world, row), back] * 3)
print(json.dumps([told, state(world)]))
""")

    slugs = [own for _, own, _ in versions]
    assert slugs.count("letters") == 1
    assert slug == "letters"
    assert [own for number, own, _ in versions if number == used] == ["letters"]
    assert told
