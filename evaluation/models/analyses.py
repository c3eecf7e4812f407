"""What is computed over the runs of a board together, and kept."""

from django.db import models
from django.db.models import Case, F, Q, When

from campaign.machinery.leases import Leased, LeasedQuerySet
from evaluation.fields import FloatArrayField
from evaluation.models.editions import Edition


class AnalysisQuerySet(LeasedQuerySet):
    """Analyses as workers and pages ask for them."""

    def in_line(self):
        """Return the rows that a worker may take, of live boards first, and what ranks them before anything else."""
        later = Case(When(edition__state=Edition.State.LIVE, then=0), default=1)
        exploratory = Case(When(measure=F("edition__official_measure"), then=0), default=1)
        further = Case(When(test=Analysis.RANGES, then=0), default=1)
        return self.claimable().order_by(later, further, exploratory, "state_since", "pk")

    def urgent(self):
        """Return none: a page says that its ranges are being computed, and nobody's run waits for them."""
        return self.none()


class Analysis(Leased):
    """What all runs of a family together say about a measure: which of them can be told apart.

    Kept are the runs by their codes, their means, the draws of chance and the p-value of each pair; a level, ranges and
    words are derived when it is read. It says nothing about a board that has other runs or other means by then.
    """

    class State(models.TextChoices):
        QUEUED = "queued", "queued"
        RUNNING = "running", "being computed"
        DONE = "done", "computed"
        FAILED = "failed", "failed on our side"

    class Family(models.TextChoices):
        ALL = "all", "all runs"
        CLEAN = "clean", "runs submitted before scores could be seen"
        OFFICIAL = "official", "official runs"

    WAITING, WORKING, FAILED = State.QUEUED, State.RUNNING, State.FAILED
    worker_task, work_name = "evaluation.tasks.analyse", "analysis"
    RANGES, ARRAYS = "tukey", ("draws", "p_values", "result")  # the test behind ranges; what is large

    edition = models.ForeignKey(Edition, on_delete=models.CASCADE, related_name="analyses")
    family = models.CharField(max_length=10, choices=Family)
    measure = models.CharField(max_length=40)
    other_measure = models.CharField(max_length=40, blank=True, default="", help_text="Held against the first.")
    test = models.CharField(max_length=24)
    state = models.CharField(max_length=10, choices=State, default=State.QUEUED)
    generation = models.PositiveBigIntegerField(default=0, help_text="The task's generation that it was computed at.")
    codes = models.JSONField(default=list, help_text="The runs, in the order of the means.")
    means = FloatArrayField(null=True)
    draws = FloatArrayField(null=True, help_text="Largest differences that chance alone made, sorted.")
    p_values = FloatArrayField(null=True, help_text="Of each pair: the first run with all after it, the second …")
    result = models.JSONField(default=dict, blank=True, help_text="What else was found, by name.")
    seconds = models.FloatField("seconds of computing", null=True)

    objects = AnalysisQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "analyses"
        indexes = [models.Index(fields=["state", "held_until"], name="analyses_to_do")]
        constraints = [
            models.UniqueConstraint(
                fields=["edition", "family", "measure", "other_measure", "test"],
                name="one_analysis_of_a_kind_per_edition",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["queued", "running", "done", "failed"]), name="analysis_state_is_known"
            ),
        ]

    def __str__(self):
        return f"{self.test} of {self.measure} over {self.get_family_display()} in {self.edition}"
