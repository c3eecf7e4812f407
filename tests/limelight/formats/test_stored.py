import io

import numpy as np
import pytest

from limelight.formats.assessments.columns import SIZES, JudgementColumns
from limelight.formats.columns import RunColumns
from limelight.formats.stored import load_arrays, save_arrays
from limelight.scoring.evaluators import compiled, evaluate
from tests.limelight.builders import Judged, judgement_columns, run_columns

JUDGEMENTS = {
    "1": {"a": Judged(length=100, entry=3, spans=((0, 25), (40, 10))), "ü x": Judged(length=50)},
    "2": {"b": Judged(spans=((5, 5),))},
}
RUN = {"1": [("a", 0, 50), ("ü x", 3, 9), ("a", None, 0)], "2": [("b", 5, 10)], "3": [("z", 0, 1)]}


def same(one, other):
    def equal(mine, theirs):
        if isinstance(mine, np.ndarray):
            return np.array_equal(mine, theirs) and mine.dtype == theirs.dtype
        if isinstance(mine, tuple) and mine and isinstance(mine[0], np.ndarray):
            return all(map(equal, mine, theirs))
        return mine == theirs

    return all(equal(getattr(one, name), getattr(other, name)) for name in one.__slots__)


STORED = [
    (RunColumns, run_columns(RUN, run_id="run 1")),
    (RunColumns, run_columns({})),
    (JudgementColumns, judgement_columns(JUDGEMENTS)),
]


@pytest.mark.parametrize(("kind", "columns"), STORED, ids=lambda value: getattr(value, "__name__", ""))
def test_what_was_saved_comes_back_from_a_path_and_from_a_stream(kind, columns, tmp_path):
    path, stream = tmp_path / "columns", io.BytesIO()

    columns.save(path)
    columns.save(stream)

    assert path.read_bytes() == stream.getvalue()
    assert same(kind.load(path), columns)
    assert same(kind.load(io.BytesIO(stream.getvalue())), columns)


def test_the_axis_is_kept(tmp_path):
    columns = judgement_columns(JUDGEMENTS)
    sized = JudgementColumns(
        **{name: getattr(columns, name) for name in columns.__slots__ if name != "axis"}, axis=SIZES
    )

    sized.save(tmp_path / "columns")

    assert JudgementColumns.load(tmp_path / "columns").axis == SIZES


def test_mapped_arrays_are_aligned_and_can_not_be_changed(tmp_path):
    run_columns(RUN).save(tmp_path / "columns")

    mapped = RunColumns.load(tmp_path / "columns")

    assert mapped.offset.ctypes.data % 8 == 0
    with pytest.raises(ValueError, match="read-only"):
        mapped.offset[0] = 7


def test_mapped_columns_score_the_same(tmp_path):
    highlights, run = compiled(judgement_columns(JUDGEMENTS)), run_columns(RUN)
    run.save(tmp_path / "run")

    for kind in ("focused", "thorough", "relevant-in-context", "best-in-context", "document"):
        mapped = evaluate(kind, highlights, RunColumns.load(tmp_path / "run"), measures="all")
        assert mapped.means == evaluate(kind, highlights, run, measures="all").means


def test_another_format_is_refused_in_a_sentence(tmp_path):
    (tmp_path / "columns").write_bytes(b"PK\x03\x04 something else")

    with pytest.raises(ValueError, match="must be made again") as refusal:
        load_arrays(tmp_path / "columns")

    assert str(refusal.value) == (
        "The stored columns are in another format than this version writes: they must be made again."
    )


def test_a_name_with_nul_is_never_split_in_two(tmp_path):
    with pytest.raises(ValueError, match="NUL"):
        save_arrays(tmp_path / "columns", {}, {"names": ("a\0b",)}, {})


def test_long_names_are_matched_as_text(tmp_path):
    judgements = judgement_columns({"1": {"a long name": Judged(spans=((0, 25),)), "b": Judged(spans=((0, 25),))}})
    run_columns({"1": [("a long name", 0, 25), ("another long name", 0, 25)]}).save(tmp_path / "run")

    result = evaluate("focused", judgements, RunColumns.load(tmp_path / "run"), measures=["charP", "charR"])

    assert result.means == {"charP": 0.5, "charR": 0.5}


@pytest.mark.parametrize("more_judged", [False, True])
def test_short_names_are_matched_as_numbers_whichever_list_is_longer(more_judged, tmp_path):
    names = [str(number) for number in range(0, 400, 3)]
    others = [str(number) for number in range(0, 400, 7 if more_judged else 2)]
    judgements = judgement_columns({"1": {name: Judged(spans=((0, 5),)) for name in names}})
    run = run_columns({"1": [(name, 0, 5) for name in others]})
    run.save(tmp_path / "run")

    mapped = evaluate("focused", judgements, RunColumns.load(tmp_path / "run"), measures="all")

    assert mapped.means["artP"] == len(set(names) & set(others)) / len(others)
    assert mapped.means == evaluate("focused", judgements, run, measures="all").means


def test_stored_names_behave_like_a_tuple(tmp_path):
    run = run_columns({"1": [("b", 0, 1), ("a", 0, 1)]})
    run.save(tmp_path / "run")

    names = RunColumns.load(tmp_path / "run").documents

    assert names == ("b", "a")
    assert tuple.__eq__(("b", "a"), tuple(names))
    assert hash(names) == hash(("b", "a"))
    assert (len(names), names[1], list(names), "a" in names, repr(names)) == (2, "a", ["b", "a"], True, "('b', 'a')")
    assert names != ["b", "a"]
