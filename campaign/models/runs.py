"""Runs: a team's answers to a task, from the moment the file arrives."""

from django.conf import settings
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q
from django.urls import reverse

from campaign.codes import LENGTH, new_code
from campaign.machinery.leases import Leased, LeasedQuerySet
from campaign.models.people import Team
from campaign.models.rejections import Rejection
from campaign.models.tasks import Task

RUN_NAME = RegexValidator(
    r"\A[A-Za-z0-9][A-Za-z0-9._+-]{0,63}\Z",
    "A run name has 1 to 64 letters, digits and . _ + - , and begins with a letter or digit.",
)


class RunQuerySet(LeasedQuerySet):
    """Runs as the pages ask for them."""

    def standing(self):
        """Return the runs that have not been withdrawn."""
        return self.filter(withdrawn_at=None)

    def wanted(self):
        """Return the runs whose check somebody still wants: nobody does once the team took its run back."""
        return self.standing()

    def in_queue_of(self, campaign):
        """Return the runs of a campaign, as lists name them."""
        return self.filter(task__track__campaign=campaign).for_lists()

    def valid(self):
        """Return the runs that passed the check and stand."""
        return self.standing().filter(state=Run.State.VALID)

    def being_rechecked(self):
        """Return the runs that had passed the check and are in it once more."""
        return self.standing().filter(state__in=Run.IN_FLIGHT).exclude(columns_file="")

    def using_quota(self):
        """Return the runs that take one of a team's places: in flight, or valid even if withdrawn since."""
        in_flight = Q(state__in=Run.IN_FLIGHT, withdrawn_at=None)
        return self.filter(in_flight | Q(state=Run.State.VALID), quota_waived=False)

    def of_teams_of(self, user):
        """Return the runs on a person's own page."""
        return self.filter(team__memberships__user=user) if user.is_authenticated else self.none()

    def for_lists(self):
        """Fetch along what a line of a list names."""
        return self.select_related("team", "task__track__campaign")


class Run(Leased):
    """One submitted file and what became of it; the bytes lie in storage under their SHA-256."""

    class State(models.TextChoices):
        RECEIVED = "received", "received"
        CHECKING = "checking", "checking"
        REJECTED = "rejected", "rejected"
        VALID = "valid", "valid"
        FAILED = "failed", "failed on our side"

    class Query(models.TextChoices):
        AUTOMATIC = "automatic", "automatic"
        MANUAL = "manual", "manual"

    WAITING, WORKING, FAILED = State.RECEIVED, State.CHECKING, State.FAILED
    worker_task, work_name = "campaign.tasks.check_run", "check"
    IN_FLIGHT = (State.RECEIVED, State.CHECKING)

    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="runs")
    team = models.ForeignKey(Team, on_delete=models.PROTECT, related_name="runs")
    code = models.CharField(
        max_length=LENGTH,
        unique=True,
        default=new_code,
        editable=False,
        help_text="Names the run for everybody but its team and the organisers: random, and nothing follows from it.",
    )
    submitted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="submitted_runs"
    )
    name = models.CharField(max_length=64, validators=[RUN_NAME])
    description = models.TextField(blank=True)
    query = models.CharField(max_length=10, choices=Query, blank=True)
    topic_fields = models.JSONField(default=list, blank=True)
    result_type = models.CharField(max_length=16, blank=True)
    is_official = models.BooleanField("the team's official run", default=False)
    replaces = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, blank=True, related_name="replaced_by")
    submission_key = models.CharField(
        max_length=100, blank=True, help_text="The sender's own key: sent again, it names this run."
    )

    file_name = models.CharField("file name as uploaded", max_length=255)
    sha256 = models.CharField("SHA-256", max_length=64)
    size = models.PositiveBigIntegerField("bytes")
    stored_file = models.CharField(max_length=200)
    columns_file = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    rejection_reason = models.TextField(blank=True, help_text="Why an organiser rejected it.")
    rejection = models.ForeignKey(
        Rejection,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="runs",
        help_text="The deed by which an organiser rejected it.",
    )
    rejected_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    quota_waived = models.BooleanField(default=False, help_text="Our fault: this run does not use up quota.")

    state = models.CharField(max_length=10, choices=State, default=State.RECEIVED)
    result_count = models.PositiveIntegerField(null=True)
    answered_topics = models.PositiveIntegerField(null=True)
    error_count = models.PositiveIntegerField(default=0)
    warning_count = models.PositiveIntegerField(default=0)
    problems = models.JSONField(default=list, blank=True, help_text="The first problems of the check, as shown.")
    problem_counts = models.JSONField(default=dict, blank=True, help_text="Problems of the check by rule.")
    report_file = models.CharField(max_length=200, blank=True, help_text="All problems of the check.")

    objects = RunQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-pk"]
        indexes = [
            models.Index(fields=["state", "held_until"], name="runs_to_check"),
            models.Index(fields=["task", "team"], name="runs_of_a_team"),
            models.Index(fields=["sha256"], name="runs_with_the_same_file"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["task", "team", "name"],
                condition=Q(withdrawn_at=None) & ~Q(state="rejected"),
                name="one_standing_run_per_name_team_and_task",
            ),
            models.UniqueConstraint(
                fields=["task", "team"],
                condition=Q(is_official=True, withdrawn_at=None),
                name="one_official_run_per_team_and_task",
            ),
            models.UniqueConstraint(
                fields=["submitted_by", "submission_key"],
                condition=~Q(submission_key=""),
                name="one_run_per_submission_key",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["received", "checking", "rejected", "valid", "failed"]),
                name="run_state_is_known",
            ),
            models.CheckConstraint(condition=Q(query__in=["", "automatic", "manual"]), name="run_query_is_known"),
        ]

    def __str__(self):
        return self.name

    def get_absolute_url(self):
        return reverse("run", args=[self.pk])

    @property
    def worked_on(self):
        """Return the run that this row of work is about: a check is about its own."""
        return self
