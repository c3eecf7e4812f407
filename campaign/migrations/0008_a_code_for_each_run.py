from django.db import migrations, models

import campaign.codes

BATCH = 1000
HELP = "Names the run for everybody but its team and the organisers: random, and nothing follows from it."


def fill(apps, schema_editor):
    """Give every run that is there a code of its own."""
    Run = apps.get_model("campaign", "Run")
    keys = list(Run.objects.order_by().values_list("pk", flat=True))
    codes = set()
    while len(codes) < len(keys):
        codes.add(campaign.codes.new_code())
    runs = [Run(pk=key, code=code) for key, code in zip(keys, codes, strict=True)]
    Run.objects.bulk_update(runs, ["code"], batch_size=BATCH)


class Migration(migrations.Migration):
    dependencies = [
        ("campaign", "0007_names_of_several"),
    ]

    operations = [
        migrations.AddField(
            model_name="run",
            name="code",
            field=models.CharField(editable=False, max_length=10, null=True, help_text=HELP),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.AlterField(
            model_name="run",
            name="code",
            field=models.CharField(
                default=campaign.codes.new_code, editable=False, max_length=10, unique=True, help_text=HELP
            ),
        ),
    ]
