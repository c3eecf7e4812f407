"""The rules table: each rule broken once, its sentence word for word, and the tasks it doesn't hold for."""

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limelight.formats.problems import errors, total, warnings
from limelight.formats.runs.reading import read_run
from limelight.kinds import BY_NAME as KINDS
from limelight.rules.checking import check, read_and_check
from limelight.rules.task_rules import Rules
from limelight.text.documents import read_document
from tests.examples import examples

TEXT_KINDS = ("focused", "thorough", "relevant-in-context")


def run(*lines):
    return read_run(io.BytesIO("\n".join(lines).encode()))[0]


def passages(*places, topic="7"):
    """Return a run of one topic from (document, offset, length)."""
    lines = [f"{topic} Q0 {doc} {rank} 1 R {start} {size}" for rank, (doc, start, size) in enumerate(places, 1)]
    return run(*lines)


def said(problems):
    return [str(problem) for problem in problems]


@pytest.mark.parametrize("kind", KINDS)
def test_a_good_run_has_no_problems(kind):
    columns = passages(("a", 0, 10), ("b", 5, 10), ("c", 0, 1))

    problems = check(columns, Rules(kind), topics=["7"], document_lengths={"a": 10, "b": 20, "c": 1})

    assert problems == []


def test_an_unknown_kind_is_named():
    with pytest.raises(
        ValueError, match=r"Unknown task kind 'fuzzy'\. Known are focused, thorough, relevant-in-context"
    ):
        Rules("fuzzy")


def test_overlap_names_both_lines():
    columns = run("2009001 Q0 x 1 3 R 0 5", "2009001 Q0 1528075 2 3 R 9000 1000", "2009001 Q0 1528075 3 3 R 9760 1848")

    problems = check(columns, Rules("focused"))

    assert said(problems) == [
        "Line 3: topic 2009001 returns 1528075 at 9760-11608, which overlaps line 2 (9000-10000). "
        "A focused run may not return the same text twice."
    ]
    assert (problems[0].topic, problems[0].rule) == ("2009001", "overlap")


def test_every_overlapping_line_is_reported():
    columns = passages(("a", 0, 10), ("a", 5, 10), ("a", 12, 5), ("b", 0, 10), ("a", 40, 5), ("a", 0, 100))

    problems = check(columns, Rules("focused"))

    assert [problem.line for problem in problems] == [2, 3, 6]


@pytest.mark.parametrize("kind", ["thorough", "best-in-context", "document"])
def test_overlap_is_allowed_elsewhere(kind):
    problems = check(passages(("a", 0, 10), ("a", 5, 10)), Rules(kind))

    assert "overlap" not in {problem.rule for problem in problems}


def test_touching_and_empty_passages_do_not_overlap():
    columns = passages(("a", 0, 10), ("a", 10, 10), ("a", 5, 0), ("a", 20, 1))

    assert check(columns, Rules("focused")) == []


def test_the_same_text_may_answer_two_topics():
    columns = run("7 Q0 a 1 1 R 0 10", "8 Q0 a 1 1 R 0 10")

    assert check(columns, Rules("focused")) == []


def test_elements_overlap_by_their_paths_when_no_collection_is_loaded():
    columns = run(
        "7 Q0 a 1 1 R /article[1]/sec[1]/p[10]",
        "7 Q0 a 2 1 R /article[1]/sec[1]/p[1]",
        "7 Q0 b 3 1 R /article[1]",
        "7 Q0 a 4 1 R /article/sec[1]",
        "7 Q0 a 5 1 R /article[1]/sec[2]",
    )

    assert said(check(columns, Rules("focused"))) == [
        "Line 4: topic 7 returns a at /article/sec[1], which overlaps line 1 (/article[1]/sec[1]/p[10]). "
        "A focused run may not return the same text twice."
    ]


def test_a_document_that_comes_back_is_an_error_in_relevant_in_context():
    columns = passages(("a", 0, 5), ("a", 10, 5), ("b", 0, 5), ("a", 20, 5))

    assert said(check(columns, Rules("relevant-in-context"))) == [
        "Line 4: topic 7 comes back to a after line 2. "
        "In a relevant in context run the results of a document follow one another."
    ]


@pytest.mark.parametrize(("kind", "words"), [("best-in-context", "best in context"), ("document", "document")])
def test_a_document_is_returned_once(kind, words):
    columns = passages(("a", 0, 5), ("b", 10, 5), ("a", 20, 5))

    assert said(check(columns, Rules(kind))) == [
        f"Line 3: topic 7 returns a again after line 1. A {words} run returns a document once."
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_too_many_results_are_an_error(kind):
    columns = passages(("a", 0, 1), ("b", 1, 1), ("c", 2, 1), ("d", 3, 1))

    assert said(check(columns, Rules(kind, result_limit=2))) == [
        "Line 3: topic 7 has 4 results, of which this is number 3. At most 2 are allowed: remove the rest."
    ]


def test_a_topic_budget_holds_for_focused_runs():
    columns = passages(("a", 0, 60), ("b", 0, 50), ("c", 0, 40))

    assert said(check(columns, Rules("focused", topic_budget=100))) == [
        "Line 2: topic 7 returns 150 characters; this line passes the 100 that the task allows a topic."
    ]
    assert check(columns, Rules("thorough", topic_budget=100)) == []


def test_an_article_budget_holds_for_relevant_in_context():
    columns = passages(("a", 0, 60), ("a", 60, 50), ("c", 0, 90))

    assert said(check(columns, Rules("relevant-in-context", article_budget=100))) == [
        "Line 2: topic 7 returns 110 characters of a; this line passes the 100 that the task allows an article."
    ]
    assert check(columns, Rules("focused", article_budget=100)) == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_topic_of_another_track_is_an_error_and_a_missing_one_a_warning(kind):
    columns = run("7 Q0 a 1 1 R 0 10", "99 Q0 a 1 1 R 0 10", "99 Q0 b 2 1 R 0 10")

    problems = check(columns, Rules(kind), topics=["7", "8", "9"])

    assert said(errors(problems)) == [
        "Line 2: topic 99 isn't one of this track's. Remove its results (2) or mend its number."
    ]
    assert said(warnings(problems)) == ["The run answers 1 of 3 topics; missing ones score 0: 8, 9."]


def test_many_missing_topics_are_not_all_named():
    problems = check(passages(("a", 0, 1)), Rules("focused"), topics=[str(number) for number in range(7, 40)])

    assert said(problems)[0].endswith("score 0: 8, 9, " + ", ".join(map(str, range(10, 28))) + ", ….")


@pytest.mark.parametrize("kind", KINDS)
def test_a_document_outside_the_collection_is_an_error(kind):
    columns = run("7 Q0 a 1 1 R 0 10", "7 Q0 x 2 1 R 0 10", "8 Q0 x 1 1 R 0 10", "8 Q0 y 2 1 R 0 10")

    assert said(check(columns, Rules(kind), document_lengths={"a": 10})) == [
        "Line 2: document x isn't in the collection. The run returns it 2 times.",
        "Line 4: document y isn't in the collection. The run returns it once.",
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_a_span_past_the_end_of_its_document_is_an_error(kind):
    columns = passages(("a", 0, 1000), ("b", 90, 11), ("c", 0, 5))

    problems = check(columns, Rules(kind), document_lengths={"a": 1000, "b": 100, "c": None})

    assert said(problems) == ["Line 2: topic 7 returns b at 90-101, but the document has only 100 characters of text."]


def test_lengths_known_from_the_assessments_do_not_tell_the_collection():
    columns = passages(("a", 0, 10), ("b", 90, 11))

    problems = check(columns, Rules("focused"), assessed_lengths={"b": 100})

    assert [problem.rule for problem in problems] == ["past-the-end"]


def test_an_entry_point_past_the_end_is_an_error():
    problems = check(run("7 Q0 a 1 1 R 101"), Rules("best-in-context"), document_lengths={"a": 100})

    assert said(problems) == ["Line 1: topic 7 returns a at 101, but the document has only 100 characters of text."]


def test_ends_in_the_column_of_lengths_are_recognised():
    columns = passages(("a", 0, 10), ("a", 40, 95), ("b", 50, 99))

    problems = check(columns, Rules("thorough"), document_lengths={"a": 100, "b": 100})

    assert said(problems) == [
        "2 of 3 results reach past the end of their document, and column 8 looks like the end of the passage. "
        "Write its length there: the end minus the offset.",
        "Line 2: topic 7 returns a at 40-135, but the document has only 100 characters of text.",
        "Line 3: topic 7 returns b at 50-149, but the document has only 100 characters of text.",
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_a_falling_rank_is_an_error(kind):
    columns = run("7 Q0 a 1 1 R 0 9", "7 Q0 b 1 1 R 0 9", "7 Q0 c 5 1 R 0 9", "7 Q0 d 2 1 R 0 9", "8 Q0 a 1 1 R 0 9")

    assert said(check(columns, Rules(kind, order="lines"))) == [
        "Line 4: topic 7 falls from rank 5 in line 3 to rank 2. "
        "Write the results of a topic in the order of their ranks."
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_a_rising_rsv_is_a_warning_once_a_topic(kind):
    columns = run("7 Q0 a 1 .5 R 0 9", "7 Q0 b 2 .75 R 0 9", "7 Q0 c 3 1 R 0 9", "8 Q0 a 1 2 R 0 9", "8 Q0 b 2 3 R 0 9")

    problems = check(columns, Rules(kind, order="lines"))

    assert errors(problems) == []
    assert said(problems) == [
        "Line 2: topic 7 rises from rsv 0.5 to 0.75 (2 such lines in this topic). The order of the lines counts.",
        "Line 5: topic 8 rises from rsv 2 to 3. The order of the lines counts.",
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_results_without_an_offset_are_a_warning(kind):
    columns = run("7 Q0 a 1 1 R X X", "7 Q0 b 2 1 R -1 -1", "7 Q0 c 3 1 R 0 10", "8 Q0 a 1 1 R X 4")

    problems = check(columns, Rules(kind))

    assert errors(problems) == []
    assert said(problems) == [
        "Line 1: topic 7 has 2 results without an offset (X or -1). They count as not relevant.",
        "Line 4: topic 8 has a result without an offset (X or -1). It counts as not relevant.",
    ]


@pytest.mark.parametrize("kind", TEXT_KINDS)
def test_entry_points_are_no_text(kind):
    words = kind.replace("-", " ")

    assert said(check(run("7 Q0 a 1 1 R 126"), Rules(kind))) == [
        "7 columns: an entry point and no length. "
        f"A {words} run needs 8 (topic Q0 file rank rsv run_id offset length), or an element path in column 7. "
        "This looks like a best in context run."
    ]


@pytest.mark.parametrize("kind", TEXT_KINDS)
def test_plain_trec_lines_are_no_text_and_nothing_else_is_said(kind):
    words = kind.replace("-", " ")
    columns = run("7 Q0 a 1 1 R", "7 Q0 a 2 3 R", "7 Q0 a 1 2 R", "9 Q0 x 1 2 R")

    assert said(check(columns, Rules(kind), topics=["7", "8"], document_lengths={"a": 10})) == [
        "6 columns: no offset and length. "
        f"A {words} run needs 8 (topic Q0 file rank rsv run_id offset length), or an element path in column 7. "
        "This looks like a document run."
    ]


@pytest.mark.parametrize("kind", ["document", "best-in-context"])
def test_plain_trec_lines_are_all_that_other_tasks_need(kind):
    assert check(run("7 Q0 a 1 1 R"), Rules(kind), document_lengths={"a": 10}) == []


def test_element_paths_are_looked_up_in_the_collection():
    article = read_document(io.BytesIO(b"<a><b>one</b><b>two</b></a>"), "d")
    columns = run("7 Q0 d 1 1 R /a[1]/b[2]", "7 Q0 d 2 1 R /a[1]/b[3]", "7 Q0 d 3 1 R /a[1]")

    problems = check(columns, Rules("focused"), document_lengths={"d": 6}, element_spans={"d": article.places}.get)

    assert said(problems) == [
        "Line 2: topic 7 returns /a[1]/b[3] of d, which that document doesn't have.",
        "Line 3: topic 7 returns d at /a[1], which overlaps line 1 (/a[1]/b[2]). "
        "A focused run may not return the same text twice.",
    ]


def test_all_problems_come_at_once_in_the_order_of_the_lines():
    columns = run("7 Q0 a 2 1 R 0 10", "7 Q0 a 1 3 R 5 10", "8 Q0 b 1 1 R 0 10")

    problems = check(columns, Rules("focused"), topics=["7"])

    assert [(problem.line, problem.rule) for problem in problems] == [
        (2, "rank-order"),
        (2, "rsv-order"),
        (2, "overlap"),
        (3, "unknown-topic"),
    ]


def test_a_run_full_of_overlaps_is_counted_exactly():
    columns = passages(*[("a", number % 7, 50) for number in range(60_000)])

    problems = check(columns, Rules("focused", result_limit=None))

    assert total(problems) == 59_999
    assert str(problems[-1]) == "The same fault as in the 50,000 lines listed (overlap) is in 9,999 more."


SPANS = st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 12), st.integers(0, 6)), min_size=1, max_size=10)


@examples(300)
@given(spans=SPANS)
def test_a_line_is_reported_exactly_when_it_shares_a_character_with_an_earlier_one(spans):
    characters = [{(document, place) for place in range(start, start + size)} for document, start, size in spans]
    shared = [
        line for line, own in enumerate(characters, 1) if any(own & earlier for earlier in characters[: line - 1])
    ]

    problems = check(passages(*spans), Rules("focused"))

    assert [problem.line for problem in problems if problem.rule == "overlap"] == shared
    for problem in (found for found in problems if found.rule == "overlap"):
        named = int(re.search(r"overlaps line (\d+)", problem.message)[1])
        assert named < problem.line
        assert characters[named - 1] & characters[problem.line - 1]


@examples(300)
@given(
    paths=st.lists(
        st.lists(st.sampled_from(["a[1]", "b[1]", "b[2]", "b"]), min_size=1, max_size=3), min_size=1, max_size=6
    )
)
def test_elements_overlap_exactly_when_one_holds_the_other(paths):
    written = ["/" + "/".join(steps) for steps in paths]
    normal = [[step if step.endswith("]") else f"{step}[1]" for step in steps] for steps in paths]
    nested = [
        line
        for line, own in enumerate(normal, 1)
        if any(own[: len(other)] == other or other[: len(own)] == own for other in normal[: line - 1])
    ]

    problems = check(run(*(f"7 Q0 d {rank} 1 R {path}" for rank, path in enumerate(written, 1))), Rules("focused"))

    assert [problem.line for problem in problems] == nested


@examples(200)
@given(documents=st.lists(st.sampled_from("abc"), min_size=1, max_size=12))
def test_a_document_comes_back_exactly_when_another_stood_between(documents):
    back = [
        line
        for line, document in enumerate(documents, 1)
        if line > 1 and documents[line - 2] != document and document in documents[: line - 1]
    ]
    columns = passages(*[(document, 10 * line, 5) for line, document in enumerate(documents)])

    problems = check(columns, Rules("relevant-in-context"))

    assert [problem.line for problem in problems] == back


@pytest.mark.parametrize(
    "file",
    [
        b"7 Q0 a 1 9 r 0 50\n7 Q0 a 2 8 r 20 50\n7 Q0 a three 7 r 90 5\n99 Q0 a 1 9 r 0 5\n",
        b'<inex-submission run-id="r"><topic topic-id="7">\n'
        b"<result><file>a</file><fol offset='0' length='50'/><rank>1</rank></result>"
        b"\n<result><file>a</file><fol offset='20' length='50'/><rank>2</rank></result>"
        b"\n<result><file>a</file><fol offset='90' length='5'/><rank>three</rank></result></topic>\n"
        b"<topic topic-id='99'><result><file>a</file><fol offset='0' length='5'/></result></topic></inex-submission>",
    ],
    ids=["text", "XML"],
)
def test_lines_that_cannot_be_read_do_not_hide_the_others_faults(file):
    columns, problems = read_and_check(io.BytesIO(file), Rules("focused"), lambda columns: {"topics": ["7"]})

    assert columns is None
    assert sorted(problem.rule for problem in problems) == ["number", "overlap", "unknown-topic"]
    assert [problem.line for problem in problems] == sorted(problem.line for problem in problems)
