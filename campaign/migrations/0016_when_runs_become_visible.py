from django.db import migrations, models

CHOICES = [("at-once", "at once"), ("at-deadline", "at the deadline"), ("at-publication", "at publication"), ("never", "never")]
HELP = "What runs returned: ranked lists, passages and files. Only of runs whose scores can be seen."


class Migration(migrations.Migration):
    """Tasks that are there show nobody what runs returned: their teams submitted before that was to be seen."""

    dependencies = [
        ("campaign", "0015_tell_of_runs_that_count_again"),
    ]

    operations = [
        migrations.AddField(
            model_name="task",
            name="runs_visible",
            field=models.CharField(choices=CHOICES, default="never", help_text=HELP, max_length=16),
        ),
        migrations.AlterField(
            model_name="task",
            name="runs_visible",
            field=models.CharField(choices=CHOICES, default="at-publication", help_text=HELP, max_length=16),
        ),
        migrations.AddConstraint(
            model_name="task",
            constraint=models.CheckConstraint(
                condition=models.Q(("runs_visible__in", ["at-once", "at-deadline", "at-publication", "never"])),
                name="runs_visible_is_known",
            ),
        ),
    ]
