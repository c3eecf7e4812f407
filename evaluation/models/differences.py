"""What the difference between two runs of a board is made of, computed when somebody asks and kept."""

from django.db import models
from django.db.models import F, Q

from campaign.machinery.leases import Leased, LeasedQuerySet
from evaluation.fields import FloatArrayField
from evaluation.models.editions import Edition
from evaluation.models.evaluations import Evaluation


class DifferenceQuerySet(LeasedQuerySet):
    """Differences as workers and pages ask for them."""

    def urgent(self):
        """Return none: a page says that it is being computed, and nobody's run waits for it."""
        return self.none()

    def between(self, one, other):
        """Return the row of two evaluations, whichever comes first."""
        first, second = sorted((one, other), key=lambda evaluation: evaluation.pk)
        return self.filter(one=first, other=second)


class Difference(Leased):
    """What one scored run minus another is made of, topic by topic, and where the two find different text.

    It is about two evaluations, which are made once and never overwritten: what is computed stays true. `one` is the
    evaluation with the lower key. Kept are the scores of the hybrids, where the kind of task has such, and counts;
    parts, intervals and words are derived when it is read.
    """

    class State(models.TextChoices):
        QUEUED = "queued", "queued"
        RUNNING = "running", "being computed"
        DONE = "done", "computed"
        FAILED = "failed", "failed on our side"

    WAITING, WORKING, FAILED = State.QUEUED, State.RUNNING, State.FAILED
    worker_task, work_name = "evaluation.tasks.differ", "difference"
    ARRAYS = ("scores", "text_scores", "result")

    edition = models.ForeignKey(Edition, on_delete=models.CASCADE, related_name="differences")
    one = models.ForeignKey(Evaluation, on_delete=models.CASCADE, related_name="+")
    other = models.ForeignKey(Evaluation, on_delete=models.CASCADE, related_name="+")
    state = models.CharField(max_length=10, choices=State, default=State.QUEUED)
    engine_version = models.CharField(max_length=20, blank=True, default="", help_text="By which it was computed.")
    scores = FloatArrayField(null=True, help_text="Of the hybrids: documents, order and text by topic.")
    text_scores = FloatArrayField(null=True, help_text="The same with text in two, caught and wasted.")
    result = models.JSONField(default=dict, blank=True, help_text="Counts of documents, and where text differs.")
    seconds = models.FloatField("seconds of computing", null=True)

    objects = DifferenceQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["state", "held_until"], name="differences_to_do")]
        constraints = [
            models.UniqueConstraint(fields=["one", "other"], name="one_difference_per_pair"),
            models.CheckConstraint(condition=Q(one__lt=F("other")), name="a_difference_has_its_runs_in_order"),
            models.CheckConstraint(
                condition=Q(state__in=["queued", "running", "done", "failed"]), name="difference_state_is_known"
            ),
        ]

    def __str__(self):
        return f"difference of evaluations {self.one_id} and {self.other_id} in {self.edition}"
