"""Versions of a collection: what there is becomes the first version of its line."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import F


def begin_lines(apps, schema_editor):
    """Give each collection the line that its address begins."""
    apps.get_model("campaign", "Collection").objects.update(line=F("slug"))


class Migration(migrations.Migration):
    dependencies = [("campaign", "0008_a_code_for_each_run")]

    operations = [
        migrations.AlterModelOptions(name="collection", options={"ordering": ["name", "-version"]}),
        migrations.AddField(
            model_name="collection",
            name="line",
            field=models.SlugField(
                default="", editable=False, help_text="The address of whichever version is in use.", max_length=64
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="collection",
            name="version",
            field=models.PositiveIntegerField(
                default=1, editable=False, help_text="None: not accepted yet.", null=True
            ),
        ),
        migrations.AddField(
            model_name="collection",
            name="supersedes",
            field=models.ForeignKey(
                editable=False,
                help_text="What it was made of.",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="campaign.collection",
            ),
        ),
        migrations.RunPython(begin_lines, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="collection",
            constraint=models.UniqueConstraint(fields=("line", "version"), name="one_collection_per_line_and_version"),
        ),
        migrations.AddField(
            model_name="collectionimport",
            name="prepared",
            field=models.ForeignKey(
                editable=False,
                help_text="The version that it would make, or made.",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="campaign.collection",
            ),
        ),
    ]
