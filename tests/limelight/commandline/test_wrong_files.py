"""Wrong files on the command line: one line that says what the file is, and the exit code of bad input."""

import zipfile

import pytest

from evaluation.__main__ import main
from tests.limelight.formats import seeds

RUN = "".join(f"1 Q0 a{n} {n} {1 / n:.3f} good 0 60\n" for n in range(1, 30))
ASSESSMENTS = "1 Q0 a1 6 60 1 1:3 7:3\n1 Q0 a2 0 11\n2 Q0 a1 0 11\n"


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run").write_text(RUN)
    (tmp_path / "assessments").write_text(ASSESSMENTS)
    (tmp_path / "topics").write_bytes(seeds.TOPICS)
    (tmp_path / "pool").write_bytes(seeds.POOL)
    (tmp_path / "image").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20)
    (tmp_path / "table").write_text(RUN.replace(" ", ","))
    (tmp_path / "documents").write_text("".join(f"1 Q0 a {n} {1 / n:.3f} good\n" for n in range(1, 600)))
    (tmp_path / "graded").mkdir()
    (tmp_path / "graded" / "7.xml").write_bytes(seeds.GRADED)
    with zipfile.ZipFile(tmp_path / "archive", "w") as archive:
        archive.writestr("7.xml", seeds.GRADED)


IS_A_RUN = "is a run, not"
HOLDS = "The file holds assessments, not"
NEEDS_EIGHT = "6 columns: no offset and length. A focused run needs 8"
PNG = "The file is a PNG image."
COMMAS = "The fields are parted by commas"
FOCUSED = ["--task", "focused"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["check", *FOCUSED, "assessments"], f"assessments: {HOLDS} a run."),
        (["check", *FOCUSED, "topics"], "topics: The file holds topics, not a run."),
        (["check", *FOCUSED, "pool"], "pool: The file is a pool, not a run."),
        (["check", *FOCUSED, "image"], f"image: {PNG}"),
        (["check", *FOCUSED, "table"], f"table: {COMMAS}"),
        (["check", *FOCUSED, "documents"], f"documents: {NEEDS_EIGHT}"),
        (["check", *FOCUSED, "--topics", "assessments", "run"], f"assessments: {HOLDS} topics."),
        (["check", *FOCUSED, "--topics", "image", "run"], f"image: {PNG}"),
        (["check", *FOCUSED, "--collection", "run", "run"], f"run: The file {IS_A_RUN} documents."),
        (["check", *FOCUSED, "--collection", "image", "run"], f"image: {PNG}"),
        (["check", *FOCUSED, "--collection", "graded", "run"], "graded: 7.xml holds assessments, not a document."),
        (["check", *FOCUSED, "--collection", "archive", "run"], "archive: 7.xml holds assessments, not a document."),
        (["score", *FOCUSED, "run", "run"], f"run: The file {IS_A_RUN} assessments."),
        (["score", *FOCUSED, "topics", "run"], "topics: The file holds topics, not assessments."),
        (["score", *FOCUSED, "image", "run"], f"image: {PNG}"),
        (["score", *FOCUSED, "assessments", "assessments"], f"assessments: {HOLDS} a run."),
        (["score", *FOCUSED, "assessments", "image"], f"image: {PNG}"),
        (["score", *FOCUSED, "assessments", "table"], f"table: {COMMAS}"),
        (["score", *FOCUSED, "assessments", "documents"], f"documents: {NEEDS_EIGHT}"),
        (["convert", "--from", "run", "--to", "xml", "assessments", "-"], f"assessments: {HOLDS} a run."),
        (["convert", "--from", "run", "--to", "xml", "image", "-"], f"image: {PNG}"),
        (["convert", "--from", "assessments", "--to", "qrels", "run", "-"], f"run: The file {IS_A_RUN} assessments."),
        (
            ["convert", "--from", "assessments", "--to", "qrels", "pool", "-"],
            "pool: The file is a pool, not assessments.",
        ),
    ],
)
def test_a_wrong_file_is_told_in_one_line(arguments, sentence, capsys):
    code = main(arguments)

    printed = capsys.readouterr()
    lines = [line for line in (printed.out + printed.err).splitlines() if "is not scored" not in line]
    assert code in (1, 2)
    assert len(lines) == 1
    assert lines[0].startswith(sentence)
