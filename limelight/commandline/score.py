"""score: runs against assessments, as a table, JSON, CSV or LaTeX."""

import json
import sys
from pathlib import Path

from limelight.commandline import tables
from limelight.commandline.progress import watched
from limelight.commandline.reading import checked_runs, given_parameters, ground_from, known_kind, tell
from limelight.commandline.refusals import BAD_INPUT, DONE, Refusal
from limelight.scoring.evaluators import evaluate
from limelight.scoring.profiles import ParameterError, resolve
from limelight.scoring.zeros import zero_sentence


def score(chosen):
    """Score the runs and print all of them at once, when nothing can go wrong any more."""
    names = measure_names(chosen.measures)
    scored, notes = scored_runs(chosen, names)
    if chosen.format == "json":
        printed = json.dumps({"runs": [as_json(name, run, result) for name, run, result in scored]}, indent=1) + "\n"
    else:
        write = {"text": tables.text, "csv": tables.csv_table, "latex": tables.latex}[chosen.format]
        printed = write(*rows_of(scored, chosen.per_topic, for_people=chosen.format != "csv"))
    tell(notes)
    sys.stdout.write(printed)
    return DONE


def measure_names(words):
    """Return what --measures asks for.

    >>> measure_names("iMAP, artMAP"), measure_names("all"), measure_names(None)
    (['iMAP', 'artMAP'], 'all', None)
    """
    if words is None or words.strip() == "all":
        return words and words.strip()
    return [name.strip() for name in words.split(",") if name.strip()]


def scored_runs(chosen, names):
    """Return (file, run, result) of every run, and the warnings."""
    evaluator, parameters = known_kind(chosen.task), given_parameters(chosen.settings)
    try:
        evaluator.chosen(resolve(chosen.task, chosen.profile, parameters), names)
    except ParameterError as error:
        raise Refusal([str(error)], BAD_INPUT) from None
    ground = ground_from(chosen)
    runs, notes = checked_runs(watched(chosen.runs, "Reading runs"), chosen, ground)
    scored = [
        (
            name,
            run,
            evaluate(
                chosen.task,
                ground.highlights,
                run,
                profile=chosen.profile,
                parameters=parameters,
                measures=names,
                document_lengths=ground.collection,
            ),
        )
        for name, run in watched(runs, "Scoring runs")
    ]
    return scored, notes + [note for name, _, result in scored for note in zero_notes(name, result)]


def zero_notes(name, result):
    """Say why a run scores 0, where it does; whoever scores has the assessments."""
    if not result.zero_reason:
        return []
    sentence = zero_sentence(result.zero_reason, result.kind, may_see_assessments=True)
    return [f"{name}: warning: scores 0. {sentence}"]


def as_json(name, run, result):
    """Return a run's scores as the JSON output shows them: means by their names, topics by the topics' names."""
    values = {measure.topic_name: result.topic_values[measure.name].tolist() for measure in result.measures}
    return {
        "run": run.run_id,
        "file": str(name),
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


def rows_of(scored, per_topic, for_people=True):
    """Return the head and the rows of a table: the means of each run, and its topics before them if wanted.

    People read the names of single topics above topics, iAP rather than iMAP; in CSV, which programs read, a column
    keeps the measure's name.
    """
    measures = scored[0][2].measures
    single = per_topic and for_people
    head = ["run", "file", "topic", *(measure.topic_name if single else measure.name for measure in measures)]
    rows = []
    for name, run, result in scored:
        columns = [result.topic_values[measure.name].tolist() for measure in measures]
        label = run.run_id or Path(name).stem
        if per_topic:
            rows += [[label, str(name), topic, *values] for topic, *values in zip(result.topics, *columns, strict=True)]
        rows.append([label, str(name), "all", *result.means.values()])
    return head, rows
