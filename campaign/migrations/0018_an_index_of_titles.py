"""An index of the words in documents' titles, for search; SQLite looks at them letter by letter and has none."""

from django.db import migrations

MAKE = (
    "CREATE INDEX words_of_titles ON campaign_document USING gin "
    "(to_tsvector('english'::regconfig, COALESCE(title, '')))"
)


def make(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(MAKE)


def drop(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("DROP INDEX words_of_titles")


class Migration(migrations.Migration):
    dependencies = [("campaign", "0017_generations_of_a_task")]

    operations = [migrations.RunPython(make, drop)]
