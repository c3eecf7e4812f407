"""moved: ranks, scores and topics of the same runs against two assessments."""

import json
import sys
from argparse import Namespace
from collections.abc import Iterator

from limelight.analysis.moves import Move
from limelight.commandline import tables
from limelight.commandline.choosing import scores_from, tell, warnings_of
from limelight.commandline.compare import range_text
from limelight.commandline.exits import DONE
from limelight.face.comparing import Wanted
from limelight.face.moving import Moved, moved
from limelight.face.scores import by_name
from limelight.wording import counted

TOPICS = 3
"""So many topics are named with a run, or with two that passed each other; JSON has all of them."""


def run(chosen: Namespace) -> int:
    """Print what moved between the old and the new assessments."""
    wanted = Wanted.of(chosen.task, chosen.measure, None, None)
    old = scores_from(chosen, wanted.measures)
    chosen.assessments = chosen.new_assessments
    new = scores_from(chosen, wanted.measures)
    found = moved(by_name(old), by_name(new), wanted.measure)
    tell(dict.fromkeys([*warnings_of(old), *warnings_of(new)]))
    sys.stdout.write(as_json(found) if chosen.format == "json" else as_text(found))
    return DONE


def as_json(found: Moved) -> str:
    """Return the moves as JSON, in the order of the new ranking."""
    told = {
        "measure": found.measure,
        "old_topics": len(found.old_topics),
        "new_topics": len(found.new_topics),
        "tau-b": found.tau,
        "runs": [move_as_json(found, move) for move in found.moves],
    }
    return json.dumps(told, indent=1) + "\n"


def move_as_json(found: Moved, move: Move[str]) -> dict[str, object]:
    """Return one run's move; ranges are null where the topics are too few to tell."""
    return {
        "run": move.key,
        "old_rank": move.old_rank,
        "new_rank": move.new_rank,
        "old_ranks": found.old_ranges.get(move.key),
        "new_ranks": found.new_ranges.get(move.key),
        "told": found.parts(move.key),
        "old_score": move.old_score,
        "new_score": move.new_score,
        "topics": [
            {"topic": change.topic, "old": change.old, "new": change.new, "contribution": change.contribution}
            for change in move.topics
        ],
        "passed": [
            {"run": other, "topics": [{"topic": topic, "gain": gain} for topic, gain in found.gains[move.key, other]]}
            for other in move.passed
        ],
    }


def as_text(found: Moved) -> str:
    """Return the moves for people: how alike the rankings are, a line a run, and who passed whom."""
    return "\n".join([title_of(found), "", table_of(found), *passings(found)]).rstrip("\n") + "\n"


def title_of(found: Moved) -> str:
    """Say how many topics there are and how alike the rankings."""
    old, new = len(found.old_topics), len(found.new_topics)
    topics = counted(new, "topic") if old == new else f"{old:,} and then {counted(new, 'topic')}"
    alike = "no tau-b" if found.tau is None else f"tau-b {found.tau:.4f}"
    risen = sum(move.has_moved for move in found.moves)
    return f"{found.measure} over {topics}: {alike}; {risen} of {counted(len(found.moves), 'run')} changed rank."


def table_of(found: Moved) -> str:
    """Return a line a run: rank and score, what they were, and the topics behind the change."""
    rows = [
        [
            *_ranks(found, move),
            move.key,
            *(f"{score:.4f}" for score in (move.new_score, move.old_score) if score is not None),
            f"{move.difference or 0:+.4f}",
            ", ".join(f"{change.topic} {change.contribution:+.4f}" for change in move.topics[:TOPICS]),
        ]
        for move in found.moves
    ]
    return tables.aligned(["rank", "was", "run", "score", "was", "change", "topics"], rows, words=("run", "topics"))


def passings(found: Moved) -> Iterator[str]:
    """Say which run passed which, and by which topics."""
    for (name, other), gains in found.gains.items():
        topics = ", ".join(f"{topic} {gain:+.4f}" for topic, gain in gains[:TOPICS])
        yield f"{name} passed {other}{f' by topics {topics}' if topics else ''}."


def _ranks(found: Moved, move: Move[str]) -> list[str]:
    old, new = found.old_ranges.get(move.key), found.new_ranges.get(move.key)
    return [
        f"{rank}{'' if ends is None else f' ({range_text(*ends)})'}"
        for rank, ends in ((move.new_rank, new), (move.old_rank, old))
    ]
