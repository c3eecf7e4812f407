"""The demo's assessments as files and its runs' scores, made with the library alone."""

import tomllib
from functools import cache
from io import BytesIO

import numpy as np

import limelight
from evaluation.demo.passages import highlight_lines
from limelight.text.documents import read_document
from tests.folders import DEMO

COLLECTION = DEMO / "collection"
RUNS = tomllib.loads((DEMO / "runs.toml").read_text(encoding="utf-8"))["run"]


@cache
def demo_assessments(second_reading=True):
    """Return the demo's assessments in the format of 2008 to 2010, as bytes."""
    texts = {file.stem: read_document(BytesIO(file.read_bytes()), file.stem).text for file in COLLECTION.glob("*.xml")}
    files = {file.name: file for file in (DEMO / "assessments").glob("*.toml")}
    if second_reading:
        files |= {file.name: file for file in (DEMO / "assessments" / "second").glob("*.toml")}
    lines = [line for _, file in sorted(files.items()) for line in highlight_lines(file, texts)]
    return ("\n".join(lines) + "\n").encode()


def demo_runs(task):
    """Return the paths of a task's runs, without the one that shows what a rejection looks like."""
    return [DEMO / "runs" / run["file"] for run in RUNS if run["task"] == task and not run.get("rejected")]


def demo_scores(folder, task="focused", second_reading=True, measures=None):
    """Write the assessments into a folder and return the scores of a task's runs by their names."""
    assessments = folder / f"demo-{2 if second_reading else 1}.qrels"
    assessments.write_bytes(demo_assessments(second_reading))
    return limelight.score(assessments, demo_runs(task), task=task, measures=measures, collection=COLLECTION)


def score_matrix(scores, measure):
    """Return the topics' values of all runs, a row a run."""
    return np.stack([run.result.topic_values[measure] for run in scores.values()])
