from django.db import migrations, models
from django.db.models import Count, Max, Min

MANY = 20


def warn_of_placeholders(apps, schema_editor):
    """Note of versions that are there already whether all their entry points are the same."""
    versions = apps.get_model("assessments", "AssessmentSet").objects
    judgements = apps.get_model("assessments", "Judgement").objects.exclude(entry_point=None).order_by()
    points = judgements.values("assessment_set").annotate(
        count=Count("pk"), first=Min("entry_point"), last=Max("entry_point")
    )
    for found in points:
        if found["count"] >= MANY and found["first"] == found["last"]:
            message = (
                f"All {found['count']:,} entry points are at character {found['first']:,}. "
                "That looks like a placeholder."
            )
            warning = {"rule": "entry-points-alike", "message": message, "times": 1}
            versions.filter(pk=found["assessment_set"]).update(warnings=[warning])


class Migration(migrations.Migration):
    dependencies = [("assessments", "0003_merged_versions_and_pools_without_what_is_judged")]

    operations = [
        migrations.AddField(
            model_name="assessmentset",
            name="warnings",
            field=models.JSONField(
                blank=True,
                default=list,
                help_text="What the import warned of: rule, message and how often, for each rule.",
            ),
        ),
        migrations.RunPython(warn_of_placeholders, migrations.RunPython.noop),
    ]
