"""Importing collections: with text, resumed, broken, or just ids and lengths."""

import io
import zipfile
from io import BytesIO

import pytest
from django.core.management import CommandError, call_command

from campaign.models import Collection, Document
from campaign.services.documents import collections
from campaign.services.documents.collections import element_spans, import_collection, load_document, spans_for
from limelight.formats.runs.reading import read_run
from limelight.text.placing import placed
from tests.world import list_lengths

pytestmark = pytest.mark.django_db


@pytest.fixture
def collection(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "files"
    return Collection.objects.create(slug="c", name="C")


def documents(count):
    return [(f"d{number:04}", BytesIO(f"<a><p>text {number}</p></a>".encode())) for number in range(count)]


def test_text_and_spans_live_in_files(collection):
    import_collection(collection, [("one", BytesIO(b"<a><title>One</title><p>xyz</p></a>"))])

    row = Document.objects.get()
    assert (row.title, row.length) == ("One", 6)
    assert load_document(row.text_file).text == "Onexyz"
    collection.refresh_from_db()
    assert element_spans(collection)("one").get("/a[1]/p[1]") == (3, 3)
    assert element_spans(collection)("two") is None


@pytest.mark.parametrize(("path", "statements"), [("/a[1]/p[1]", 1), (None, 0)])
def test_the_documents_of_an_element_run_are_found_in_one_statement(
    collection, django_assert_num_queries, path, statements
):
    import_collection(collection, documents(30))
    collection.refresh_from_db()
    names = [*(f"d{number:04}" for number in range(30)), "elsewhere"]
    columns = run_columns(names, path)

    with django_assert_num_queries(statements):
        columns, problems = placed(columns, spans_for(collection, columns))

    assert columns.length.tolist() == ([6] * 10 + [7] * 20 + [0] if path else [9] * 31)
    assert len(problems) == bool(path)


def run_columns(names, path):
    """Return a run with one result a document, an element or a passage."""
    place = path or "0 9"
    lines = [f"1 Q0 {name} {rank} {100 - rank} x {place}\n" for rank, name in enumerate(names, start=1)]
    return read_run(BytesIO("".join(lines).encode()))[0]


def test_an_import_that_was_broken_off_is_gone_on_with(collection, monkeypatch):
    monkeypatch.setattr(collections, "BATCH", 10)

    def broken_off():
        yield from documents(25)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        import_collection(collection, broken_off())
    assert Document.objects.count() == 20

    outcome = import_collection(collection, documents(40))

    assert (outcome.imported, outcome.unchanged, outcome.problems) == (20, 20, [])
    assert Document.objects.count() == 40


def test_a_document_with_another_text_stays_as_it_was_and_is_named(collection):
    import_collection(collection, [("one", BytesIO(b"<a>short</a>"))])
    outcome = import_collection(collection, [("one", BytesIO(b"<a>longer text</a>")), ("two", BytesIO(b"<a>2</a>"))])

    assert (outcome.imported, outcome.changed) == (1, ["one"])
    assert dict(Document.objects.values_list("identifier", "length")) == {"one": 5, "two": 1}


def test_a_document_written_in_another_way_with_the_same_text_is_unchanged(collection):
    import_collection(collection, [("one", BytesIO(b"<a><p>same</p></a>"))])

    outcome = import_collection(collection, [("one", BytesIO(b"<a  >\n<p>same</p></a>".replace(b"\n", b"")))])

    assert (outcome.imported, outcome.unchanged, outcome.changed) == (0, 1, [])


def test_documents_that_cannot_be_read_are_named_and_the_others_imported(collection):
    files = [("good", BytesIO(b"<a>x</a>")), ("bad", BytesIO(b"<a><b></a>")), ("fine", BytesIO(b"<a>y</a>"))]

    outcome = import_collection(collection, files)

    assert outcome.imported == 2
    assert [identifier for identifier, _ in outcome.problems] == ["bad"]


def test_the_command_reads_folders_archives_and_lists(collection, tmp_path, capsys):
    folder = tmp_path / "xml"
    (folder / "deep").mkdir(parents=True)
    (folder / "one.xml").write_text("<a>1</a>")
    (folder / "deep" / "two.xml").write_text("<a>22</a>")
    archive = tmp_path / "more.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("pages/three.xml", "<a>333</a>")
    (tmp_path / "lengths.txt").write_text("four 4000\nfive 5000\n")

    for source in (folder, archive, tmp_path / "lengths.txt"):
        call_command("import_collection", "c", source)

    assert dict(Document.objects.values_list("identifier", "length")) == {
        "one": 1,
        "two": 2,
        "three": 3,
        "four": 4000,
        "five": 5000,
    }


def test_the_command_says_what_it_would_do(tmp_path):
    (tmp_path / "one.xml").write_text("<a>1</a>")
    said = io.StringIO()

    call_command("import_collection", "new", tmp_path, "--dry-run", stdout=said)

    assert said.getvalue().splitlines() == [
        f"{tmp_path.name} for new: 1 new, 0 changed, 0 unchanged, 0 damaged.",
        "  New: one: 1 characters",
        "Nothing was imported: this was a dry run.",
    ]
    assert not Collection.objects.exists()


def test_the_command_says_what_is_wrong(collection, tmp_path):
    (tmp_path / "bad.xml").write_text("<a><b></a>")
    (tmp_path / "lengths.txt").write_text("four 4000\nfive many\n")
    said = io.StringIO()

    with pytest.raises(CommandError, match="1 documents cannot be read"):
        call_command("import_collection", "c", tmp_path, stdout=said, stderr=said)
    with pytest.raises(CommandError, match="Line 2: the length 'many' isn't a whole number"):
        call_command("import_collection", "c", tmp_path / "lengths.txt")
    with pytest.raises(CommandError, match=r"There is no .*/nowhere\."):
        call_command("import_collection", "c", tmp_path / "nowhere")

    assert "bad: Line 1" in said.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [("list.txt", b"a 10\nb xx\n", "list.txt: "), ("broken.xml", b"<a><p>", "1 documents cannot be read.")],
)
def test_a_dry_run_refuses_what_the_import_refuses_and_neither_leaves_a_collection(
    settings, tmp_path, capsys, name, content, sentence
):
    settings.MEDIA_ROOT = tmp_path / "files"
    folder = tmp_path / "source"
    folder.mkdir()
    (folder / name).write_bytes(content)
    source = folder if name.endswith(".xml") else folder / name

    for options in ({"dry_run": True}, {}):
        with pytest.raises(CommandError, match=sentence):
            call_command("import_collection", "made", str(source), **options)
        assert not Collection.objects.exists()


def test_a_collection_knows_when_its_documents_last_changed(collection):
    import_collection(collection, documents(2))
    collection.refresh_from_db()
    first = collection.changed_at

    import_collection(collection, documents(2))
    list_lengths(collection, d0000=6, d0001=6)
    collection.refresh_from_db()
    assert collection.changed_at == first
    list_lengths(collection, other=5)
    collection.refresh_from_db()
    assert collection.changed_at > first
