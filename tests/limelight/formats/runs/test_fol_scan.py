"""The fast reader against the exact one: the same columns, or the file is left to the exact one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limelight.formats.columns import RunHeader
from limelight.formats.opening import Limits
from limelight.formats.problems import FormatError, ProblemList
from limelight.formats.runs.fol import read_fol, read_lines
from limelight.formats.runs.fol_scan import scan_fol
from limelight.formats.runs.inex_xml import read_inex_xml, read_parts
from limelight.formats.runs.inex_xml_scan import take_apart
from tests.examples import examples
from tests.limelight.formats.runs.samples import GOOD, same

LIMITS = Limits(lines=50)
NUMBERS = st.one_of(
    st.integers(0, 10**8 - 1).map(str),
    st.sampled_from(["0", "007", "-1", "X", "+5", "1_0", "", "99999999", "123456789", "٣"]),
)
REALS = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.decimals(-1000, 1000, places=8).map(str),
    st.decimals(-1, 1, places=15).map(str),
    st.sampled_from(
        ["0", "-0.0", ".5", "5.", "-.5", ".", "-", "-.", "1e5", "+1.5", "nan", "1.2.3", "1,5", "--1.5", "0.1-2"]
    ),
)
NAMES = st.one_of(
    st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=40),
    st.sampled_from(["7", "8", "d.1", "é", "#7", "\u202e", "12345678", "123456789", "a" * 33, "\x00"]),
)
BLANKS = st.sampled_from([" "] * 20 + ["  ", "\t", " \t"])
ENDS = st.sampled_from(["\n"] * 20 + ["\r\n", " \n", "\n\n", "\n ", "\n# x\n"])


@st.composite
def lines(draw):
    run_id = draw(NAMES)
    topics = draw(st.lists(NAMES, min_size=1, max_size=3))
    fields = draw(st.sampled_from([8, 8, 6]))
    text = []
    for _ in range(draw(st.integers(1, 6))):
        parts = [
            draw(st.sampled_from(topics)),
            "Q0",
            draw(NAMES),
            draw(NUMBERS),
            draw(REALS),
            run_id,
            draw(NUMBERS),
            draw(NUMBERS),
        ]
        blank = draw(BLANKS)
        text.append(blank.join(parts[:fields]) + draw(ENDS))
    return "".join(text).encode()


def read(function, payload):
    problems = ProblemList()
    try:
        return function(payload, LIMITS, problems, RunHeader()), problems.in_order()
    except FormatError as error:
        return None, list(error.problems)


@examples(500)
@given(payload=lines())
def test_both_readers_make_the_same_of_any_file(payload):
    fast, fast_problems = read(scan_fol, payload)
    exact, exact_problems = read(read_lines, payload)

    if fast is not None:
        assert exact is not None, [str(problem) for problem in exact_problems]
        assert same(fast, exact)
        assert fast_problems == exact_problems


@examples(300)
@given(
    rows=st.lists(
        st.tuples(
            st.sampled_from(["7", "8", "topic-nine"]),
            st.text("abc123.", min_size=1, max_size=30),
            st.integers(0, 99_999_999),
            st.one_of(st.decimals(-1000, 1000, places=6).map(str), st.floats(-1e300, 1e300).map(repr)),
            st.integers(0, 99_999_999),
        ),
        min_size=1,
        max_size=20,
    )
)
def test_tidy_files_are_always_read_fast(rows):
    for with_place in (True, False):
        lines = [
            f"{topic} Q0 {doc} {rank} {rsv} RUN" + (f" {place} {rank}" if with_place else "")
            for topic, doc, rank, rsv, place in rows
        ]
        text = "".join(line + "\n" for line in lines)

        fast, fast_problems = read(scan_fol, text.encode())
        exact, exact_problems = read(read_lines, text.encode())

        assert fast is not None
        assert fast.result_type == ("passage" if with_place else "document")
        assert same(fast, exact)
        assert fast_problems == exact_problems


@pytest.mark.parametrize(
    "payload",
    [
        GOOD,
        GOOD.replace(b" ", b"\t"),
        GOOD.replace(b" ", b"  "),
        GOOD.replace(b"\n", b"\r\n"),
        GOOD.replace(b"\n", b" \n"),
        b"# head\n\n" + GOOD,
        GOOD.removesuffix(b"\n"),
        GOOD * 10,
    ],
    ids=["tidy", "tabs", "wide", "crlf", "trailing", "head", "no-end", "interleaved"],
)
def test_common_untidiness_stays_fast(payload):
    fast, fast_problems = read(scan_fol, payload)
    exact, exact_problems = read(read_lines, payload)

    assert fast is not None
    assert same(fast, exact)
    assert fast_problems == exact_problems


def test_chunks_fit_together(monkeypatch):
    text = "".join(f"{topic} Q0 {'d' * topic}{n} {n} {n}.5 RUN {n} 5\n" for topic in range(1, 12) for n in range(4))
    monkeypatch.setattr("limelight.formats.runs.fol_scan.CHUNK", 40)

    fast, _ = read(scan_fol, text.encode())
    exact, _ = read(read_lines, text.encode())

    assert same(fast, exact)


def test_too_many_lines_are_left_to_the_exact_reader():
    assert read(scan_fol, GOOD * 20) == (None, [])


TEXTS = st.sampled_from(["d1", "996300", " d2 ", "d&amp;1", "é", "", "a b", "<b/>", "<!--x-->d", "d]]>", "x" * 201])
XML_RANKS = st.sampled_from(["1", " 2 ", "0", "-1", "x", "12345678901"])
XML_REALS = st.sampled_from(["0.5", "-1e-3", " 7 ", "1e999", "nan", ".5", "5."])
XML_PATHS = st.sampled_from(["/article[1]", " /article[1]/p[2] ", "article", "/a b", "/a&lt;b", "/a[@x='1']"])
SPANS = st.sampled_from(['<fol offset="5" length="7"/>', "<fol length='7' offset='5'/>", "<fol/>"])


@st.composite
def results(draw, tidy):
    if tidy:
        parts = [f"<file>{draw(st.sampled_from(['d1', ' d2', 'd3']))}</file>", "<path>/article[1]/p[2]</path>"]
        parts += ["<rank>3</rank>", "<rsv>-0.25e1</rsv>"]
    else:
        parts = [f"<file>{draw(TEXTS)}</file>"]
        place = draw(st.sampled_from(["path", "path", "fol", "passage"]))
        if place == "path":
            parts.append(f"<path>{draw(XML_PATHS)}</path>")
        elif place == "fol":
            parts.append(draw(SPANS))
        else:
            parts.append(f'<passage start="{draw(XML_PATHS)}" end="/article[1]"/>')
        parts += draw(st.lists(XML_RANKS.map("<rank>{}</rank>".format), max_size=1))
        parts += draw(st.lists(XML_REALS.map("<rsv>{}</rsv>".format), max_size=1))
        parts = draw(st.permutations(parts))
    blank = draw(st.sampled_from(["", "", "\n", " ", "x", "<!-- y -->", "\r\n"]))
    return f"<result>{blank.join(parts)}</result>{blank}"


@st.composite
def submissions(draw):
    tidy = draw(st.booleans())
    topics = []
    for _ in range(draw(st.integers(1, 3))):
        inside = "".join(draw(st.lists(results(tidy), max_size=4)))
        number = draw(st.sampled_from(["7", "8", " 9 ", "x&#233;"]))
        topic = f'<topic topic-id="{number}">{inside}</topic>\n'
        hidden = [f"<!-- {topic.replace('--', '')} -->", f"<x><![CDATA[{topic}]]></x>"]
        topics.append(draw(st.sampled_from([topic] * 5 + hidden)))
    head = '<?xml version="1.0"?>\n<inex-submission run-id="R" task="Focused">'
    return f"{head}{''.join(topics)}</inex-submission>".encode()


def outcome(function, *arguments):
    try:
        return function(*arguments)
    except FormatError as error:
        return None, list(error.problems)


@examples(500)
@given(payload=submissions())
def test_both_xml_readers_make_the_same_of_any_submission(payload):
    columns, problems = outcome(read_inex_xml, payload, LIMITS)
    exact, exact_problems = outcome(read_parts, payload, LIMITS)

    assert problems == exact_problems
    assert (columns is None) == (exact is None)
    assert columns is None or same(columns, exact)


def test_tidy_submissions_are_taken_apart():
    payload = b"""<?xml version="1.0"?>
<inex-submission run-id="R"><topic topic-id="7">
<result><file>d1</file><path>/article[1]</path><rank>1</rank><rsv>0.5</rsv></result>
<result> <file>d2</file>
  <path>/article[1]/p[1]</path> <rank>2</rank> <rsv>0.4</rsv> </result>
</topic></inex-submission>"""

    submission = take_apart(payload)

    assert submission.frame.count(b"<result>") == 0
    assert submission.topics[0].lines.tolist() == [3, 4]
    assert same(read_inex_xml(payload, LIMITS)[0], read_parts(payload, LIMITS)[0])


@pytest.mark.parametrize(
    "rsv", ["0.30000000000000004", "9.007199254740993", "-0.1234567890123457", "9.999999999999999"]
)
def test_long_numbers_are_read_to_the_last_bit(rsv):
    fast, _ = read(scan_fol, f"7 Q0 d1 1 {rsv} RUN 0 5\n".encode())

    assert fast.rsv.tolist() == [float(rsv)]


def test_a_hash_line_that_looks_like_a_result_is_none():
    columns, problems = read_fol(GOOD + b"#9 Q0 d1 1 0.5 RUN 0 5\n", LIMITS)

    assert problems == []
    assert columns.topics == ("2009001", "2009002")
