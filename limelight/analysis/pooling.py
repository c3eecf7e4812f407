"""Pools: which documents the top results of several runs bring to the assessors, and who brought them.

The top k of a run are its first k results of each topic, in the order in which its task ranks them: elements and
passages count one by one, as in INEX 2003. A document is pooled for a topic when any part of it is among the top k of
any run.
"""

from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from limelight.arrays import Flags, Integers, Reals
from limelight.formats.columns import UNMAPPED, RunColumns
from limelight.formats.matching import read_names

DOCUMENT_BITS = 40
"""Topic and document share one number: so many bits are the document's."""

ENTRY_COLUMNS = ("topic", "document", "best_rank", "run_count", "team_count")
ENTRIES_AT_ONCE = 50_000
"""Pooled documents that are compared between teams in one go, to bound memory."""


@dataclass(frozen=True, slots=True, eq=False)
class PoolColumns:
    """A pool as parallel arrays.

    `topic`, `document`, `best_rank`, `run_count` and `team_count` have one entry a pooled document, ordered by topic,
    best rank, number of runs (most first) and id; `member_entry` and `member_run` one entry for each run that returned
    a pooled document; the arrays of parts one entry a part, in the order of the documents: a path or a span.
    """

    depth: int
    topics: tuple[str, ...]
    documents: tuple[str, ...]
    teams: tuple[Hashable, ...]
    team_of_run: Integers
    topic: Integers
    document: Integers
    best_rank: Integers
    run_count: Integers
    team_count: Integers
    member_entry: Integers
    member_run: Integers
    part_entry: Integers
    part_offset: Integers
    part_length: Integers
    part_path: Integers
    paths: tuple[str, ...]

    def __len__(self) -> int:
        """Count the pooled documents of all topics."""
        return len(self.topic)

    @property
    def sizes(self) -> Integers:
        """Count the pooled documents of each topic."""
        return np.bincount(self.topic, minlength=len(self.topics))

    @property
    def run_sizes(self) -> Integers:
        """Count the pooled documents that each run brought."""
        return np.bincount(self.member_run, minlength=len(self.team_of_run))

    @property
    def team_sizes(self) -> Integers:
        """Count the pooled documents that each team brought."""
        return np.bincount(self._brought()[1], minlength=len(self.teams))

    @property
    def unique_of_runs(self) -> Integers:
        """Count the pooled documents that only this run brought."""
        return np.bincount(self.member_run[self.run_count[self.member_entry] == 1], minlength=len(self.team_of_run))

    @property
    def unique_of_teams(self) -> Integers:
        """Count the pooled documents that only this team brought."""
        owner = self.owners()
        return np.bincount(owner[owner >= 0], minlength=len(self.teams))

    def owners(self) -> Integers:
        """Return for each pooled document the one team that brought it, -1 where several did."""
        owner = np.full(len(self), -1, dtype=np.int64)
        alone = self.team_count[self.member_entry] == 1
        owner[self.member_entry[alone]] = self.team_of_run[self.member_run[alone]]
        return owner

    def shared(self) -> Integers:
        """Count the pooled documents that each team (row) has together with each team (column)."""
        entry, team = self._brought()
        counts = np.zeros((len(self.teams), len(self.teams)), dtype=np.int64)
        for start in range(0, len(self), ENTRIES_AT_ONCE):
            first, last = np.searchsorted(entry, (start, start + ENTRIES_AT_ONCE))
            has = np.zeros((len(self.teams), ENTRIES_AT_ONCE), dtype=np.float32)
            has[team[first:last], entry[first:last] - start] = 1
            counts += (has @ has.T).astype(np.int64)
        return counts

    def overlap(self) -> Reals:
        """Return the share of a team's pooled documents (row) that another team (column) has, too; 0 of nothing."""
        return self.shared() / np.maximum(self.team_sizes, 1)[:, np.newaxis]

    def judged(self, pairs: Collection[tuple[str, str]]) -> Flags:
        """Tell for each pooled document whether it is among judged ones, given as topic and document."""
        rows = zip(self.topic.tolist(), self.document.tolist(), strict=True)
        found = [(self.topics[topic], self.documents[document]) in pairs for topic, document in rows]
        return np.array(found, dtype=bool)

    def only(self, wanted: Flags) -> "PoolColumns":
        """Return the pool with some of its documents: those for which `wanted` is true."""
        place = np.cumsum(wanted) - 1
        members, parts = wanted[self.member_entry], wanted[self.part_entry]
        columns = {name: getattr(self, name)[wanted] for name in ENTRY_COLUMNS}
        columns |= {"member_entry": place[self.member_entry[members]], "member_run": self.member_run[members]}
        columns |= {name: getattr(self, name)[parts] for name in ("part_offset", "part_length", "part_path")}
        return replace(self, **columns, part_entry=place[self.part_entry[parts]])

    def parts(self) -> list[list[str | list[int]]]:
        """Return for each pooled document its parts: spans as [offset, length], then element paths."""
        found: list[list[str | list[int]]] = [[] for _ in range(len(self))]
        columns = (self.part_entry, self.part_offset, self.part_length, self.part_path)
        for entry, offset, length, path in zip(*(column.tolist() for column in columns), strict=True):
            found[entry].append(self.paths[path] if path >= 0 else [offset, length])
        return found

    def _brought(self) -> tuple[Integers, Integers]:
        """Return which team brought which document, each pair once, ordered by document."""
        pairs = np.unique(self.member_entry * max(len(self.teams), 1) + self.team_of_run[self.member_run])
        return np.divmod(pairs, max(len(self.teams), 1))


def top_results(columns: RunColumns, depth: int) -> tuple[Integers, Integers]:
    """Return the places of a run's first results of each topic, and the rank of each in its topic.

    >>> from tests.limelight.builders import run_columns
    >>> run = run_columns({"1": [("a", 0, 5), ("b", 0, 5), ("a", 9, 5)], "2": [("c", 0, 5)]})
    >>> [numbers.tolist() for numbers in top_results(run, 2)]
    [[0, 1, 3], [1, 2, 1]]
    """
    topic = np.asarray(columns.topic)
    starts = np.flatnonzero(np.concatenate(([True], topic[1:] != topic[:-1]))) if len(topic) else np.zeros(0, int)
    sizes = np.diff(np.concatenate((starts, [len(topic)])))
    rank = np.arange(len(topic)) - np.repeat(starts, sizes) + 1
    places = np.flatnonzero(rank <= depth)
    return places, rank[places]


def pool_runs(
    contributors: Iterable[tuple[Hashable, RunColumns]], depth: int, topics: Sequence[str], *, with_parts: bool = True
) -> PoolColumns:
    """Pool runs, given as (team, columns) one after the other; results for other topics than these are left out."""
    topic_numbers = {name: number for number, name in enumerate(topics)}
    documents: dict[str, int] = {}
    paths: dict[str, int] = {}
    teams: dict[Hashable, int] = {}
    teams_met, members, parts = [], [], []
    for number, (team, columns) in enumerate(contributors):
        teams_met.append(teams.setdefault(team, len(teams)))
        places, ranks = top_results(columns, depth)
        known = np.array([topic_numbers.get(name, -1) for name in columns.topics], dtype=np.int64)
        topic = known[columns.topic[places]] if len(known) else known
        places, ranks, topic = places[topic >= 0], ranks[topic >= 0], topic[topic >= 0]
        keys = (topic << DOCUMENT_BITS) | _numbered(columns.documents, columns.document[places], documents)
        distinct, first = np.unique(keys, return_index=True)  # the first of a document has its best rank
        members.append((distinct, ranks[first], np.full(len(distinct), number)))
        if with_parts and columns.result_type != "document":
            parts.append(_parts(columns, places, keys, paths))
    key, rank, run = _joined(members, 3)
    order = np.lexsort((run, key))
    key, rank, run = key[order], rank[order], run[order]
    team_of_run = np.array(teams_met, dtype=np.int64)
    distinct, starts, entry = np.unique(key, return_index=True, return_inverse=True)
    best = np.minimum.reduceat(rank, starts) if len(starts) else rank
    run_count = np.bincount(entry, minlength=len(distinct))
    pairs = np.unique(entry * max(len(teams), 1) + team_of_run[run])
    team_count = np.bincount(pairs // max(len(teams), 1), minlength=len(distinct))
    topic, document = distinct >> DOCUMENT_BITS, distinct & ((1 << DOCUMENT_BITS) - 1)
    order = np.lexsort((_places_by_name(documents)[document], -run_count, best, topic))
    position = np.empty(len(order), dtype=np.int64)
    position[order] = np.arange(len(order))
    part_entry, part_offset, part_length, part_path = _ordered_parts(parts, distinct, position, paths)
    entry = position[entry]
    by_entry = np.lexsort((run, entry))
    return PoolColumns(
        depth=depth,
        topics=tuple(topics),
        documents=tuple(documents),
        teams=tuple(teams),
        team_of_run=team_of_run,
        topic=topic[order],
        document=document[order],
        best_rank=best[order],
        run_count=run_count[order],
        team_count=team_count[order],
        member_entry=entry[by_entry],
        member_run=run[by_entry],
        part_entry=part_entry,
        part_offset=part_offset,
        part_length=part_length,
        part_path=part_path,
        paths=tuple(paths),
    )


def _numbered(names: Sequence[str], used: Integers, known: dict[str, int]) -> Integers:
    """Return the numbers of those names that are used, giving new ones to those not known yet."""
    distinct, inverse = np.unique(used, return_inverse=True)
    numbers = [known.setdefault(name, len(known)) for name in read_names(names, distinct)]
    return np.array(numbers, dtype=np.int64)[inverse]


def _parts(
    columns: RunColumns, places: Integers, key: Integers, paths: dict[str, int]
) -> tuple[Integers, Integers, Integers, Integers]:
    """Return the document, offset, length and path of results that are a part of a document, each once."""
    path = np.asarray(columns.path[places], dtype=np.int64)
    offset = np.asarray(columns.offset[places], dtype=np.int64)
    length = np.asarray(columns.length[places], dtype=np.int64)
    placed = np.flatnonzero((path >= 0) | (offset != UNMAPPED))
    key, path, offset, length = key[placed], path[placed].copy(), offset[placed].copy(), length[placed].copy()
    named = path >= 0
    path[named] = _numbered(columns.paths, path[named], paths)
    offset[named], length[named] = UNMAPPED, 0
    return key, offset, length, path


def _ordered_parts(
    parts: Sequence[tuple[Integers, Integers, Integers, Integers]],
    distinct: Integers,
    position: Integers,
    paths: dict[str, int],
) -> Integers:
    """Return the parts of all runs, each once, by document; spans in the order of the text, then paths by name."""
    key, offset, length, path = _joined(parts, 4)
    entry = position[np.searchsorted(distinct, key)] if len(key) else key
    by_name = np.append(_places_by_name(paths), -1)[path]  # a path of -1 finds the last one
    order = np.lexsort((by_name, length, offset, by_name >= 0, entry))
    rows = np.column_stack((entry, offset, length, path))[order]
    new = np.concatenate(([True], (rows[1:] != rows[:-1]).any(axis=1))) if len(rows) else np.zeros(0, bool)
    return rows[new].T


def _places_by_name(names: Iterable[str]) -> Integers:
    """Return where each name stands when all are sorted."""
    listed = list(names)
    places = np.empty(len(listed), dtype=np.int64)
    places[sorted(range(len(listed)), key=listed.__getitem__)] = np.arange(len(listed))
    return places


def _joined(columns: Sequence[tuple[Integers, ...]], count: int) -> list[Integers]:
    """Join arrays end to end, column by column; so many empty ones where there are none."""
    if not columns:
        return [np.zeros(0, dtype=np.int64)] * count
    return [np.concatenate(column) for column in zip(*columns, strict=True)]
