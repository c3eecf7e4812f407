"""Scoring without a worker: the demos are loaded before one is there."""

from evaluation.models import Evaluation
from evaluation.services.scoring import evaluate


def score_now(**wanted):
    """Score here and now what waits for a worker: the evaluations of a run, or of editions."""
    for key in list(Evaluation.objects.claimable().filter(**wanted).order_by("pk").values_list("pk", flat=True)):
        evaluate(key)
