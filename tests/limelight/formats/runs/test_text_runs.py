"""Runs that bring their text along, and the texts they are held against."""

import io
import zipfile

import pytest

from limelight.formats.assessments.trels import read_trels
from limelight.formats.problems import FormatError
from limelight.formats.runs.text_runs import read_text_run

RUN = "7 Q0 a 1 0.9 RUN The wick  rises.\n8 Q0 b 1 0.8 RUN Élan – 5 words here now\n7 Q0 a 2 0.7 RUN More.\n".encode()


def refused(function, content, *arguments):
    with pytest.raises(FormatError) as error:
        function(io.BytesIO(content), *arguments)
    return [str(problem) for problem in error.value.problems]


def archive(**files):
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as packed:
        for name, content in files.items():
            packed.writestr(name.replace("_", "."), content)
    return target.getvalue()


def test_texts_stand_beside_their_results_topics_joined():
    run, problems = read_text_run(io.BytesIO(RUN))

    assert run.texts == ("The wick  rises.", "More.", "Élan – 5 words here now")
    assert [run.columns.topics[number] for number in run.columns.topic.tolist()] == ["7", "7", "8"]
    assert run.columns.line.tolist() == [1, 3, 2]
    assert [problem.rule for problem in problems] == ["topic-blocks"]


def test_every_fault_has_its_line():
    broken = b"7 Q0 a 1 0.9 RUN\n7 Q0 a x 0.9 RUN text\n7 Q0 a 1 0.9 OTHER text\n"
    broken += b"7 Q0 a 1 0.9 RUN \xff\n7 Q0 a 1 0.9 RUN ok\n"

    assert refused(read_text_run, broken) == [
        "Line 1: 6 fields and no text found (topic Q0 file rank rsv run_id text).",
        "Line 2: the rank 'x' isn't a whole number. Write digits only.",
        "Line 3: the run id changes to OTHER. A file holds one run.",
        "Line 4: the text isn't valid UTF-8. Save the file as UTF-8.",
    ]


def test_a_file_without_results_is_refused():
    assert refused(read_text_run, b"# nothing\n\n") == ["The file holds no results."]


def test_an_archive_holds_a_text_a_topic():
    found = read_trels(io.BytesIO(archive(**{"7_txt": "One.\n\n  Two.\n", "8_txt": "Drei – é.\n"})))

    assert found == {"7": ("One.", "Two."), "8": ("Drei – é.",)}


def test_a_single_text_needs_its_topic():
    assert read_trels(io.BytesIO(b"One.\nTwo.\n"), "7") == {"7": ("One.", "Two.")}
    assert refused(read_trels, b"One.\n") == [
        "The file is one text. Pack a file a topic, named by its number, into a zip archive."
    ]


def test_texts_that_cannot_be_used_are_refused():
    twice = io.BytesIO()
    with zipfile.ZipFile(twice, "w") as packed:
        packed.writestr("a/7.txt", "One.")
        packed.writestr("b/7.txt", "Two.")

    assert refused(read_trels, twice.getvalue()) == [
        "The archive holds the text of topic 7 twice. Remove one of the two."
    ]
    assert refused(read_trels, archive(**{"7_txt": " \n"})) == ["The archive holds no text."]
