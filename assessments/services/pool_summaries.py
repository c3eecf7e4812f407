"""What can be said about a pool: its sizes, the overlap between teams, and what only one run or team brought."""

from dataclasses import dataclass

import numpy as np

from assessments.models import AssessmentSet
from assessments.services.judged import judged_pairs
from assessments.services.pools import pool_columns, topics_of
from campaign.machinery.cached import remembered
from campaign.services.runs.rules import rules_of

VERSION = 2


@dataclass(frozen=True, slots=True)
class TopicSize:
    """How many documents a topic's pool has, and how many are judged; `share` of the largest one, in percent."""

    number: str
    title: str
    size: int
    share: float
    judged: int = 0

    @property
    def to_judge(self):
        """Count the documents that remain to be judged."""
        return self.size - self.judged


@dataclass(frozen=True, slots=True)
class Contribution:
    """What a run or a team brought into a pool, and what of it nobody else did."""

    contributor: object
    size: int
    unique: int
    share: float


@dataclass(frozen=True, slots=True)
class PoolSummary:
    """A pool in numbers; `overlap` has a row a team, with the shares of its documents that each team has, too.

    What is judged is counted under `version`; there is none where nothing was ever judged.
    """

    version: AssessmentSet | None
    depth: int
    size: int
    topics: list
    runs: list
    teams: list
    overlap: list

    @property
    def answered(self):
        """Count the topics that have a pool."""
        return sum(1 for topic in self.topics if topic.size)

    @property
    def judged(self):
        """Count the documents that the version has judged."""
        return sum(topic.judged for topic in self.topics)

    @property
    def to_judge(self):
        """Count the documents that remain to be judged."""
        return self.size - self.judged

    @property
    def judged_share(self):
        """Return the judged part in percent."""
        return percent(self.judged, self.size)

    @property
    def smallest(self):
        """Return the size of the smallest topic's pool."""
        return min((topic.size for topic in self.topics), default=0)

    @property
    def largest(self):
        """Return the size of the largest topic's pool."""
        return max((topic.size for topic in self.topics), default=0)

    @property
    def mean(self):
        """Return how many documents a topic has to judge on average."""
        return self.size / len(self.topics) if self.topics else 0.0


def _origin(run):
    """Return what a run brings into a pool depends on: its file, and what ranks its results."""
    return run.pk, run.team_id, run.columns_file, rules_of(run.task).by_score


def summarise(track, runs, depth, *, version=None, without=None):
    """Say what a pool of these runs holds and what of it a version has judged; computed once, as neither changes.

    What `without` has judged, another version or the same, is left out.
    """
    contributed = [_origin(run) for run in runs]
    origin = [VERSION, depth, topics_of(track), contributed, _key(version), _key(without)]
    counts = remembered("pool-summary", origin, lambda: _counts(track, runs, depth, version, without))
    titles = dict(track.topics.values_list("number", "title"))
    teams = {run.team_id: run.team for run in runs}
    brought = [
        Contribution(teams[team], size, unique, percent(unique, size))
        for team, size, unique in zip(counts["teams"], counts["team_sizes"], counts["team_unique"], strict=True)
    ]
    largest = max((size for _, size in counts["topics"]), default=0)
    return PoolSummary(
        version=version,
        depth=depth,
        size=counts["size"],
        topics=[
            TopicSize(number, titles.get(number, ""), size, percent(size, largest), judged)
            for (number, size), judged in zip(counts["topics"], counts["judged"], strict=True)
        ],
        runs=[
            Contribution(run, size, unique, percent(unique, size))
            for run, size, unique in zip(runs, counts["run_sizes"], counts["run_unique"], strict=True)
        ],
        teams=brought,
        overlap=[
            (line, [None if place == own else share for place, share in enumerate(row)])
            for own, (line, row) in enumerate(zip(brought, counts["overlap"], strict=True))
        ],
    )


def percent(part, whole):
    """Return a part of a whole in percent, for the length of a bar; 0 of nothing.

    >>> percent(1, 8), percent(0, 0)
    (12.5, 0.0)
    """
    return round(100 * part / whole, 1) if whole else 0.0


def _key(version):
    """Name a version's judgements: by their file, or where they are only rows by the version itself."""
    return (version.columns_file or version.pk) if version else None


def _counts(track, runs, depth, version, without):
    pooled = pool_columns(track, runs, depth, without=without)
    judged = pooled.judged(judged_pairs(version)) if version else np.zeros(len(pooled), dtype=bool)
    return {
        "size": len(pooled),
        "judged": np.bincount(pooled.topic[judged], minlength=len(pooled.topics)).tolist(),
        "topics": list(zip(pooled.topics, pooled.sizes.tolist(), strict=True)),
        "run_sizes": pooled.run_sizes.tolist(),
        "run_unique": pooled.unique_of_runs.tolist(),
        "teams": list(pooled.teams),
        "team_sizes": pooled.team_sizes.tolist(),
        "team_unique": pooled.unique_of_teams.tolist(),
        "overlap": (100 * pooled.overlap()).round(1).tolist(),
    }
