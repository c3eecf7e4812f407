"""What runs are about: collections in their versions, and documents."""

from django.db import models
from django.db.models import F, Q
from django.urls import reverse


class CollectionQuerySet(models.QuerySet):
    """Collections as the pages ask for them."""

    def in_use(self):
        """Return the version of each collection that is in use."""
        return self.filter(slug=F("line"))

    def versions_of(self, collection):
        """Return all versions of a collection, the newest first."""
        return self.filter(line=collection.line, version__isnull=False).order_by("-version")


class Collection(models.Model):
    """One version of the documents to be searched: with text and element spans in files, or just ids and lengths.

    The text of a document never changes within a version. The version in use has the collection's own address.
    """

    slug = models.SlugField(max_length=64, unique=True)
    line = models.SlugField(max_length=64, editable=False, help_text="The address of whichever version is in use.")
    version = models.PositiveIntegerField(null=True, default=1, editable=False, help_text="None: not accepted yet.")
    supersedes = models.ForeignKey(
        "self", on_delete=models.SET_NULL, null=True, editable=False, related_name="+", help_text="What it was made of."
    )
    name = models.CharField(max_length=200)
    description = models.TextField(blank=True)
    has_text = models.BooleanField(default=False)
    changed_at = models.DateTimeField(null=True, editable=False, help_text="When documents last came in or changed.")
    created_at = models.DateTimeField(auto_now_add=True)

    objects = CollectionQuerySet.as_manager()

    class Meta:
        ordering = ["name", "-version"]
        constraints = [
            models.UniqueConstraint(fields=["line", "version"], name="one_collection_per_line_and_version"),
        ]

    def __str__(self):
        return self.label

    def save(self, *args, **kwargs):
        """Begin a line with the first version."""
        self.line = self.line or self.slug
        super().save(*args, **kwargs)

    def get_absolute_url(self):
        return reverse("collection", args=[self.slug])

    @property
    def is_in_use(self):
        """Return whether this is the version that has the collection's own address."""
        return self.slug == self.line

    @property
    def label(self):
        """Return the name, with the version where there is more than one to know."""
        return self.name if self.version == 1 and self.is_in_use else f"{self.name} {self.version_label}"

    @property
    def version_label(self):
        """Return the number of the version as people say it."""
        return f"v{self.version}" if self.version else "(not accepted yet)"


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
