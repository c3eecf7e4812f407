"""Evaluations of runs in editions, their scores and curves, and what is made up of them later."""

from django.db import models
from django.db.models import Case, Q, When

from campaign.machinery.leases import Leased, LeasedQuerySet
from campaign.models import Run
from evaluation.fields import FloatArrayField
from evaluation.models.editions import Edition


class EvaluationQuerySet(LeasedQuerySet):
    """Evaluations as the pages ask for them."""

    def wanted(self):
        """Return the evaluations that somebody still wants: nobody does in an abandoned edition."""
        return self.filter(edition__in=Edition.objects.exclude(state=Edition.State.ABANDONED))

    def claimable(self):
        """Return the rows that a worker may take: none of an edition that is paused."""
        return super().claimable().filter(edition__in=Edition.objects.filter(is_paused=False))

    def in_line(self):
        """Return the rows that a worker may take, of live boards first: no rebuilding holds up a new run."""
        later = Case(When(edition__state=Edition.State.LIVE, then=0), default=1)
        return self.claimable().order_by(later, "state_since", "pk")

    def in_queue_of(self, campaign):
        """Return the evaluations of a campaign, with what names their runs."""
        rows = self.filter(run__task__track__campaign=campaign)
        return rows.select_related("run__team", "run__task__track__campaign", "edition")

    def urgent(self):
        """Return the evaluations for live boards: what builds a new edition may take its time."""
        return self.filter(edition__state=Edition.State.LIVE)

    def on_board(self):
        """Return the evaluations that a board shows: done, of runs that stand and were not rejected since."""
        standing = self.filter(state=Evaluation.State.DONE, run__withdrawn_at=None)
        return standing.exclude(run__state=Run.State.REJECTED)

    def with_scores(self):
        """Fetch along the run, its team and all scores, for a board."""
        return self.select_related("run__team").prefetch_related("scores")


class Evaluation(Leased):
    """One run scored in one edition: made once, never overwritten."""

    class State(models.TextChoices):
        QUEUED = "queued", "queued"
        RUNNING = "running", "evaluating"
        DONE = "done", "scored"
        FAILED = "failed", "failed on our side"

    WAITING, WORKING, FAILED = State.QUEUED, State.RUNNING, State.FAILED
    worker_task, work_name = "evaluation.tasks.evaluate", "scoring"

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="evaluations")
    edition = models.ForeignKey(Edition, on_delete=models.CASCADE, related_name="evaluations")
    state = models.CharField(max_length=10, choices=State, default=State.QUEUED)
    run_sha256 = models.CharField("SHA-256 of the run", max_length=64)
    engine_version = models.CharField(max_length=20, blank=True, default="", help_text="By which it was scored.")
    created_at = models.DateTimeField(auto_now_add=True)
    seconds = models.FloatField("seconds of computing", null=True)
    zero_reason = models.CharField("why every score is 0", max_length=20, blank=True, default="")
    findings_file = models.CharField(max_length=200, blank=True, default="", help_text="What was found, by topic.")
    judged = models.FloatField("share judged", null=True, help_text="Of what the run puts first, over its topics.")

    objects = EvaluationQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["state", "held_until"], name="evaluations_to_do")]
        constraints = [
            models.UniqueConstraint(fields=["run", "edition"], name="one_evaluation_per_run_and_edition"),
            models.CheckConstraint(
                condition=Q(state__in=["queued", "running", "done", "failed"]), name="evaluation_state_is_known"
            ),
        ]

    def __str__(self):
        return f"{self.run} in {self.edition}"

    @property
    def worked_on(self):
        """Return the run that this row of work is about."""
        return self.run


class LateFindingsQuerySet(LeasedQuerySet):
    """Findings that are to be made up, as sweep and queue ask for them."""

    def urgent(self):
        """Return none of them: no run waits for its findings."""
        return self.none()

    def in_queue_of(self, campaign):
        """Return those of a campaign's runs, with what names these."""
        run, task = "evaluation__run", "evaluation__run__task__track__campaign"
        return self.filter(**{task: campaign}).select_related(f"{run}__team", task, "evaluation__edition")


class LateFindings(Leased):
    """What scoring found of a run that was scored before this was kept: to be made up, and then gone."""

    class State(models.TextChoices):
        WAITING = "waiting", "waiting"
        WORKING = "working", "being made up"
        FAILED = "failed", "failed on our side"

    WAITING, WORKING, FAILED = State.WAITING, State.WORKING, State.FAILED
    worker_task, work_name = "evaluation.tasks.find", "findings"

    evaluation = models.OneToOneField(Evaluation, on_delete=models.CASCADE, related_name="late_findings")
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)

    objects = LateFindingsQuerySet.as_manager()

    class Meta:
        verbose_name = verbose_name_plural = "late findings"
        indexes = [models.Index(fields=["state", "held_until"], name="late_findings_to_do")]
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "working", "failed"]), name="late_findings_state_is_known"
            )
        ]

    def __str__(self):
        return f"findings of {self.evaluation}"

    worked_on = property(lambda row: row.evaluation.run, doc="The run that this row of work is about.")
    edition = property(lambda row: row.evaluation.edition, doc="The board whose findings are made up.")


class Score(models.Model):
    """One measure of one evaluation: the mean for sorting, and a value a topic in the edition's order."""

    evaluation = models.ForeignKey(Evaluation, on_delete=models.CASCADE, related_name="scores")
    measure = models.CharField(max_length=40)
    mean = models.FloatField()
    topic_values = FloatArrayField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["evaluation", "measure"], name="one_score_per_measure_and_evaluation"),
        ]

    def __str__(self):
        return f"{self.measure} {self.mean:.4f}"


class Curve(models.Model):
    """One curve of one evaluation, averaged over topics: 101 points of iP, or gP at 1 to 50."""

    evaluation = models.ForeignKey(Evaluation, on_delete=models.CASCADE, related_name="curves")
    name = models.CharField(max_length=40)
    values = FloatArrayField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["evaluation", "name"], name="one_curve_per_name_and_evaluation"),
        ]

    def __str__(self):
        return self.name
