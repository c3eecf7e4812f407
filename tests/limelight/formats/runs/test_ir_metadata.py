"""The metadata block of a text run: as much of YAML as people and programs write, and no more than it may cost."""

from itertools import pairwise

import pytest

from limelight.formats.runs.ir_metadata import MOST_ENTRIES, MOST_STRANGE_LINES, VALUE_SIZE, read_metadata


def block(text):
    lines = ["ir_metadata.start", *text.split("\n"), "ir_metadata.end"]
    return "".join(f"# {line}\n" for line in lines).encode()


def said(text):
    entries, strange_lines = read_metadata(block(text))
    assert strange_lines == []
    return dict(entries)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("k: a long value that a program\n  folded", "a long value that a program folded"),
        ("k: >-\n  Salt and\n  pepper.\n", "Salt and pepper."),
        ('k: "caf\\u00e9 # 1"', "caf\u00e9 # 1"),
        ("k: 'it''s'", "it's"),
        ("k: v  # why", "v"),
        ("k: 2009-12-07", "2009-12-07"),
        ("k: no", "no"),
        ("k: 007", "007"),
        ("k: !!binary aGFsbG8=", "aGFsbG8="),
        ('k: ""', ""),
        ("'k': &name v", "v"),
        ("---\nk: v\n---\nk: w", "v"),
    ],
)
def test_values_are_text_as_yaml_means_it(written, value):
    assert said(written) == {"k": value}


def test_lists_and_names_in_brackets_are_read():
    assert said("k: [a, {b: c, d.e: f}]\nl:\n- [x]\n- y") == {
        "k.0": "a",
        "k.1.b": "c",
        "k.1.d_e": "f",
        "l.0.0": "x",
        "l.1": "y",
    }


def test_what_is_empty_says_nothing():
    assert said("k:\nl: ~\nm: []\nn: {}") == {"l": "~"}


def test_a_reference_says_what_it_refers_to_if_that_is_a_text():
    assert said("k: &a v\nl: *a\nm: &b [x]\nn: *b\no: last") == {"k": "v", "l": "v", "m.0": "x", "o": "last"}


@pytest.mark.parametrize(
    "line",
    [
        "title: Sea: a search",
        "what is this",
        "k: [a, b",
        "k: {a: b",
        'k: "a',
        "k: 'a",
        "k: 'a' b",
        "k: @a",
        "k: *unknown: b",
        "? [a]",
        "k: " + "[" * 21 + "]" * 21,
    ],
)
def test_a_strange_line_is_named_and_the_others_are_read(line):
    entries, strange_lines = read_metadata(block(f"first: 1\n{line}\nlast: 2"))

    assert strange_lines == [3]
    assert dict(entries) == {"first": "1", "last": "2"}


def test_a_text_alone_says_nothing():
    assert read_metadata(block("Made by the Sea.")) == ((), [2])


def test_where_most_lines_are_strange_the_reader_gives_up():
    entries, strange_lines = read_metadata(block("first: 1\n" + "k: a: b\n" * 100 + "last: 2"))

    assert entries == (("first", "1"),)
    assert strange_lines == list(range(3, 3 + MOST_STRANGE_LINES))


def test_characters_that_yaml_does_not_know_are_replaced():
    assert said("k: a\x01b\u2028c\ufeffd") == {"k": "a\ufffdb\ufffdc\ufffdd"}


def test_references_to_references_stay_small():
    levels = "abcdefghij"
    laughs = "a: &a [ha, ha, ha, ha, ha]\n" + "".join(
        f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n" for before, name in pairwise(levels)
    )

    assert len(said(laughs)) == 5


def test_values_and_their_number_are_limited():
    assert len(said("k: " + "x" * 100_000)["k"]) == VALUE_SIZE
    assert len(read_metadata(block("k: [" + "a, " * 100_000 + "]"))[0]) == MOST_ENTRIES
