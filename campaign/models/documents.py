"""Collections with their documents, and the topics asked about them; the text itself lives in files."""

from django.db import models
from django.db.models import Q
from django.urls import reverse


class Collection(models.Model):
    """Documents to be searched: with text and element spans in files, or just a list of ids and lengths."""

    slug = models.SlugField(max_length=64, unique=True)
    name = models.CharField(max_length=200)
    description = models.TextField(blank=True)
    has_text = models.BooleanField(default=False)
    changed_at = models.DateTimeField(null=True, editable=False, help_text="When documents last came in or changed.")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]

    def __str__(self):
        return self.name

    def get_absolute_url(self):
        return reverse("collection", args=[self.slug])


class DocumentQuerySet(models.QuerySet):
    """Documents as the pages ask for them."""

    def matching(self, words):
        """Return the documents whose id or title holds some words."""
        return self.filter(Q(identifier__icontains=words) | Q(title__icontains=words))


class Document(models.Model):
    """One document; `text_file` names the stored text and element spans, if the collection has any."""

    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="documents")
    identifier = models.CharField(max_length=200)
    title = models.CharField(max_length=500, blank=True)
    length = models.PositiveBigIntegerField(help_text="Characters of text, tags left out.")
    text_file = models.CharField(max_length=200, blank=True)

    objects = DocumentQuerySet.as_manager()

    class Meta:
        ordering = ["identifier"]
        constraints = [
            models.UniqueConstraint(fields=["collection", "identifier"], name="one_document_per_identifier"),
        ]

    def __str__(self):
        return self.identifier

    def get_absolute_url(self):
        return reverse("document", args=[self.collection.slug, self.identifier])


class Topic(models.Model):
    """A request for information: what systems answer and assessors judge."""

    track = models.ForeignKey("campaign.Track", on_delete=models.CASCADE, related_name="topics")
    number = models.CharField(max_length=64)
    position = models.PositiveIntegerField()
    title = models.TextField(blank=True)
    castitle = models.TextField(blank=True, help_text="The same request as a NEXI query.")
    phrasetitle = models.TextField(blank=True)
    description = models.TextField(blank=True)
    narrative = models.TextField(blank=True)

    class Meta:
        ordering = ["track", "position"]
        constraints = [
            models.UniqueConstraint(fields=["track", "number"], name="one_topic_per_number_and_track"),
            models.CheckConstraint(condition=~Q(number=""), name="topic_has_a_number"),
        ]

    def __str__(self):
        return f"{self.number} {self.title}".strip()

    def get_absolute_url(self):
        return reverse("topic", args=[self.track.campaign.slug, self.track.slug, self.number])
