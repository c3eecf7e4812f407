"""Search finds the same with SQLite, letter by letter, and with PostgreSQL, by its full text and an index."""

import pytest

pytestmark = pytest.mark.services

FIND = """
from evaluation.services.search import found_for
print(json.dumps({query: {hits.kind: hits.count for hits in found_for(query)} for query in QUERIES}))
"""
PLAN = """
from django.db import connection, transaction
from campaign.models import Document
from evaluation.services.search import _matching
with transaction.atomic(), connection.cursor() as cursor:
    cursor.execute("SET LOCAL enable_seqscan = off")
    print(json.dumps(_matching(Document.objects.all(), ["lamp"], "title", is_large=True).explain()))
"""


def found(site, *queries):
    return site.python(f"QUERIES = {queries!r}\n{FIND}")


def test_both_databases_find_campaigns_runs_teams_topics_and_documents(quiet_site):
    told = found(quiet_site, "Lamps and Lighthouses", "par-article", "argand", "fresnel lens", "nowhere", '"', "\x00 -")

    assert told["Lamps and Lighthouses"]["campaign"] == 2  # and its pilot
    assert told["par-article"]["run"] >= 1
    assert told["argand"]["team"] == 1
    assert told["argand"]["run"] >= 3
    assert told["fresnel lens"].get("topic", 0) + told["fresnel lens"].get("document", 0) >= 1
    assert told["nowhere"] == {}


def test_postgresql_knows_the_forms_of_a_word_and_looks_them_up(quiet_site):
    if quiet_site.setting_up == "embedded":
        assert found(quiet_site, "lighthous")["lighthous"]["document"] >= 1
        return
    forms = found(quiet_site, "lighthouse", "lighthouses")

    assert forms["lighthouse"]["document"] == forms["lighthouses"]["document"] >= 1
    assert "words_of_titles" in quiet_site.python(PLAN)
