"""check: everything that is wrong with a run, before anybody scores it."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from limelight.face.collection import Collection
from limelight.face.files import File, given_collection, read_assessments, read_topics
from limelight.face.reading import RESULT_LIMIT, lengths_in, rules_for
from limelight.face.refusals import unreadable
from limelight.formats.assessments.reading import Assessments
from limelight.formats.columns import RunColumns
from limelight.formats.problems import Problem
from limelight.formats.topics.inex import TopicRecord
from limelight.rules import checking
from limelight.rules.checking import read_and_check
from limelight.rules.task_rules import Rules
from limelight.scoring.profiles import DEFAULT_PROFILE

Topics = File | Iterable[TopicRecord | str]
"""The topics of a track: a file, topics that were read before, or just their numbers."""


def check(
    run: File | RunColumns,
    *,
    task: str,
    topics: Topics | None = None,
    collection: File | Collection | None = None,
    assessments: File | Assessments | None = None,
    profile: str = DEFAULT_PROFILE,
    parameters: Mapping[str, Any] | None = None,
    result_limit: int | None = RESULT_LIMIT,
    topic_budget: int | None = None,
    article_budget: int | None = None,
) -> list[Problem]:
    """Return all problems of a run, errors and warnings; none where it keeps the rules of its task.

    `topics`, `collection` and `assessments` are what the run is held against, as far as they are given; of the
    assessments only the lengths of documents are asked.
    """
    limits = {"result_limit": result_limit, "topic_budget": topic_budget, "article_budget": article_budget}
    rules = rules_for(task, profile, parameters, **limits)
    return problems_of(run, rules, known_from(topics, collection, assessments))


def known_from(
    topics: Topics | None, collection: File | Collection | None, assessments: File | Assessments | None
) -> dict[str, Any]:
    """Return what the rules hold a run against, as `checking.check` takes it."""
    numbers = None if topics is None else topic_numbers(topics)
    collection = given_collection(collection)
    if assessments is not None and not isinstance(assessments, Assessments):
        assessments = read_assessments(assessments)
    return {
        "topics": numbers,
        "document_lengths": collection,
        "assessed_lengths": None if assessments is None else lengths_in(assessments),
        "element_spans": None if collection is None else collection.places,
    }


def topic_numbers(topics: Topics) -> list[str]:
    """Return the numbers of a track's topics."""
    given = topics if isinstance(topics, Iterable) and not isinstance(topics, str) else read_topics(topics)
    return [topic.identifier if isinstance(topic, TopicRecord) else topic for topic in given]


def problems_of(run: File | RunColumns, rules: Rules, known: Mapping[str, Any]) -> list[Problem]:
    """Return the problems of one run; a file that isn't there raises a Refusal."""
    if isinstance(run, RunColumns):
        return checking.check(run, rules, **known)
    try:
        with Path(run).open("rb") as stream:
            return read_and_check(stream, rules, lambda columns: known)[1]
    except OSError as error:
        raise unreadable(str(run), error) from None
