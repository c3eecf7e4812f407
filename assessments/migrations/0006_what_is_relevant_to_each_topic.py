from django.db import migrations, models
from django.db.models import Count, Q, Sum


def fill(apps, schema_editor):
    """Count of versions that are there already what is relevant to each topic."""
    versions = apps.get_model("assessments", "AssessmentSet").objects
    graded = counted(
        apps.get_model("assessments", "GradedJudgement").objects,
        relevant=Count("document", distinct=True, filter=Q(exhaustivity__gt=0)),
    )
    judged = counted(
        apps.get_model("assessments", "Judgement").objects,
        relevant=Count("pk", filter=Q(highlighted__gt=0) | Q(grade__gt=0)),
        highlighted=Sum("highlighted"),
    )
    for pk, counts in (graded | judged).items():
        versions.filter(pk=pk).update(topic_counts=counts)


def counted(judgements, **counts):
    """Return the counts of each topic, by version and the topic's number."""
    rows = judgements.order_by().values("assessment_set", "topic__number").annotate(**counts)
    by_version = {}
    for row in rows:
        of_topic = [row["relevant"], row.get("highlighted", 0)]
        by_version.setdefault(row["assessment_set"], {})[row["topic__number"]] = of_topic
    return by_version


class Migration(migrations.Migration):
    dependencies = [("assessments", "0005_what_is_known_of_a_version")]

    operations = [
        migrations.AddField(
            model_name="assessmentset",
            name="topic_counts",
            field=models.JSONField(
                default=dict, help_text="Relevant documents and highlighted characters of each topic, by its number."
            ),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
