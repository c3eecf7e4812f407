"""Every kind of stored file, cut short or lost: found when it is read, told by `verify_files`, made again."""

import io
import json
import zipfile
from io import BytesIO, StringIO
from pathlib import Path

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command

from assessments.models import AssessmentImport
from assessments.services.loading import load_judgements
from assessments.services.previews import full_report as import_report
from assessments.services.previews import read_import, take_file
from campaign.machinery.storage import Damaged, fault_of, store_bytes
from campaign.models import CollectionImport, Document, Run
from campaign.services.acting import By
from campaign.services.documents.files import load_document
from campaign.services.documents.imports import read_collection, receive_collection
from campaign.services.refusals import Refused
from campaign.services.runs.archives import archive_of
from campaign.services.runs.check_results import full_report
from campaign.services.runs.checks import check_run
from campaign.services.setup.topics import confirm_topics, preview_upload
from evaluation.models import Evaluation, Score
from evaluation.services.decisions import activate
from evaluation.services.material import compiled_judgements
from tests.world import ASSESSMENTS, GOOD_RUN, score_run

MANY_PROBLEMS = b"".join(b"1 Q0 a %d 9.5 broken ten 50\n" % rank for rank in range(1, 260))
TOPICS = b'<topics><topic id="9"><title>nine</title></topic></topics>'


def on_disk(name):
    return Path(default_storage.path(name))


def cut(name, keep=0.4):
    content = on_disk(name).read_bytes()
    on_disk(name).write_bytes(content[: int(len(content) * keep)])


@pytest.fixture(autouse=True)
def nothing_kept_in_memory():
    load_document.cache_clear()
    compiled_judgements.cache_clear()


@pytest.fixture
def scored(world):
    """Return a run that was checked and scored, before anything is damaged."""
    world.activate()
    run = world.submit()
    check_run(run.pk)
    score_run(run.pk)
    run.refresh_from_db()
    return run


def scores(run):
    return dict(Score.objects.filter(evaluation__run=run).values_list("measure", "mean"))


def uploaded_collection(world):
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as packed:
        packed.writestr("e.xml", "<a><p>some text of a document</p></a>")
    upload = SimpleUploadedFile("documents.zip", target.getvalue())
    row = receive_collection(world.collection, by=By(world.organiser), upload=upload, file_name="documents.zip")
    read_collection(row.pk)
    return row


def verified(*arguments):
    """Return what `verify_files` prints and its status."""
    out = StringIO()
    try:
        call_command("verify_files", *arguments, stdout=out)
    except SystemExit as ended:
        return out.getvalue(), ended.code
    return out.getvalue(), 0


def test_a_short_run_file_is_not_scored_and_the_same_file_sent_again_is_whole(world):
    world.activate()
    run = world.submit()
    cut(run.stored_file)

    check_run(run.pk)

    run.refresh_from_db()
    assert (run.state, run.will_be_retried, run.result_count) == (Run.State.RECEIVED, True, None)
    assert "is not what was stored" in run.failure
    again = world.submit(name="again")
    check_run(again.pk)
    again.refresh_from_db()
    assert (again.state, again.result_count) == (Run.State.VALID, 4)
    assert on_disk(again.stored_file).read_bytes() == GOOD_RUN


@pytest.mark.parametrize("damage", ["cut", "lost", "old"])
def test_columns_that_are_not_whole_are_made_again_and_score_the_same(world, scored, damage):
    before, name = scores(scored), scored.columns_file
    if damage == "cut":
        cut(name)
    elif damage == "lost":
        on_disk(name).unlink()
    else:  # named as before columns bore their own hash
        Run.objects.update(columns_file=store_bytes(f"columns/ab/{scored.sha256}-v1.npz", b"LIMECOL1 half"))
    Evaluation.objects.all().delete()

    score_run(scored.pk)

    scored.refresh_from_db()
    assert scores(scored) == before
    assert scored.columns_file == name
    assert fault_of(name) == ""


def test_short_assessments_give_no_score(world, scored):
    Evaluation.objects.all().delete()
    version = world.track.assessment_sets.get()
    cut(version.columns_file)
    compiled_judgements.cache_clear()

    score_run(scored.pk)

    assert not Score.objects.exists()
    assert "is not what was stored" in Evaluation.objects.get().failure
    assert verified("--repair")[1] == 0
    assert len(load_judgements(version.columns_file)) == 5


@pytest.mark.parametrize("keep", [0, 0.1, 0.5, 0.9, 0.999])
def test_a_short_document_is_never_read_and_the_next_import_writes_it_again(world, keep):
    uploaded_collection(world)
    document = Document.objects.get(identifier="e")
    cut(document.text_file, keep)

    with pytest.raises(Damaged):
        load_document(document.text_file)
    CollectionImport.objects.all().delete()
    uploaded_collection(world)

    assert load_document(document.text_file).text == "some text of a document"


def test_short_uploads_of_organisers_fail_on_our_side(world):
    found = take_file(world.track, by=By(world.organiser), upload=BytesIO(ASSESSMENTS), file_name="v.qrels")
    cut(found.stored_file)

    read_import(found.pk)

    found.refresh_from_db()
    assert found.state == AssessmentImport.State.RECEIVED
    assert "is not what was stored" in found.failure


def test_a_short_preview_of_topics_is_asked_for_again(world):
    preview = preview_upload(world.track, BytesIO(TOPICS))
    cut(f"topics/{preview.sha256[:2]}/{preview.sha256}")

    with pytest.raises(Refused, match="Upload the file once more"):
        confirm_topics(world.track, by=By(world.organiser), sha256=preview.sha256)


def test_a_short_file_is_not_sent_to_anybody(client, world, scored):
    client.force_login(world.alice)
    cut(scored.stored_file)

    response = client.get(f"/runs/{scored.pk}/file/")

    assert response.status_code == 500
    page = response.content.decode()
    assert "A file that we stored is not what was stored, so nothing is read from it" in page
    assert scored.stored_file in page
    with pytest.raises(Damaged):
        archive_of([world.task])


def every_reference(world):
    """Return the names of all kinds of stored files, by what `verify_files` calls them."""
    world.import_assessments()
    run = world.submit(MANY_PROBLEMS, name="bad")
    check_run(run.pk)
    run.refresh_from_db()
    good = world.submit()
    check_run(good.pk)
    good.refresh_from_db()
    activate(world.track.assessment_sets.get())
    score_run(good.pk)
    found = take_file(
        world.track, by=By(world.organiser), upload=BytesIO(ASSESSMENTS + b"1 Q0 d 0 200\n"), file_name="w.qrels"
    )
    read_import(found.pk)
    found.refresh_from_db()
    row = uploaded_collection(world)
    version = world.track.assessment_sets.get()
    return {
        "the file of run good of Lund": good.stored_file,
        "the columns of run good of Lund": good.columns_file,
        "the report of run bad of Lund": run.report_file,
        "the text of document e of Letters": Document.objects.get(identifier="e").text_file,
        "documents.zip, uploaded for Letters": row.stored_file,
        "the file of assessments v1 of small/ad-hoc": version.stored_file,
        "the columns of assessments v1 of small/ad-hoc": version.columns_file,
        "w.qrels, uploaded for small/ad-hoc": found.stored_file,
        "what was read of w.qrels": found.outcome["columns_file"],
        "what was found of run good of Lund": Evaluation.objects.get().findings_file,
    }


def test_a_quick_look_finds_columns_and_documents_that_are_cut_short(world):
    names = every_reference(world)
    known = ("the file of run", "the columns of", "the text of document", "what was read of", "what was found of")
    for of, name in names.items():
        if of.startswith(known):
            content = on_disk(name).read_bytes()
            on_disk(name).write_bytes(content[: len(content) // 2])

            assert verified("--quick")[1] == 1, of

            on_disk(name).write_bytes(content)
    assert verified("--quick")[1] == 0


def test_verify_files_finds_each_kind_of_file_that_is_short_or_lost(world):
    names = every_reference(world)
    assert verified()[1] == 0, verified()[0]
    assert verified("--quick")[1] == 0

    for of, name in names.items():
        content = on_disk(name).read_bytes()
        for damage in (content[: len(content) // 2], None):
            on_disk(name).unlink() if damage is None else on_disk(name).write_bytes(damage)
            said, status = verified()
            assert status == 1
            [line] = [line for line in said.splitlines() if name in line and of in line]
            assert line.startswith(f"{name} is ")
            on_disk(name).write_bytes(content)

    assert verified()[1] == 0


def test_repair_makes_again_what_can_be_made(world):
    names = every_reference(world)
    derived = [of for of in names if "columns" in of or "text" in of or "report" in of or "what was" in of]
    for of in derived:
        cut(names[of])

    said, status = verified("--repair")

    assert status == 0, said
    assert said.count("Made again.") == len(derived)
    assert verified()[1] == 0


def test_reports_are_whole_or_our_fault(world):
    run = world.submit(MANY_PROBLEMS, name="bad")
    check_run(run.pk)
    run.refresh_from_db()
    assert len(full_report(run)) > 200

    cut(run.report_file)

    with pytest.raises(Damaged):
        full_report(run)


def test_reports_of_earlier_versions_are_proved_by_the_beginning_of_their_hash(world):
    name = "reports/7-4f53cda18c2baa0c.json"
    Run.objects.filter(pk=world.submit().pk).update(report_file=store_bytes(name, b"[]"))
    assert full_report(Run.objects.get()) == []

    on_disk(name).write_bytes(b"[")

    with pytest.raises(Damaged):
        full_report(Run.objects.get())


def test_a_report_of_an_import_that_is_short_is_our_fault(world):
    found = take_file(world.track, by=By(world.organiser), upload=BytesIO(b"1 Q0 a 50\n"), file_name="w.qrels")
    read_import(found.pk)
    found.refresh_from_db()
    assert json.dumps(import_report(found))

    on_disk(found.outcome["report_file"]).unlink()

    with pytest.raises(Damaged):
        import_report(found)
