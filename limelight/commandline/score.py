"""score: runs against assessments, as a table, JSON, CSV or LaTeX."""

import json
import math
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path

from limelight.analysis.ranking import ranks
from limelight.analysis.statistics.sentences import MEAN_INTERVAL
from limelight.analysis.unjudged_runs import WORLD
from limelight.commandline import tables
from limelight.commandline.choosing import measure_names, scores_from, tell, warnings_of
from limelight.commandline.exits import DONE
from limelight.face.judging import Judged, judged, pooled_assessments
from limelight.face.refusals import Refusal
from limelight.face.scores import Scores

Cell = str | float


def run(chosen: Namespace) -> int:
    """Score the runs and print all of them at once, when nothing can go wrong any more."""
    if chosen.pool and not chosen.judged:
        raise Refusal(["--pool tells what was read. Give --judged with it."])
    if chosen.pool:
        chosen.assessments = pooled_assessments(chosen.assessments, chosen.pool, chosen.collection)
    scored = scores_from(chosen, measure_names(chosen.measures))
    looked_at = [judged(scores) for scores in scored] if chosen.judged else None
    if chosen.format == "json":
        runs = [as_json(scores, chosen.intervals) for scores in scored]
        for told, found, ranks_of in zip(runs, looked_at or (), condensed_ranks(looked_at or ()), strict=False):
            told["judged"] = judged_as_json(found) | {"ranks_without_unjudged": ranks_of}
        printed = json.dumps({"runs": runs}, indent=1) + "\n"
    else:
        write = {"text": tables.text, "csv": tables.csv_table, "latex": tables.latex}[chosen.format]
        columns = rows_of(scored, chosen.per_topic, chosen.format != "csv", chosen.intervals, looked_at)
        printed = write(*columns)
    if chosen.format == "text":
        printed += "".join(footnotes(scored, chosen.intervals, looked_at))
    tell(warnings_of(scored))
    sys.stdout.write(printed)
    return DONE


def as_json(scores: Scores, intervals: bool = False) -> dict[str, object]:
    """Return a run's scores as the JSON output shows them: means by their names, topics by the topics' names."""
    result = scores.result
    values = {measure.topic_name: result.topic_values[measure.name].tolist() for measure in result.measures}
    told: dict[str, object] = {
        "run": scores.run_id,
        "file": scores.file,
        "task": result.kind,
        "profile": result.profile,
        "parameters": result.parameters,
        "topic_count": len(result.topics),
        "mean": result.means,
        "topics": {
            topic: {measure: column[place] for measure, column in values.items()}
            for place, topic in enumerate(result.topics)
        },
    }
    if intervals:
        ends = scores.intervals.items()
        told["intervals"] = {name: None if math.isnan(low) else [low, high] for name, (low, high) in ends}
    return told


def judged_as_json(found: Judged) -> dict[str, object]:
    """Return what was judged of a run; null where nobody knows."""
    return {
        "share": found.share,
        "topics": found.topic_shares,
        "bounds": found.bounds,
        "ranges": found.ranges,
        "topic_ranges": found.topic_ranges,
        "without_unjudged": found.condensed,
        "sentence": found.sentence,
    }


def rows_of(
    scored: Sequence[Scores],
    per_topic: bool,
    for_people: bool = True,
    intervals: bool = False,
    looked_at: Sequence[Judged] | None = None,
) -> tuple[list[str], list[list[Cell]]]:
    """Return the head and the rows of a table: the means of each run, and its topics before them if wanted.

    People read the names of single topics above topics, iAP rather than iMAP; in CSV, which programs read, a column
    keeps the measure's name.
    """
    measures = scored[0].result.measures
    single = per_topic and for_people
    names = [measure.topic_name if single else measure.name for measure in measures]
    head = ["run", "file", "topic", *_with_ends(names, intervals)] + (["judged"] if looked_at else [])
    rows: list[list[Cell]] = []
    for place, scores in enumerate(scored):
        label = [scores.run_id or Path(scores.file).stem, scores.file]
        found = looked_at[place] if looked_at else None
        if per_topic:
            rows += [[*label, *row] for row in _topic_rows(scores, intervals, found)]
        ends = [scores.intervals[name] for name in scores.means] if intervals else []
        share = [_or_blank(found.share)] if found else []
        rows.append([*label, "all", *_between(list(scores.means.values()), ends), *share])
    return head, rows


def footnotes(scored: Sequence[Scores], intervals: bool, looked_at: Sequence[Judged] | None) -> Iterator[str]:
    """Say below the table how it is read, and what unjudged text leaves open."""
    if intervals:
        yield f"\n{MEAN_INTERVAL}\n"
    if looked_at:
        sentence = looked_at[0].sentence
        yield f"\n{sentence}\n" if sentence else ""
        yield from _open_scores(scored, looked_at)


def condensed_ranks(looked_at: Sequence[Judged]) -> list[dict[str, int]]:
    """Return each run's rank by each measure among these runs, all of them without unjudged results."""
    names = looked_at[0].condensed if looked_at else {}
    by_measure = {name: ranks([found.condensed[name] for found in looked_at]) for name in names}
    return [{name: places[place] for name, places in by_measure.items()} for place in range(len(looked_at))]


def _open_scores(scored: Sequence[Scores], looked_at: Sequence[Judged]) -> Iterator[str]:
    rows: list[list[Cell]] = []
    before = {name: ranks([scores.means[name] for scores in scored]) for name in scored[0].means}
    after = condensed_ranks(looked_at)
    for place, (scores, found) in enumerate(zip(scored, looked_at, strict=True)):
        open_to = found.ranges | found.bounds
        label = scores.run_id or Path(scores.file).stem
        for name, mean in scores.means.items():
            if found.condensed:
                low, high = open_to.get(name, ("", ""))
                places = (str(after[place][name]), str(before[name][place]))
                rows.append([label, scores.file, name, mean, low, high, found.condensed[name], *places])
    if rows:
        head = ["run", "file", "measure", "score", "lowest", "highest", "without unjudged", "rank", "was"]
        yield f"\n{tables.text(head, rows)}"
        yield f"\nRanges of iMAP and MAgP: {WORLD}\n" if any(found.ranges for found in looked_at) else ""


def _topic_rows(scores: Scores, intervals: bool, found: Judged | None) -> Iterator[list[Cell]]:
    result = scores.result
    columns = [result.topic_values[measure.name].tolist() for measure in result.measures]
    blank = [("", "")] * len(columns) if intervals else []
    for topic, *values in zip(result.topics, *columns, strict=True):
        share = [_or_blank(found.topic_shares.get(topic))] if found else []
        yield [topic, *_between(values, blank), *share]


def _with_ends(names: Sequence[str], intervals: bool) -> list[str]:
    return [part for name in names for part in ((name, f"{name} low", f"{name} high") if intervals else (name,))]


def _between(values: Sequence[float], ends: Sequence[tuple[Cell, Cell]]) -> list[Cell]:
    if not ends:
        return list(values)
    return [_or_blank(cell) for value, pair in zip(values, ends, strict=True) for cell in (value, *pair)]


def _or_blank(cell: Cell | None) -> Cell:
    return "" if cell is None or (isinstance(cell, float) and math.isnan(cell)) else cell
