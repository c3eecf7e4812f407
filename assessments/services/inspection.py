"""What an organiser is shown of a file of assessments before it counts."""

from dataclasses import asdict

import numpy as np

from assessments.models import AssessmentSet
from assessments.services.axes import runs_apart
from campaign.services.documents.collections import document_lengths
from campaign.services.runs.check_results import counts_by_rule
from limelight.analysis.counting import topic_counts, totals
from limelight.formats.assessments.columns import CHARACTERS, UNKNOWN
from limelight.formats.problems import WARNING, Problem, ProblemList, warnings
from limelight.kinds import scored_by
from limelight.text.placing import OTHER_AXIS
from limelight.wording import counted

Content = AssessmentSet.Content
ENTRY_POINTS_ALIKE = "entry-points-alike"
MANY = 20
"""So many entry points are not the same by chance."""


def inspected(track, read):
    """Return the preview of a file that was read for a track, and all that is worth saying about it."""
    columns, counts = read.columns, topic_counts(read.columns)
    of_documents = _held_against_collection(track, columns)
    unjudged = sorted(
        set(track.topics.values_list("number", flat=True)) - set(columns.topics),
        key=lambda number: (len(number), number),
    )
    preview = {
        "content": read.content,
        "axis": getattr(columns, "axis", CHARACTERS),
        "totals": totals(counts),
        "topics": [asdict(count) for count in counts],
        "new_topics": list(read.missing_topics),
        "unjudged_topics": unjudged,
    }
    problems = [*_what_cannot_be_scored(track, read), *placeholders(track, read), *read.problems, *of_documents]
    times = counts_by_rule(problems)
    preview |= {"unknown_documents": times["unknown-document"], "past_the_end": times["past-the-end"]}
    return preview, problems


def warned_of(problems):
    """Return warnings as a version keeps them: of each rule the first one, and how often there was one."""
    warned = warnings(problems)
    times, kept = counts_by_rule(warned), {}
    for problem in warned:
        kept.setdefault(problem.rule, {"rule": problem.rule, "message": problem.message, "times": times[problem.rule]})
    return list(kept.values())


def warned_of_import(found):
    """Return the warnings of an import that was read, as a version keeps them."""
    shown = [problem for problem in found.problems if problem["severity"] == WARNING]
    counts, kept = found.outcome.get("problem_counts", {}), {}
    for problem in shown:
        rule = problem["rule"]
        kept.setdefault(rule, {"rule": rule, "message": problem["message"], "times": counts.get(rule, 1)})
    return list(kept.values())


def placeholders(track, read):
    """Return a warning where all entry points are the same: nobody judged them, and Best in Context stands on them."""
    if read.content != Content.HIGHLIGHTS:
        return []
    points = read.columns.entry_point
    points = points[points != UNKNOWN]
    if len(points) < MANY or (points != points[0]).any():
        return []
    tasks = [task.name for task in track.tasks.all() if task.traits.returns_points]
    used = f" {' and '.join(tasks)} would be scored by it." if tasks else ""
    message = f"All {len(points):,} entry points are at character {points[0]:,}. That looks like a placeholder.{used}"
    return [Problem(message, rule=ENTRY_POINTS_ALIKE, severity=WARNING)]


def _held_against_collection(track, columns):
    """Return warnings about documents that the collection doesn't have, or has at another length."""
    lengths = document_lengths(track.collection, columns.documents)
    if lengths is None:
        return []
    problems = ProblemList()
    places = zip(columns.topic.tolist(), columns.document.tolist(), columns.line.tolist(), strict=True)
    ends, told = _ends(columns), getattr(columns, "document_length", None)
    unknown = set()
    for index, (topic, document, line) in enumerate(places):
        name, where = columns.documents[document], {"line": line, "topic": columns.topics[topic], "severity": WARNING}
        length = lengths.get(name)
        if length is None:
            if name not in unknown:
                unknown.add(name)
                problems.add(f"document {name} is not in {track.collection.name}.", "unknown-document", **where)
            continue
        if ends is None:
            continue
        told_by_reader = told[index] != UNKNOWN and ends[index] > told[index]
        if ends[index] > length and not told_by_reader:
            message = f"a passage ends at {ends[index]:,}, but document {name} has {length:,} characters."
            problems.add(message, "past-the-end", **where)
        if told[index] not in (UNKNOWN, length):
            message = f"document {name} has {told[index]:,} characters here and {length:,} in {track.collection.name}."
            problems.add(message, "document-length", **where)
    return problems.in_order()


def _ends(columns):
    """Return where the last passage of each judgement ends; None where nothing lies on raw characters."""
    if getattr(columns, "axis", None) != CHARACTERS:
        return None
    ends = np.zeros(len(columns), dtype=np.int64)
    np.maximum.at(ends, columns.judgement, columns.offset + columns.length)
    return ends.tolist()


def _what_cannot_be_scored(track, read):
    """Return warnings about runs and tasks for which these assessments are of no use."""
    if read.content == Content.ELEMENTS:
        message = (
            "These assessments grade elements. They can be kept and downloaded, but no task is scored with them yet."
        )
        return [Problem(message, rule="not-scored", severity=WARNING)]
    if read.content == Content.GRADES:
        tasks = [task.name for task in track.tasks.all() if task.kind not in scored_by(read.content)]
        message = f"These are grades of whole documents. With them {', '.join(tasks)} cannot be scored."
        return [Problem(message, rule="not-scored", severity=WARNING)] if tasks else []
    scored = [task for task in track.tasks.all() if task.kind in scored_by(read.content)]
    count = len(runs_apart(scored, read.columns.axis))
    if not count:
        return []
    subject = f"{counted(count, 'run')} of this track {'returns' if count == 1 else 'return'}"
    message = (
        f"{subject} offsets, which count every character. These assessments only tell sizes with white space merged, "
        "so they cannot be scored together. Import the collection's text first, then this file again."
    )
    return [Problem(message, rule=OTHER_AXIS, severity=WARNING)]
