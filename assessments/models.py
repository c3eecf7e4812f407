"""Which text is relevant: numbered versions of a track's judgements, and the pools they were made from."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from campaign.models import Collection, Import, Run, Topic, Track


class AssessmentSet(models.Model):
    """One numbered version of a track's judgements; never changed once imported."""

    class Axis(models.TextChoices):
        CHARACTERS = "characters", "raw characters"
        SIZES = "sizes", "sizes with white space merged"

    class Content(models.TextChoices):
        HIGHLIGHTS = "highlights", "highlighted text"
        GRADES = "grades", "grades of documents"
        ELEMENTS = "elements", "grades of elements"

    track = models.ForeignKey(Track, on_delete=models.PROTECT, related_name="assessment_sets")
    version = models.PositiveIntegerField()
    notes = models.TextField(blank=True)
    content = models.CharField(max_length=10, choices=Content, default=Content.HIGHLIGHTS)
    axis = models.CharField(max_length=10, choices=Axis, default=Axis.CHARACTERS)
    collection = models.ForeignKey(
        Collection,
        on_delete=models.SET_NULL,
        null=True,
        related_name="+",
        help_text="The version of the collection that the track had when it was imported.",
    )
    merged_into = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        null=True,
        related_name="+",
        help_text="The version from which it has the topics that its file does not judge.",
    )
    imported_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="imported_assessment_sets"
    )
    imported_at = models.DateTimeField(auto_now_add=True)
    file_name = models.CharField("file name as uploaded", max_length=255)
    sha256 = models.CharField("SHA-256", max_length=64)
    stored_file = models.CharField(max_length=200)
    columns_file = models.CharField(max_length=200, blank=True)
    places_file = models.CharField(
        max_length=200, blank=True, help_text="Where elements lie on the axis of sizes, for runs without a collection."
    )
    warnings = models.JSONField(
        default=list, blank=True, help_text="What the import warned of: rule, message and how often, for each rule."
    )
    was_xml = models.BooleanField(
        default=False, help_text="Its file is XML that tells all of it, points and elements, not only what is scored."
    )
    topic_numbers = models.JSONField(
        default=list, help_text="The topics with relevant text, which count, in the order of the assessments."
    )
    topic_counts = models.JSONField(
        default=dict, help_text="Relevant documents and highlighted characters of each topic, by its number."
    )
    topic_count = models.PositiveIntegerField()
    judgement_count = models.PositiveIntegerField()
    relevant_count = models.PositiveIntegerField("relevant documents")
    highlighted_characters = models.PositiveBigIntegerField()

    class Meta:
        ordering = ["track", "-version"]
        constraints = [
            models.UniqueConstraint(fields=["track", "version"], name="one_assessment_set_per_version_and_track"),
            models.CheckConstraint(condition=Q(version__gte=1), name="assessment_versions_count_from_one"),
            models.CheckConstraint(condition=Q(axis__in=["characters", "sizes"]), name="assessment_axis_is_known"),
            models.CheckConstraint(
                condition=Q(content__in=["highlights", "grades", "elements"]), name="assessment_content_is_known"
            ),
        ]

    def __str__(self):
        return f"{self.track} v{self.version}"

    def counted_for(self, number):
        """Return how many documents are relevant to a topic, and how many of their characters are highlighted."""
        return tuple(self.topic_counts.get(number, (0, 0)))


class AssessmentImport(Import):
    """A file of assessments that is read, shown, and then accepted as the next version or discarded."""

    worker_task = "assessments.tasks.read_import"

    track = models.ForeignKey(Track, on_delete=models.CASCADE, related_name="assessment_imports")
    notes = models.TextField(blank=True)
    makes_topics = models.BooleanField(
        "make topics that are missing", default=False, help_text="By their numbers, where the track has none of them."
    )
    assessment_set = models.OneToOneField(
        AssessmentSet, on_delete=models.SET_NULL, null=True, blank=True, related_name="assessment_import"
    )


class JudgementQuerySet(models.QuerySet):
    """Judgements as the pages ask for them."""

    def relevant(self):
        """Return the judgements with highlighted text, or a grade above 0."""
        return self.filter(Q(highlighted__gt=0) | Q(grade__gt=0))


class Judgement(models.Model):
    """What an assessor said about one document for one topic: highlighted spans and the best entry point."""

    assessment_set = models.ForeignKey(AssessmentSet, on_delete=models.CASCADE, related_name="judgements")
    topic = models.ForeignKey(Topic, on_delete=models.PROTECT, related_name="judgements")
    document = models.CharField(max_length=200)
    document_length = models.PositiveBigIntegerField(null=True)
    highlighted = models.PositiveBigIntegerField("highlighted characters")
    entry_point = models.PositiveBigIntegerField(null=True, blank=True)
    grade = models.SmallIntegerField(null=True, blank=True, help_text="What TREC assessors gave the whole document.")
    spans = models.JSONField(default=list, blank=True, help_text="[[offset, length], …] in document order.")

    objects = JudgementQuerySet.as_manager()

    class Meta:
        ordering = ["topic", "document"]
        constraints = [
            models.UniqueConstraint(
                fields=["assessment_set", "topic", "document"], name="one_judgement_per_topic_and_document"
            ),
        ]

    def __str__(self):
        return f"{self.topic.number} {self.document}"


class GradedJudgement(models.Model):
    """The exhaustivity and specificity of one element, in the manner of INEX 2002 to 2004; null is unassessed."""

    assessment_set = models.ForeignKey(AssessmentSet, on_delete=models.CASCADE, related_name="graded_judgements")
    topic = models.ForeignKey(Topic, on_delete=models.PROTECT, related_name="graded_judgements")
    document = models.CharField(max_length=200)
    path = models.CharField(max_length=1000)
    exhaustivity = models.PositiveSmallIntegerField(null=True)
    specificity = models.PositiveSmallIntegerField(null=True)
    size = models.PositiveBigIntegerField(null=True, blank=True)
    is_inferred = models.BooleanField(default=False)
    is_in_pool = models.BooleanField(default=True)

    class Meta:
        ordering = ["topic", "document", "path"]
        constraints = [
            models.UniqueConstraint(
                fields=["assessment_set", "topic", "document", "path"], name="one_graded_judgement_per_element"
            ),
            models.CheckConstraint(
                condition=Q(exhaustivity=None, specificity=None)
                | Q(exhaustivity=0, specificity=0)
                | Q(exhaustivity__range=(1, 3), specificity__range=(1, 3)),
                name="grades_are_one_of_the_ten_pairs",
            ),
        ]

    def __str__(self):
        return f"{self.topic.number} {self.document}{self.path}"


class Pool(models.Model):
    """What the assessors are asked to read: the top results of chosen runs, per topic."""

    track = models.ForeignKey(Track, on_delete=models.CASCADE, related_name="pools")
    number = models.PositiveIntegerField()
    depth = models.PositiveIntegerField(default=100)
    runs = models.ManyToManyField(Run, related_name="pools", blank=True)
    without = models.ForeignKey(
        AssessmentSet,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text="The version whose judged documents were left out.",
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="created_pools"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["track", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["track", "number"], name="one_pool_per_number_and_track"),
            models.CheckConstraint(condition=Q(depth__gte=1), name="pool_has_a_depth"),
        ]

    def __str__(self):
        return f"{self.track} pool {self.number}"


class PooledDocument(models.Model):
    """One document of a topic's pool with the parts that runs returned, and how far its assessment has come."""

    class State(models.TextChoices):
        WAITING = "waiting", "waiting"
        STARTED = "started", "started"
        JUDGED = "judged", "judged"

    pool = models.ForeignKey(Pool, on_delete=models.CASCADE, related_name="documents")
    topic = models.ForeignKey(Topic, on_delete=models.PROTECT, related_name="pooled_documents")
    document = models.CharField(max_length=200)
    parts = models.JSONField(default=list, blank=True, help_text="[[offset, length], …] or element paths.")
    best_rank = models.PositiveIntegerField()
    run_count = models.PositiveIntegerField(default=1)
    assessor = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="pooled_documents"
    )
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)

    class Meta:
        ordering = ["topic", "best_rank", "document"]
        constraints = [
            models.UniqueConstraint(fields=["pool", "topic", "document"], name="one_pooled_document_per_topic"),
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "started", "judged"]), name="pooled_document_state_is_known"
            ),
        ]

    def __str__(self):
        return f"{self.topic.number} {self.document}"
