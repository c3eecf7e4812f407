"""A page view reads: whoever asks for whichever address, no row is written, and only what is asked for is opened."""

import re
from collections import defaultdict

import pytest
from django.core.files.storage import Storage
from django.db import connection

from assessments.models import AssessmentSet
from campaign.services.documents.files import load_document
from evaluation.services.decisions import activate
from tests.stage import ROLES, addresses, is_third_party

pytestmark = pytest.mark.slow

WRITES = re.compile(r"\s*(?:INSERT|REPLACE|UPDATE|DELETE)\b[^\"]*\"(\w+)\"", re.IGNORECASE)
EVERYWHERE = {"django_session", "limelight_cache"}
"""Who is signed in, how often somebody asked, and answers that are given again."""
WRITTEN_AT = {"campaign_notification": {"notification"}}
"""Whoever follows a notification has read it."""
OPENED_AT = {
    "documents": {"document"},  # overlays read it as well, and find it kept
    "ready": {"readyz"},
    "runs": {"run-file", "public-file", "desk-runs-archive"},
    "reports": {"collection-import-list", "desk-import-report"},
    "assessments": {"assessment-set"},
    "columns": {
        *("run-export", "scored-file", "edition-scored-file", "desk-differences", "desk-differences-csv"),
        *("ranked-list", "ranked-list-file", "edition-ranked-list", "edition-ranked-list-file"),
        *("overlay", "overlay-file", "edition-overlay", "edition-overlay-file"),
        *("desk-pool", "desk-coverage", "desk-leave-one-out"),
    },
}
"""Downloads, documents and lists that are read, and the organisers' tables about pools, which are kept once made."""
ANONYMOUS = {"names_visible": "at-publication", "other_scores_visible": "at-once"}


class Watch:
    """Notes the tables that are written, and the folders that files are opened in."""

    def __init__(self):
        self.tables, self.folders = set(), set()

    def __call__(self, execute, sql, params, many, context):
        if written := WRITES.match(sql):
            self.tables.add(written[1])
        return execute(sql, params, many, context)


@pytest.fixture
def watching(monkeypatch):
    """Return a function that does something and tells what it wrote and opened."""
    watch, open_file = Watch(), Storage.open

    def opened(storage, name, mode="rb"):
        watch.folders.add(name.partition("/")[0])
        return open_file(storage, name, mode)

    def told(do, *arguments):
        watch.__init__()
        with connection.execute_wrapper(watch):
            do(*arguments)
        return watch.tables - EVERYWHERE, watch.folders

    load_document.cache_clear()  # tests before this one may have read the same document
    monkeypatch.setattr(Storage, "open", opened)
    return told


def test_no_page_writes_when_it_is_looked_at_nor_opens_what_nobody_asked_for(stage, watching):
    stage = stage(task=ANONYMOUS)
    writing, opening, asked = defaultdict(set), defaultdict(set), 0
    for name, route, view in addresses():
        if is_third_party(name, route, view):
            continue
        for role in ROLES:
            tables, folders = watching(stage.ask, role, "GET", name, stage.path(name, route))
            asked += 1
            for table in tables:
                writing[table].add(name)
            for folder in folders:
                opening[folder].add(name)

    assert writing == WRITTEN_AT
    assert opening == OPENED_AT
    assert asked > 1000


def test_a_board_without_the_text_of_its_documents_opens_no_file(world, client, watching):
    """What its assessments can be downloaded as is known without looking into them."""
    world.track.collection = None
    world.track.save()
    world.activate()
    AssessmentSet.objects.update(collection=None)
    client.force_login(world.organiser)

    assert watching(client.get, "/campaigns/small/ad-hoc/focused/") == (set(), set())
    assert watching(client.get, "/desk/campaigns/small/assessments/") == (set(), set())


def test_assessments_are_activated_without_opening_them(world, watching):
    assessments = world.import_assessments()

    _, folders = watching(activate, assessments)

    assert folders == set()
