"""Editions of a task's board: one way each to score and rank its runs."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse

from assessments.models import AssessmentSet
from campaign.models import Collection, Task


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
