import csv
import gzip
import io
import json
import subprocess
import sys

import pytest

from evaluation.__main__ import main
from limelight.kinds import SCORED

ASSESSMENTS = """\
1 Q0 a 100 400 0 0:25 100:75
1 Q0 b 0 300
2 Q0 b 40 200 20 0:40
3 Q0 c 0 50
"""
RUN = """\
1 Q0 a 1 9.5 alpha 0 50
1 Q0 a 2 9.0 alpha 100 50
"""
BETTER = """\
1 Q0 a 1 9.5 beta 0 25
1 Q0 a 2 9.0 beta 100 75
2 Q0 b 1 9.0 beta 0 40
"""


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    """A folder with assessments and two runs, and we stand in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "assessments.qrels").write_text(ASSESSMENTS)
    (tmp_path / "alpha.fol").write_text(RUN)
    (tmp_path / "beta.fol").write_text(BETTER)
    return tmp_path


def score(*arguments):
    return main(["score", *arguments])


def scored(capsys, *arguments):
    assert score("--format", "json", *arguments) == 0
    return json.loads(capsys.readouterr().out)["runs"]


def test_json_has_the_promised_shape(capsys):
    (run,) = scored(capsys, "--task", "focused", "assessments.qrels", "alpha.fol")

    assert run == {
        "run": "alpha",
        "file": "alpha.fol",
        "task": "focused",
        "profile": "inex-2007",
        "parameters": {"cutoffs": [1, 5, 10, 25, 50], "unmapped_size": 0},
        "topic_count": 2,
        "mean": {
            "iP[0.00]": 0.375,
            "iP[0.01]": 0.375,
            "iP[0.05]": 0.375,
            "iP[0.10]": 0.375,
            "iMAP": pytest.approx(76 / 101 * 3 / 4 / 2, abs=1e-15),
        },
        "topics": {
            "1": {
                "iP[0.00]": 0.75,
                "iP[0.01]": 0.75,
                "iP[0.05]": 0.75,
                "iP[0.10]": 0.75,
                "iAP": pytest.approx(76 / 101 * 3 / 4, abs=1e-15),
            },
            "2": {"iP[0.00]": 0.0, "iP[0.01]": 0.0, "iP[0.05]": 0.0, "iP[0.10]": 0.0, "iAP": 0.0},
        },
    }


def test_a_left_out_topic_is_told_beside_the_output(capsys):
    score("--task", "focused", "assessments.qrels", "alpha.fol")

    assert capsys.readouterr().err == "alpha.fol: warning: answers 1 of 2 judged topics; missing ones score 0.\n"


def test_means_and_topics_have_their_own_names(capsys):
    (run,) = scored(capsys, "--task", "relevant-in-context", "--measures", "MAgP,MAP", "assessments.qrels", "beta.fol")

    assert run["mean"] == {"MAgP": 1.0, "MAP": 1.0}
    assert run["topics"]["1"] == {"AgP": 1.0, "AP": 1.0}


@pytest.mark.parametrize("kind", SCORED)
def test_every_kind_computes_everything_it_can(kind, capsys, files):
    (files / "one.fol").write_text("1 Q0 a 1 2 one 0 25\n2 Q0 b 1 2 one 20 5\n")

    (run,) = scored(capsys, "--task", kind, "--measures", "all", "assessments.qrels", "one.fol")

    assert len(run["mean"]) == len(run["topics"]["1"]) >= 6


def test_parameters_reach_the_measures(capsys, files):
    (files / "entry.fol").write_text("2 Q0 b 1 2 entry 70 0\n")

    (run,) = scored(
        capsys,
        *("--task", "best-in-context", "--profile", "inex-2009"),
        *("--set", "n=100", "--set", "cutoffs=2,4"),
        *("assessments.qrels", "entry.fol"),
    )

    assert run["parameters"] == {"cutoffs": [2, 4], "formula": "linear", "n": 100, "past_end": "last"}
    assert list(run["mean"]) == ["MAgP", "gP[2]", "gP[4]"]
    assert run["topics"]["2"] == {"AgP": 0.5, "gP[2]": 0.5, "gP[4]": 0.5}


def test_text_is_an_aligned_table(capsys):
    score("--task", "focused", "--measures", "iMAP,charP", "assessments.qrels", "alpha.fol", "beta.fol")

    assert capsys.readouterr().out == (
        "run      iMAP   charP\n"  #
        "alpha  0.2822  0.3750\n"
        "beta   1.0000  1.0000\n"
    )


def test_text_shows_topics_when_asked(capsys):
    score("--task", "focused", "--measures", "charP", "--per-topic", "assessments.qrels", "beta.fol")

    assert capsys.readouterr().out == (
        "run   topic   charP\n"  #
        "beta  1      1.0000\n"
        "beta  2      1.0000\n"
        "beta  all    1.0000\n"
    )


def test_text_shows_files_when_run_names_repeat(capsys, files):
    (files / "again.fol").write_text(BETTER)

    score("--task", "focused", "--measures", "charP", "assessments.qrels", "again.fol", "beta.fol")

    assert capsys.readouterr().out.splitlines()[1] == "beta  again.fol  1.0000"


def test_csv_keeps_all_digits_and_disarms_formulas(capsys, files):
    (files / "evil.fol").write_text(RUN.replace("alpha", "=SUM(1)"))

    score("--task", "focused", "--measures", "iMAP", "--format", "csv", "--per-topic", "assessments.qrels", "evil.fol")

    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["topic"] for row in rows] == ["1", "2", "all"]
    assert rows[0]["run"] == "'=SUM(1)"
    assert float(rows[0]["iMAP"]) == pytest.approx(76 / 101 * 3 / 4, abs=1e-15)


def test_latex_escapes_names(capsys, files):
    (files / "under.fol").write_text(RUN.replace("alpha", "a_b%"))

    score("--task", "focused", "--measures", "iMAP", "--format", "latex", "assessments.qrels", "under.fol")

    assert capsys.readouterr().out.splitlines() == [
        r"\begin{tabular}{lr}",
        r"\toprule",
        r"run & iMAP \\",
        r"\midrule",
        r"a\_b\% & 0.2822 \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]


def test_packed_files_are_read(capsys, files):
    (files / "packed").write_bytes(gzip.compress(BETTER.encode()))
    (files / "judged").write_bytes(gzip.compress(ASSESSMENTS.encode()))

    (run,) = scored(capsys, "--task", "focused", "judged", "packed")

    assert run["mean"]["iMAP"] == 1.0


def test_a_run_that_breaks_the_rules_is_refused_with_the_report(capsys, files):
    (files / "overlap.fol").write_text("1 Q0 a 1 9 bad 0 50\n1 Q0 a 2 8 bad 40 50\n")

    code = score("--task", "focused", "assessments.qrels", "beta.fol", "overlap.fol")

    told = capsys.readouterr()
    assert code == 1
    assert told.out == ""
    assert told.err == (
        "overlap.fol:2: topic 1 returns a at 40-90, which overlaps line 1 (0-50). A focused run may not return the "
        "same text twice.\n"
        "overlap.fol: breaks the rules of its task and is not scored.\n"
    )


def test_grades_of_documents_are_scored_as_documents(capsys, files):
    (files / "trec.qrels").write_text("1 0 a 2\n1 0 b 1\n2 0 a 0\n")
    (files / "trec.run").write_text("1 Q0 b 1 9 t\n1 Q0 x 2 8 t\n1 Q0 a 3 7 t\n")

    (run,) = scored(capsys, "--task", "document", "trec.qrels", "trec.run")

    assert run["topic_count"] == 1
    assert run["mean"]["MAP"] == pytest.approx((1 + 2 / 3) / 2)
    assert list(run["mean"]) == ["MAP", "P@5", "P@10", "P@20", "nDCG", "ERR@20"]


ELEMENT_ASSESSMENTS = """\
<assessments pool="1" topic="1"><file collection="w" name="a">
<passage start="/article[1]/p[1]/text()[1].0" end="/article[1]/p[1]/text()[1].4" size="4"/>
<element path="/article[1]" exhaustivity="2" size="10" rsize="4"/>
<element path="/article[1]/p[1]" exhaustivity="2" size="5" rsize="4"/>
</file></assessments>
"""
ELEMENT_RUN = """\
<inex-submission participant-id="1" run-id="elements" task="Focused" query="automatic" result-type="element">
<topic topic-id="1"><result><file>a</file><path>/article[1]/p[1]</path><rank>1</rank></result></topic>
</inex-submission>
"""


def test_elements_are_scored_from_the_sizes_in_the_assessments(capsys, files):
    (files / "elements.xml").write_text(ELEMENT_ASSESSMENTS)
    (files / "run.xml").write_text(ELEMENT_RUN)

    (run,) = scored(capsys, "--task", "focused", "--measures", "charP,charR", "elements.xml", "run.xml")

    assert run["mean"] == {"charP": 0.8, "charR": 1.0}


def test_elements_are_scored_from_the_collection(capsys, files):
    (files / "docs").mkdir()
    (files / "docs" / "a.xml").write_text("<article><p>abcde</p><p>fghij</p></article>")
    (files / "elements.xml").write_text(ELEMENT_ASSESSMENTS)
    (files / "run.xml").write_text(ELEMENT_RUN.replace("p[1]<", "p[2]<"))

    (run,) = scored(
        capsys, *("--task", "focused", "--measures", "charP,charR"), "--collection", "docs", "elements.xml", "run.xml"
    )

    assert run["mean"] == {"charP": 0.0, "charR": 0.0}


def test_offsets_are_never_laid_onto_sizes(capsys, files):
    (files / "elements.xml").write_text(ELEMENT_ASSESSMENTS)

    code = score("--task", "focused", "elements.xml", "alpha.fol")

    assert code == 2
    assert capsys.readouterr().err == (
        "alpha.fol: returns offsets, which count every character, but the assessments only tell sizes with white space "
        "merged. Give the documents with --collection.\n"
    )


def test_passages_given_by_paths_are_laid_on_sizes(capsys, files):
    (files / "elements.xml").write_text(ELEMENT_ASSESSMENTS)
    (files / "range.fol").write_text("1 Q0 a 1 9 r /article[1]/p[1] /article[1]/p[1]\n")

    code = score("--task", "focused", "elements.xml", "range.fol")

    assert code == 0, capsys.readouterr().err


def test_offsets_for_whole_documents_are_on_no_axis(capsys, files):
    (files / "elements.xml").write_text(ELEMENT_ASSESSMENTS)
    (files / "once.fol").write_text("1 Q0 a 1 9 r 0 50\n")

    code = score("--task", "document", "elements.xml", "once.fol")

    assert code == 0, capsys.readouterr().err


def test_broken_lines_and_broken_rules_are_told_at_once(capsys, files):
    (files / "both.fol").write_text("1 Q0 a 1 9 r 0 50\n1 Q0 a two 8 r 60 5\n1 Q0 a 3 7 r 25 50\n")

    code = score("--task", "focused", "assessments.qrels", "both.fol")

    assert code == 2
    assert capsys.readouterr().err.splitlines() == [
        "both.fol:2: the rank 'two' isn't a whole number. Write digits only.",
        "both.fol:3: topic 1 returns a at 25-75, which overlaps line 1 (0-50). "
        "A focused run may not return the same text twice.",
    ]


def test_offsets_on_sizes_are_told_beside_the_rules_they_break(capsys, files):
    (files / "elements.xml").write_text(ELEMENT_ASSESSMENTS)
    (files / "both.fol").write_text("1 Q0 a 1 9 r 0 50\n1 Q0 a 2 7 r 25 50\n")

    code = score("--task", "focused", "elements.xml", "both.fol", "--as-is")

    assert code == 2
    assert [line.partition(": ")[2][:22] for line in capsys.readouterr().err.splitlines()] == [
        "returns offsets, which",
        "topic 1 returns a at 2",
    ]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ["--task", "focussed", "assessments.qrels", "alpha.fol"],
            "There is no kind of task “focussed”. Kinds are focused, thorough, relevant-in-context, best-in-context, "
            "document.",
        ),
        (
            ["--task", "thorough", "--measures", "MAgP,iMAP", "assessments.qrels", "alpha.fol"],
            "A thorough task has no measure “MAgP”.",
        ),
        (
            ["--task", "thorough", "--set", "beta=1", "assessments.qrels", "alpha.fol"],
            "There is no parameter “beta” for a thorough task. It knows cutoffs and overlap.",
        ),
        (
            ["--task", "thorough", "--set", "overlap", "assessments.qrels", "alpha.fol"],
            "--set takes NAME=VALUE, such as beta=0.25, not “overlap”.",
        ),
        (
            ["--task", "thorough", "--set", "overlap=new", "--set", "overlap=new", "assessments.qrels", "alpha.fol"],
            "--set gives overlap twice. Leave one of the two out.",
        ),
        (
            ["--task", "focused", "--profile", "inex", "assessments.qrels", "alpha.fol"],
            "There is no profile “inex”. Profiles are inex-2007, inex-2009 and inex-2010.",
        ),
        (
            ["--task", "focused", "missing.qrels", "alpha.fol"],
            "missing.qrels: can't be read (No such file or directory).",
        ),
        (["--task", "focused", "assessments.qrels", "empty.fol"], "empty.fol: The file is empty."),
        (["--task", "focused", "empty.fol", "alpha.fol"], "empty.fol: The file is empty."),
        (
            ["--task", "focused", "twice.qrels", "alpha.fol"],
            "twice.qrels:2: document a of topic 1 was already judged in line 1.",
        ),
        (["--task", "focused", "assessments.qrels", "broken.fol"], "broken.fol:2: "),
        (["--task", "focused", "nothing.qrels", "alpha.fol"], "nothing.qrels: no topic has relevant text"),
        (["--task", "focused", "grades.qrels", "alpha.fol"], "grades.qrels: grades whole documents."),
        (["--task", "focused", "assessments.qrels"], "The following arguments are required: RUN."),
        (
            ["--task", "focused", "--format", "pdf", "assessments.qrels", "alpha.fol"],
            "Argument --format: invalid choice",
        ),
        (
            ["--task", "focused", "--result-limit", "0", "assessments.qrels", "alpha.fol"],
            "--result-limit must be at least 1",
        ),
    ],
)
def test_bad_input_is_a_sentence_and_exit_2_with_nothing_printed(arguments, sentence, capsys, files):
    (files / "empty.fol").write_text("")
    (files / "twice.qrels").write_text("1 Q0 a 5 50 0 0:5\n1 Q0 a 5 50 0 0:5\n")
    (files / "broken.fol").write_text("1 Q0 a 1 9 bad 0 50\n1 Q0 a two 9 bad 60 5\n")
    (files / "nothing.qrels").write_text("1 Q0 a 0 50\n")
    (files / "grades.qrels").write_text("1 0 a 1\n")

    code = score(*arguments)

    told = capsys.readouterr()
    assert code == 2
    assert told.out == ""
    assert told.err.startswith(sentence)
    assert "Traceback" not in told.err


def test_the_command_line_needs_no_django(files):
    program = (
        "import sys; from evaluation.__main__ import main; "
        "code = main(['score', '--task', 'focused', 'assessments.qrels', 'beta.fol']); "
        "assert not [name for name in sys.modules if name.split('.')[0] in ('django', 'celery', 'plotly')]; "
        "sys.exit(code)"
    )

    finished = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": ":".join(sys.path)},
        check=False,
    )

    assert finished.returncode == 0, finished.stderr
    assert finished.stdout.splitlines()[1].split() == ["beta", "1.0000", "1.0000", "1.0000", "1.0000", "1.0000"]


def test_help_gives_examples_and_loads_nothing_slow(files):
    program = (
        "import sys; from limelight.__main__ import parser; print(parser().format_help()); "
        "assert 'numpy' not in sys.modules; assert 'lxml' not in sys.modules"
    )

    finished = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": ":".join(sys.path)},
        check=False,
    )

    assert finished.returncode == 0, finished.stderr
    assert "python -m evaluation score --task focused assessments.qrels run.fol" in finished.stdout
