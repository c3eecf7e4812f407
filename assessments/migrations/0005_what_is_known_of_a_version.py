from contextlib import suppress

from django.core.files.storage import default_storage
from django.db import migrations, models
from django.db.models import Count, Min, Q

from limelight.formats.assessments.reading import is_xml
from limelight.formats.problems import FormatError


def fill(apps, schema_editor):
    """Note of versions that are there already which topics count, and whether their files are XML."""
    versions = apps.get_model("assessments", "AssessmentSet").objects
    numbers = topics_that_count(apps.get_model("assessments", "Judgement").objects)
    for version in versions.order_by().iterator():
        kept = {"topic_numbers": numbers.get(version.pk, []), "was_xml": was_xml(version)}
        versions.filter(pk=version.pk).update(**kept)


def topics_that_count(judgements):
    """Return the topics with relevant text of each version; rows were written in the order of the assessments."""
    relevant = Count("pk", filter=Q(highlighted__gt=0) | Q(grade__gt=0))
    topics = judgements.order_by().values("assessment_set", "topic__number").annotate(first=Min("pk"), relevant=relevant)
    numbers = {}
    for found in topics.filter(relevant__gt=0).order_by("first"):
        numbers.setdefault(found["assessment_set"], []).append(found["topic__number"])
    return numbers


def was_xml(version):
    """Tell whether all of a version was read from XML; only of text measured in characters its file has to be asked."""
    if version.merged_into_id or version.content == "grades":
        return False
    if version.content == "elements" or version.axis == "sizes":
        return True
    with suppress(FileNotFoundError, FormatError), default_storage.open(version.stored_file, "rb") as stream:
        return is_xml(stream)
    return False


class Migration(migrations.Migration):
    dependencies = [("assessments", "0004_what_an_import_warned_of")]

    operations = [
        migrations.AddField(
            model_name="assessmentset",
            name="was_xml",
            field=models.BooleanField(
                default=False,
                help_text="Its file is XML that tells all of it, points and elements, not only what is scored.",
            ),
        ),
        migrations.AddField(
            model_name="assessmentset",
            name="topic_numbers",
            field=models.JSONField(
                default=list, help_text="The topics with relevant text, which count, in the order of the assessments."
            ),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
