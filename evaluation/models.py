"""How good each answer is: editions of a task's board, evaluations of runs, and their scores."""

from django.conf import settings
from django.db import models
from django.db.models import Case, F, Q, When
from django.urls import reverse

from assessments.models import AssessmentSet
from campaign.machinery.leases import Leased, LeasedQuerySet
from campaign.models import Collection, Run, Task
from evaluation.fields import FloatArrayField


class EditionQuerySet(models.QuerySet):
    """Editions as the pages ask for them."""

    def live(self):
        """Return the editions that are their task's board now."""
        return self.filter(state=Edition.State.LIVE)

    def building(self):
        """Return the editions that are being computed."""
        return self.filter(state=Edition.State.BUILDING)

    def scoring(self):
        """Return the editions that a new run must be scored in."""
        return self.filter(state__in=Edition.TAKES_RUNS)

    def readable(self):
        """Return the editions that have been, or are, a board."""
        return self.filter(state__in=[Edition.State.LIVE, Edition.State.SUPERSEDED])

    def shown_to(self, view):
        """Return the editions that somebody with this view may open: organisers also what is being built."""
        return self.exclude(state=Edition.State.ABANDONED) if view.is_organiser else self.readable()

    def for_board(self):
        """Fetch along the task as a board's heading names it, and the assessments with the text they were made on."""
        assessments = ("assessment_set__collection", "assessment_set__track__collection")
        return self.select_related("task__track__campaign", *assessments)

    def live_for(self, task):
        """Return the board of a task as it is now, or None before there is one."""
        return self.live().filter(task=task).for_board().first()


class Edition(models.Model):
    """One way to score and rank a task: assessment set, profile, parameters, official measure and engine: a board."""

    class State(models.TextChoices):
        BUILDING = "building", "being built"
        LIVE = "live", "live"
        SUPERSEDED = "superseded", "superseded"
        ABANDONED = "abandoned", "abandoned"

    TAKES_RUNS = (State.LIVE, State.BUILDING)

    task = models.ForeignKey(Task, on_delete=models.CASCADE, related_name="editions")
    number = models.PositiveIntegerField()
    assessment_set = models.ForeignKey(AssessmentSet, on_delete=models.PROTECT, related_name="editions")
    profile = models.CharField(max_length=20)
    parameters = models.JSONField(default=dict, blank=True)
    official_measure = models.CharField("ranked by", max_length=40, help_text="The measure that ranks the board.")
    engine_version = models.CharField(max_length=20)
    axis = models.CharField(max_length=10, choices=AssessmentSet.Axis)
    collection = models.ForeignKey(Collection, on_delete=models.SET_NULL, null=True, related_name="+")
    topic_numbers = models.JSONField(help_text="The topics that count, in the order of every vector of scores.")
    state = models.CharField(max_length=10, choices=State, default=State.BUILDING)
    is_paused = models.BooleanField(default=False, help_text="No run is scored in it until it goes on.")
    waits_for_look = models.BooleanField(
        default=False, help_text="Built, it goes live when an organiser has looked at it and says so."
    )
    built_at = models.DateTimeField(null=True, editable=False, help_text="When it was first ready to be looked at.")
    started_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    notes = models.TextField(blank=True, help_text="Why it was made.")
    created_at = models.DateTimeField(auto_now_add=True)
    analysed_generation = models.PositiveBigIntegerField(
        default=0, editable=False, help_text="The task's generation when its analyses were last looked after."
    )
    analysed_at = models.DateTimeField(null=True, editable=False)
    live_at = models.DateTimeField(null=True, blank=True)
    superseded_at = models.DateTimeField(null=True, blank=True)

    objects = EditionQuerySet.as_manager()

    class Meta:
        ordering = ["task", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["task", "number"], name="one_edition_per_number_and_task"),
            models.UniqueConstraint(fields=["task"], condition=Q(state="live"), name="one_live_edition_per_task"),
            models.UniqueConstraint(
                fields=["task"], condition=Q(state="building"), name="one_building_edition_per_task"
            ),
            models.CheckConstraint(
                condition=Q(state__in=["building", "live", "superseded", "abandoned"]), name="edition_state_is_known"
            ),
            models.CheckConstraint(condition=~Q(official_measure=""), name="edition_has_an_official_measure"),
        ]

    def __str__(self):
        return f"{self.task}, edition {self.number}"

    def get_absolute_url(self):
        return reverse("edition", args=[*self.task.address, self.number])


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
