from django.db import migrations, models
from django.db.models import OuterRef, Q, Subquery

OFFICIAL = {
    "focused": "iMAP",
    "thorough": "iMAP",
    "relevant-in-context": "MAgP",
    "best-in-context": "MAgP",
    "document": "MAP",
}
"""What ranked the boards until now, by the kind of their task."""

CHARACTERS = ("focused", "thorough")
"""Kinds whose mean of INEX 2007, Eq. 3 was stored as MAP; that name now means whole documents everywhere."""


def name_official_measures(apps, schema_editor):
    editions = apps.get_model("evaluation", "Edition").objects
    for kind, measure in OFFICIAL.items():
        editions.filter(task__kind=kind).update(official_measure=measure)


def tell_engines(apps, schema_editor):
    """Say of what is scored that its edition's engine did it: nothing else is known."""
    editions = apps.get_model("evaluation", "Edition").objects.filter(pk=OuterRef("edition"))
    done = apps.get_model("evaluation", "Evaluation").objects.filter(state="done")
    done.update(engine_version=Subquery(editions.values("engine_version")[:1]))


def renamed(old, new):
    def rename(apps, schema_editor):
        scores = apps.get_model("evaluation", "Score").objects
        scores.filter(measure=old, evaluation__edition__task__kind__in=CHARACTERS).update(measure=new)

    return rename


class Migration(migrations.Migration):

    dependencies = [
        ("campaign", "0010_the_official_measure_of_a_task"),
        ("evaluation", "0004_why_a_run_scores_nothing"),
    ]

    operations = [
        migrations.AddField(
            model_name='edition',
            name='official_measure',
            field=models.CharField(default='', help_text='The measure that ranks the board.', max_length=40, verbose_name='ranked by'),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name='evaluation',
            name='engine_version',
            field=models.CharField(blank=True, default='', help_text='By which it was scored.', max_length=20),
        ),
        migrations.RunPython(name_official_measures, migrations.RunPython.noop),
        migrations.RunPython(tell_engines, migrations.RunPython.noop),
        migrations.RunPython(renamed("MAP", "charMAP"), renamed("charMAP", "MAP")),
        migrations.AddConstraint(
            model_name='edition',
            constraint=models.CheckConstraint(condition=~Q(official_measure=""), name='edition_has_an_official_measure'),
        ),
    ]
