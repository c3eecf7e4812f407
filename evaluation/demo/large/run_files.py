"""Rankings written as the files that teams hand in."""

import numpy as np

from evaluation.demo.large.topics import numbers_of
from limelight.kinds import kind_of

FIELDS = ("title", "castitle", "description", "narrative")


def as_lines(ranking, name, themes, articles):
    """Return a run as text: topic Q0 file rank rsv run_id offset length."""
    documents, ranks = [article.identifier for article in articles], _ranks(ranking.topic)
    columns = (ranking.topic, ranking.article, ranks, ranking.rsv, ranking.start, ranking.end - ranking.start)
    numbers = numbers_of(themes)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return "".join(
        f"{numbers[topic]} Q0 {documents[article]} {rank} {rsv:.4f} {name} {start} {length}\n"
        for topic, article, rank, rsv, start, length in rows
    ).encode()


def as_elements(ranking, paths, entry, themes, articles):
    """Return a run of elements as an XML submission."""
    documents, ranks = [article.identifier for article in articles], _ranks(ranking.topic)
    bounds = np.searchsorted(ranking.topic, np.arange(len(themes) + 1)).tolist()
    rows = list(zip(*(c.tolist() for c in (ranking.article, ranking.unit, ranks, ranking.rsv)), strict=True))
    parts = [_head(entry)]
    for number, first, last in zip(numbers_of(themes), bounds, bounds[1:], strict=False):
        results = "".join(
            f"  <result><file>{documents[article]}</file><path>{paths[unit]}</path>"
            f"<rank>{rank}</rank><rsv>{rsv:.4f}</rsv></result>\n"
            for article, unit, rank, rsv in rows[first:last]
        )
        parts.append(f' <topic topic-id="{number}">\n{results} </topic>\n')
    return "".join([*parts, "</inex-submission>\n"]).encode()


def _head(entry):
    task = "".join(kind_of(entry.task).label.split())
    fields = " ".join(f'{name}="{"yes" if name in entry.topic_fields else "no"}"' for name in FIELDS)
    return (
        "<?xml version='1.0' encoding='UTF-8'?>\n"
        f'<inex-submission participant-id="{entry.team}" run-id="{entry.name}" task="{task}" '
        f'query="{entry.query}" result-type="element">\n'
        f" <topic-fields {fields}/>\n <description>{entry.description}</description>\n"
        " <collections>\n  <collection>large</collection>\n </collections>\n"
    )


def _ranks(topic):
    """Number the results of each topic from 1."""
    starts = np.flatnonzero(np.diff(topic, prepend=-1))
    return np.arange(len(topic)) - np.repeat(starts, np.diff(np.append(starts, len(topic)))) + 1
