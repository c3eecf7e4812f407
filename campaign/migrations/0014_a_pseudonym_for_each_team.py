import secrets

from django.db import migrations


def fill(apps, schema_editor):
    """Give every team with a run of a task a pseudonym there: boards no longer make those that are missing."""
    Run, Pseudonym = apps.get_model("campaign", "Run"), apps.get_model("campaign", "Pseudonym")
    teams_of = {}
    for task, team in Run.objects.order_by().values_list("task", "team").distinct():
        teams_of.setdefault(task, set()).add(team)
    for task, teams in teams_of.items():
        known = dict(Pseudonym.objects.filter(task=task).values_list("team", "name"))
        taken = set(known.values())
        for team in teams - set(known):
            while (name := f"Team {secrets.token_hex(2).upper()}") in taken:
                pass
            taken.add(name)
            Pseudonym.objects.create(task_id=task, team_id=team, name=name)


class Migration(migrations.Migration):
    dependencies = [("campaign", "0013_name_of_tokens")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
