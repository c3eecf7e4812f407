"""score: runs against assessments, as a table, JSON, CSV or LaTeX."""

import json
import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from limelight.commandline import tables
from limelight.commandline.choosing import measure_names, scores_from, tell, warnings_of
from limelight.commandline.exits import DONE
from limelight.face.scores import Scores


def run(chosen: Namespace) -> int:
    """Score the runs and print all of them at once, when nothing can go wrong any more."""
    scored = scores_from(chosen, measure_names(chosen.measures))
    if chosen.format == "json":
        printed = json.dumps({"runs": [as_json(scores) for scores in scored]}, indent=1) + "\n"
    else:
        write = {"text": tables.text, "csv": tables.csv_table, "latex": tables.latex}[chosen.format]
        printed = write(*rows_of(scored, chosen.per_topic, for_people=chosen.format != "csv"))
    tell(warnings_of(scored))
    sys.stdout.write(printed)
    return DONE


def as_json(scores: Scores) -> dict[str, object]:
    """Return a run's scores as the JSON output shows them: means by their names, topics by the topics' names."""
    result = scores.result
    values = {measure.topic_name: result.topic_values[measure.name].tolist() for measure in result.measures}
    return {
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


def rows_of(
    scored: Sequence[Scores], per_topic: bool, for_people: bool = True
) -> tuple[list[str], list[list[str | float]]]:
    """Return the head and the rows of a table: the means of each run, and its topics before them if wanted.

    People read the names of single topics above topics, iAP rather than iMAP; in CSV, which programs read, a column
    keeps the measure's name.
    """
    measures = scored[0].result.measures
    single = per_topic and for_people
    head = ["run", "file", "topic", *(measure.topic_name if single else measure.name for measure in measures)]
    rows: list[list[str | float]] = []
    for scores in scored:
        result = scores.result
        columns = [result.topic_values[measure.name].tolist() for measure in measures]
        label = scores.run_id or Path(scores.file).stem
        if per_topic:
            rows += [
                [label, scores.file, topic, *values] for topic, *values in zip(result.topics, *columns, strict=True)
            ]
        rows.append([label, scores.file, "all", *result.means.values()])
    return head, rows
