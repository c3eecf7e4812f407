"""Tasks: what kind of answer is asked for, under which rules, by when, and who sees the outcome."""

from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from campaign.models.people import Team
from campaign.models.tracks import Track
from limelight.kinds import KINDS, kind_of
from limelight.scoring.evaluators import ranked_by

TaskKind = models.TextChoices(
    "TaskKind", {kind.name.replace("-", "_").upper(): (kind.name, kind.label) for kind in KINDS}, module=__name__
)
"""The kinds of answer that can be asked for, as rows and forms know them."""


class Visible(models.TextChoices):
    """When something of a task becomes visible."""

    AT_ONCE = "at-once", "at once"
    AT_DEADLINE = "at-deadline", "at the deadline"
    AT_PUBLICATION = "at-publication", "at publication"
    NEVER = "never", "never"


SWITCHES = ("own_scores_visible", "other_scores_visible", "names_visible", "runs_visible", "assessments_visible")
"""What of a task becomes visible, each thing at a time of its own."""


class TaskQuerySet(models.QuerySet):
    """Tasks as the pages ask for them."""

    def open_at(self, moment):
        """Return the tasks that take runs at a moment."""
        return self.filter(opens_at__lte=moment, closes_at__gt=moment)

    def for_board(self):
        """Fetch along what a board's heading names."""
        return self.select_related("track__campaign", "track__collection")


class Task(models.Model):
    """One kind of answer to a track's topics, with a deadline and a board of its own."""

    track = models.ForeignKey(Track, on_delete=models.CASCADE, related_name="tasks")
    slug = models.SlugField(max_length=64)
    name = models.CharField(max_length=200)
    kind = models.CharField(max_length=24, choices=TaskKind)
    description = models.TextField(blank=True)
    position = models.PositiveSmallIntegerField(default=0)

    result_limit = models.PositiveIntegerField(
        "results a topic", default=1500, validators=[MinValueValidator(1)], help_text="INEX allows 1,500."
    )
    topic_budget = models.PositiveIntegerField(
        "characters a topic", null=True, blank=True, help_text="Restricted Focused 2010: 1,000. Empty: no budget."
    )
    article_budget = models.PositiveIntegerField(
        "characters an article",
        null=True,
        blank=True,
        help_text="Restricted Relevant in Context 2010: 500. Empty: no budget.",
    )
    profile = models.CharField(max_length=20, default="inex-2007")
    parameters = models.JSONField(default=dict, blank=True, help_text="Measure parameters on top of the profile.")
    official_measure = models.CharField(
        "ranked by",
        max_length=40,
        blank=True,
        default="",
        help_text="The measure that ranks the board. Empty: that of the kind. Restricted Focused 2010: charP.",
    )

    opens_at = models.DateTimeField()
    closes_at = models.DateTimeField()
    published_at = models.DateTimeField(null=True, blank=True)
    quota = models.PositiveSmallIntegerField(
        "runs a team", null=True, blank=True, help_text="Scored runs and runs in flight count. Empty: no limit."
    )
    own_scores_visible = models.CharField(max_length=16, choices=Visible, default=Visible.AT_ONCE)
    other_scores_visible = models.CharField(max_length=16, choices=Visible, default=Visible.AT_PUBLICATION)
    names_visible = models.CharField(
        max_length=16, choices=Visible, default=Visible.AT_ONCE, help_text="Until then the board is anonymous."
    )
    runs_visible = models.CharField(
        max_length=16,
        choices=Visible,
        default=Visible.AT_PUBLICATION,
        help_text="What runs returned: ranked lists, passages and files. Only of runs whose scores can be seen.",
    )
    assessments_visible = models.CharField(max_length=16, choices=Visible, default=Visible.AT_PUBLICATION)
    assessments_while_open = models.BooleanField(
        default=False,
        help_text="Published with its assessments, although somebody could still submit: chosen by itself.",
    )
    generation = models.PositiveBigIntegerField(
        default=1, editable=False, help_text="Raised with everything that changes what a board can show."
    )

    objects = TaskQuerySet.as_manager()

    class Meta:
        ordering = ["track", "position", "name"]
        constraints = [
            models.UniqueConstraint(fields=["track", "slug"], name="one_task_per_slug_and_track"),
            models.CheckConstraint(condition=Q(kind__in=TaskKind.values), name="task_kind_is_known"),
            models.CheckConstraint(condition=Q(closes_at__gt=models.F("opens_at")), name="task_closes_after_it_opens"),
            models.CheckConstraint(condition=Q(result_limit__gte=1), name="task_allows_a_result"),
            *(
                models.CheckConstraint(condition=Q(**{f"{switch}__in": Visible.values}), name=f"{switch}_is_known")
                for switch in SWITCHES
            ),
        ]

    def __str__(self):
        return f"{self.track} › {self.name}"

    @property
    def address(self):
        """Return the three slugs that every page of this task has in its address."""
        return [self.track.campaign.slug, self.track.slug, self.slug]

    def get_absolute_url(self):
        return reverse("board", args=self.address)

    @property
    def traits(self):
        """Return what the kind of this task asks of every run."""
        return kind_of(self.kind)

    @property
    def ranked_by(self):
        """Return the measure that ranks this task's boards: its official one, or its kind's own."""
        return ranked_by(self.kind, self.official_measure)

    def is_open(self, moment=None):
        """Return whether the task takes runs."""
        return self.opens_at <= (moment or timezone.now()) < self.closes_at

    def has_closed(self, moment=None):
        """Return whether the deadline has passed."""
        return self.closes_at <= (moment or timezone.now())

    def is_published(self, moment=None):
        """Return whether the results have been published."""
        return self.published_at is not None and self.published_at <= (moment or timezone.now())

    def reveals(self, switch, moment=None):
        """Return whether what a visibility switch guards is visible at a moment."""
        return {
            Visible.AT_ONCE: True,
            Visible.AT_DEADLINE: self.has_closed(moment),
            Visible.AT_PUBLICATION: self.is_published(moment),
            Visible.NEVER: False,
        }[switch]


class Pseudonym(models.Model):
    """The random name a team bears on the anonymous board of one task."""

    task = models.ForeignKey(Task, on_delete=models.CASCADE, related_name="pseudonyms")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="pseudonyms")
    name = models.CharField(max_length=40)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["task", "team"], name="one_pseudonym_per_team_and_task"),
            models.UniqueConstraint(fields=["task", "name"], name="pseudonyms_of_a_task_differ"),
        ]

    def __str__(self):
        return self.name
