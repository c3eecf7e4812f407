"""Analyses: what needs all runs of a board, computed by a worker, kept, and computed again when they change."""

import time
from datetime import timedelta

import numpy as np
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone

from campaign.machinery.queues import Queue
from campaign.models import Run
from campaign.services.generations import raise_generation
from evaluation.models import Analysis, Edition, Evaluation, Score
from evaluation.services.analysis_results import AGAINST, REDRAWN, RESULTS, STEADINESS
from evaluation.services.columns import measures_of
from evaluation.services.families import after_seeing_scores, families_of
from limelight.analysis.statistics.pairwise import TESTS
from limelight.analysis.statistics.telling_apart import pair_p, residual_draws, why_not_told

TUKEY = Analysis.RANGES
"""The test behind ranges and leading groups."""

TAILS = {"bootstrap": {"tails": 2}}

WAIT_FOR_SCORING = timedelta(seconds=30)
"""So long the analyses of a board wait for runs that are still being scored."""

LOOKED_AFTER_AT_ONCE = 20


def analyse(analysis_id=None):
    """Compute one analysis, without a key the first in line; returns it, or None where there is none."""
    return ANALYSING.work(analysis_id)


def refresh_analyses():
    """Queue what is missing or no longer fits, for boards that changed and are not in the middle of scoring."""
    long_ago = timezone.now() - WAIT_FOR_SCORING
    scoring = Evaluation.objects.unfinished().filter(edition=OuterRef("pk"))
    changed = Edition.objects.readable().filter(analysed_generation__lt=F("task__generation"))
    due = changed.filter(Q(analysed_at__lte=long_ago) | ~Exists(scoring))
    for edition in due.select_related("task").order_by("state", "pk")[:LOOKED_AFTER_AT_ONCE]:
        look_after(edition)


def look_after(edition):
    """Queue the analyses of one board that are missing or no longer fit, and take away those that nobody needs.

    No worker is woken for each of them: the sweep, which looks after boards, wakes a few for all that waits.
    """
    generation = edition.task.generation
    runs = runs_on_board(edition)
    families = families_of(runs, after_seeing_scores(edition.task, runs))
    present = {(row.family, *kind_of(row)): row for row in _without_arrays(edition.analyses)}
    wanted = _wanted(edition, families) | present.keys()
    for family, measure, test, other in sorted(wanted):
        members = families.get(family)
        row = present.get((family, measure, test, other))
        if members is None:
            edition.analyses.filter(pk=row.pk).delete()
        elif row is None:
            kind = {"measure": measure, "test": test, "other_measure": other}
            Analysis.objects.create(edition=edition, family=family, **kind)
        elif row.state == Analysis.State.DONE and not fits(row, _means(edition, measure, members)):
            edition.analyses.filter(pk=row.pk, state=Analysis.State.DONE).requeue(wakes=0)
    Edition.objects.filter(pk=edition.pk).update(analysed_generation=generation, analysed_at=timezone.now())


def runs_on_board(edition):
    """Return the runs that a board shows, by their codes."""
    on_board = edition.evaluations.on_board().values("run")
    return list(Run.objects.filter(pk__in=on_board).order_by("code"))


def fits(row, means):
    """Return whether an analysis is about just these runs with just these means, given by code."""
    return row.codes == list(means) and np.array_equal(row.means, list(means.values()))


def kind_of(row):
    """Return of which kind an analysis is: measure, test, and the other measure where there is one."""
    return row.measure, row.test, row.other_measure


def kinds_on_every_board(edition):
    """Return the kinds that every board has of all its runs.

    These are ranges by each of its columns, and by the official one what else the comparisons page tells.
    """
    official, *others = [measure.name for measure in measures_of(edition)]
    kinds = {(measure, TUKEY, "") for measure in (official, *others)}
    kinds |= {(official, REDRAWN, ""), (official, STEADINESS, "")}
    return kinds | ({(official, AGAINST, others[0])} if others else set())


def kinds_kept(edition, family):
    """Return the kinds that a board has by itself of a family: in others than that of all runs, its official ranges."""
    if family == Analysis.Family.ALL:
        return kinds_on_every_board(edition)
    return {(edition.official_measure, TUKEY, "")}


def _wanted(edition, families):
    return {(family.value, *kind) for family in families for kind in kinds_kept(edition, family)}


def _without_arrays(analyses):
    return analyses.defer(*Analysis.ARRAYS)


def _means(edition, measure, members):
    rows = Score.objects.filter(evaluation__edition=edition, measure=measure, evaluation__run__in=members)
    rows = rows.filter(evaluation__in=edition.evaluations.on_board())
    return dict(rows.order_by("evaluation__run__code").values_list("evaluation__run__code", "mean"))


def _compute(row):
    """Compute an analysis over the runs that are on the board now, and keep it unless somebody else has the row."""
    started = time.perf_counter()
    edition = Edition.objects.select_related("task").get(pk=row.edition_id)
    runs = runs_on_board(edition)
    members = families_of(runs, after_seeing_scores(edition.task, runs)).get(row.family, [])
    codes, means, scores = _scores(edition, row.measure, members)
    found = _found(row, edition, members, scores)
    with transaction.atomic():
        raise_generation(edition.task)
        edition.task.refresh_from_db(fields=["generation"])
        Analysis.objects.finish(
            row,
            Analysis.State.DONE,
            generation=edition.task.generation,
            codes=codes,
            means=means,
            **found,
            seconds=time.perf_counter() - started,
        )


def _found(row, edition, members, scores):
    """Return what an analysis keeps, by column; of too few runs or topics nothing."""
    found = {"draws": np.empty(0), "p_values": np.empty(0), "result": {}}
    if why_not_told(*scores.shape):
        return found
    if row.test in RESULTS:
        other = _scores(edition, row.other_measure, members)[2] if row.other_measure else None
        return found | {"result": RESULTS[row.test](scores, other)}
    draws, p_values = tested(row.test, scores)
    return found | {"draws": draws, "p_values": p_values}


def tested(test, scores):
    """Return the draws of a test, where it makes them, and the p-value of each pair in the order of the runs."""
    pairs = np.triu_indices(len(scores), 1)
    if test == TUKEY:
        draws = residual_draws(scores)
        return draws, pair_p(draws, scores.mean(axis=1))[pairs]
    # Two-tailed all: a test in the direction that was seen already would double the error.
    matrix = TESTS[test](scores, order=range(len(scores)), **TAILS.get(test, {}))
    return np.empty(0), np.fmax(matrix.p, matrix.p.T)[pairs]


def _scores(edition, measure, members):
    """Return codes, means and values a topic of a family's runs by one measure, in the order of the codes."""
    rows = Score.objects.filter(evaluation__in=edition.evaluations.on_board(), measure=measure)
    rows = rows.filter(evaluation__run__in=members).order_by("evaluation__run__code")
    found = list(rows.values_list("evaluation__run__code", "mean", "topic_values"))
    values = np.array([values for _, _, values in found]).reshape(len(found), len(edition.topic_numbers))
    return [code for code, _, _ in found], [mean for _, mean, _ in found], values


def _give_up(row):
    """Leave a failed analysis as it is: the board says so, and a change of its runs queues it anew."""


ANALYSING = Queue(Analysis, _compute, at_the_end=_give_up)
