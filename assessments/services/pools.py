"""Pools: choosing the runs, making a pool in one step, and taking back one that nobody has begun to judge."""

from dataclasses import dataclass

from django.db import transaction
from django.db.models import Max

from assessments.models import Pool, PooledDocument
from assessments.services.judged import judged_pairs
from campaign.models import Run, Track
from campaign.services.acting import MACHINERY
from campaign.services.refusals import Refused
from campaign.services.runs.check_results import load_ranked
from campaign.services.telling import trail
from limelight.analysis.pooling import pool_runs

DEPTH = 100
"""As INEX 2003 pooled."""

LARGEST_DEPTH = 1_500
BATCH = 1_000

State = PooledDocument.State


@dataclass(frozen=True, slots=True)
class PoolResult:
    """A pool, and whether it is a new one or was there already."""

    pool: Pool
    is_new: bool


def poolable_runs(track, tasks=None):
    """Return the runs of a track (or some of its tasks) that a pool can be made of, official ones first.

    Within the official and the other runs, the order is that of submission.
    """
    runs = Run.objects.valid().exclude(columns_file="").filter(task__track=track).select_related("team", "task")
    if tasks is not None:
        runs = runs.filter(task__in=tasks)
    return list(runs.order_by("-is_official", "pk"))


def choose_runs(runs, runs_per_team=None):
    """Return the runs that a limit a team leaves: each team's first ones, in the order given."""
    taken, chosen = {}, []
    for run in runs:
        taken[run.team_id] = taken.get(run.team_id, 0) + 1
        if runs_per_team is None or taken[run.team_id] <= runs_per_team:
            chosen.append(run)
    return chosen


def topics_of(track):
    """Return the numbers of a track's topics in their order."""
    return list(track.topics.order_by("position", "pk").values_list("number", flat=True))


def pool_columns(track, runs, depth, *, with_parts=False, without=None):
    """Pool the stored columns of runs, one in memory at a time, without what a version has judged if one is given."""
    contributors = ((run.team_id, load_ranked(run)) for run in runs)
    pooled = pool_runs(contributors, depth, topics_of(track), with_parts=with_parts)
    return pooled.only(~pooled.judged(judged_pairs(without))) if without else pooled


def check_choice(track, runs, depth):
    """Refuse what no pool can be made of."""
    if not 1 <= depth <= LARGEST_DEPTH:
        raise Refused(f"A depth is a whole number from 1 to {LARGEST_DEPTH:,}.", "depth")
    if not runs:
        raise Refused("Choose at least one run.", "runs")
    for run in runs:
        if run.task.track_id != track.pk:
            raise Refused(f"The run {run.name} is not of the track {track.name}.", "runs")
        if run.state != Run.State.VALID or run.withdrawn_at or not run.columns_file:
            raise Refused(f"The run {run.name} is not valid, or was withdrawn. Leave it out.", "runs")


def make_pool(track, *, by=MACHINERY, runs, depth, without=None):
    """Make the next pool of a track from the top results of runs; asked for the same twice, return the first one.

    Documents that a version has judged are left out where one is given in `without`.
    """
    check_choice(track, runs, depth)
    pooled = pool_columns(track, runs, depth, with_parts=True, without=without)
    if without and not len(pooled):
        raise Refused(f"v{without.version} has judged every document that these runs bring. Nothing is left to judge.")
    if not len(pooled):
        raise Refused(f"These runs return nothing for the topics of {track.name}, so there is nothing to pool.")
    with transaction.atomic():
        Track.objects.select_for_update().get(pk=track.pk)
        if there := _same_pool(track, runs, depth, without):
            return PoolResult(there, is_new=False)
        newest = track.pools.aggregate(newest=Max("number"))["newest"] or 0
        pool = Pool.objects.create(track=track, number=newest + 1, depth=depth, created_by=by.user, without=without)
        pool.runs.set(runs)
        PooledDocument.objects.bulk_create(_rows(pool, pooled), batch_size=BATCH)
        trail.record(
            track.campaign,
            trail.POOLED,
            f"pool {pool.number} of {track.name}",
            by=by,
            depth=depth,
            runs=[f"{run.team.name}: {run.name}" for run in runs],
            documents=len(pooled),
            **({"without": f"what v{without.version} has judged"} if without else {}),
        )
    return PoolResult(pool, is_new=True)


def _same_pool(track, runs, depth, without):
    wanted = {run.pk for run in runs}
    for pool in track.pools.filter(depth=depth, without=without).prefetch_related("runs"):
        if {run.pk for run in pool.runs.all()} == wanted:
            return pool
    return None


def _rows(pool, pooled):
    topics = dict(pool.track.topics.values_list("number", "pk"))
    keys = [topics.get(number) for number in pooled.topics]
    columns = (pooled.topic, pooled.document, pooled.best_rank, pooled.run_count)
    rows = zip(*(column.tolist() for column in columns), pooled.parts(), strict=True)
    for topic, document, best_rank, run_count, parts in rows:
        if keys[topic] is not None:  # a topic may have been removed since the runs were read
            yield PooledDocument(
                pool=pool,
                topic_id=keys[topic],
                document=pooled.documents[document],
                parts=parts,
                best_rank=best_rank,
                run_count=run_count,
            )


def has_begun(pool):
    """Return whether an assessor has begun to judge a pool."""
    return pool.documents.exclude(state=State.WAITING).exists()


def delete_pool(pool, *, by):
    """Take back a pool that nobody has begun to judge."""
    with transaction.atomic():
        Track.objects.select_for_update().get(pk=pool.track_id)
        if has_begun(pool):
            raise Refused(f"Pool {pool.number} stays: its assessment has begun.")
        documents = pool.documents.count()
        pool.delete()
        trail.record(
            pool.track.campaign,
            trail.DELETED,
            f"pool {pool.number} of {pool.track.name}",
            by=by,
            depth=pool.depth,
            documents=documents,
        )
