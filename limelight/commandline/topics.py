"""topics: what is relevant to each topic, and how the given runs fared on it."""

import json
import sys
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import asdict

import numpy as np

from limelight.analysis.topics import TopicLine, topic_lines
from limelight.commandline import tables
from limelight.commandline.choosing import scores_from, tell, warnings_of
from limelight.commandline.exits import DONE
from limelight.face.comparing import Wanted
from limelight.face.reading import reference_from

HEAD = ("topic", "judged", "relevant", "characters", "quartile", "median", "quartile", "place")


def run(chosen: Namespace) -> int:
    """Print a line a topic: relevant documents, highlighted characters, median and quartiles over the runs."""
    wanted = Wanted.of(chosen.task, chosen.measure, None, None)
    scored = scores_from(chosen, wanted.measures) if chosen.runs else []
    if scored:
        highlights = scored[0].reference.highlights
        lines = topic_lines(highlights, np.stack([scores.result.topic_values[wanted.measure] for scores in scored]))
    else:
        lines = topic_lines(reference_from(chosen.assessments, chosen.collection, chosen.task).highlights)
    tell(warnings_of(scored))
    printed = as_json(lines, wanted.measure, len(scored)) if chosen.format == "json" else as_text(lines)
    sys.stdout.write(printed)
    return DONE


def as_json(lines: Sequence[TopicLine], measure: str, run_count: int) -> str:
    """Return the topics as JSON; null where there are no runs, or no characters."""
    told = {"measure": measure, "runs": run_count, "topics": [asdict(line) for line in lines]}
    return json.dumps(told, indent=1) + "\n"


def as_text(lines: Sequence[TopicLine]) -> str:
    """Return the topics for people; without runs only what is relevant."""
    cells = [
        [
            line.topic,
            *(f"{count:,}" if count is not None else "" for count in _counts(line)),
            *(f"{value:.4f}" for value in (line.low, line.median, line.high) if value is not None),
            *([str(line.place)] if line.place is not None else []),
        ]
        for line in lines
    ]
    return tables.aligned(HEAD[: len(cells[0])], cells, words=("topic",))


def _counts(line: TopicLine) -> tuple[int, int, int | None]:
    return line.judged_documents, line.relevant_documents, line.highlighted_characters
