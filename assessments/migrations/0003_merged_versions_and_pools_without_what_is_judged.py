"""What a version was merged into and made on, and what a pool was made without."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import OuterRef, Subquery


def take_the_collections_of_tracks(apps, schema_editor):
    """Give what was imported so far the collection of its track: there was one version of each."""
    track = apps.get_model("campaign", "Track").objects.filter(pk=OuterRef("track"))
    apps.get_model("assessments", "AssessmentSet").objects.update(collection=Subquery(track.values("collection")[:1]))


class Migration(migrations.Migration):
    dependencies = [("assessments", "0002_organisers_desk"), ("campaign", "0009_versions_of_a_collection")]

    operations = [
        migrations.AddField(
            model_name="assessmentset",
            name="collection",
            field=models.ForeignKey(
                help_text="The version of the collection that the track had when it was imported.",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="campaign.collection",
            ),
        ),
        migrations.AddField(
            model_name="assessmentset",
            name="merged_into",
            field=models.ForeignKey(
                help_text="The version from which it has the topics that its file does not judge.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="assessments.assessmentset",
            ),
        ),
        migrations.AddField(
            model_name="pool",
            name="without",
            field=models.ForeignKey(
                blank=True,
                help_text="The version whose judged documents were left out.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="assessments.assessmentset",
            ),
        ),
        migrations.RunPython(take_the_collections_of_tracks, migrations.RunPython.noop),
    ]
