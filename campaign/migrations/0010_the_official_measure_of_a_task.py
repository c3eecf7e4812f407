from django.db import migrations, models

OFFICIAL = {
    "focused": "iMAP",
    "thorough": "iMAP",
    "relevant-in-context": "MAgP",
    "best-in-context": "MAgP",
    "document": "MAP",
}
"""What ranked the boards until now, by the kind of the task."""


def name_official_measures(apps, schema_editor):
    tasks = apps.get_model("campaign", "Task").objects
    for kind, measure in OFFICIAL.items():
        tasks.filter(kind=kind).update(official_measure=measure)


class Migration(migrations.Migration):

    dependencies = [
        ("campaign", "0009_versions_of_a_collection"),
    ]

    operations = [
        migrations.AddField(
            model_name='task',
            name='official_measure',
            field=models.CharField(blank=True, default='', help_text='The measure that ranks the board. Empty: that of the kind. Restricted Focused 2010: charP.', max_length=40, verbose_name='ranked by'),
        ),
        migrations.RunPython(name_official_measures, migrations.RunPython.noop),
    ]
