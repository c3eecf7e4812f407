"""Every page, for everybody, in three looks: it fits, it has one heading, and axe finds nothing grave."""

import pytest
from django.urls import resolve
from playwright.sync_api import expect

from evaluation.demo.loader import FOLDER
from tests.browser.conftest import show
from tests.browser.driving import faults_of
from tests.services.site import Visitor, wait_until
from tests.stage import addresses, is_third_party

pytestmark = pytest.mark.browser

TRACK = "/campaigns/demo/ad-hoc"
INVITATION = "/teams/join/the-invitation/"
DESK = "/desk/campaigns/demo"
POOL = f"{DESK}/pools/999/"
SCORED, REJECTED, WITHDRAWN = "the scored run", "the rejected run", "the withdrawn run"
PUBLIC, RANKED, LAID = "a run’s page for everyone", "a run’s ranked list", "a document as a run returns it"
COMPARED, COMPARED_TOPIC = "four runs compared", "two runs compared, and a topic"
OLDER, OLDER_LIST = "a run’s page in an older edition", "its ranked list there"
READY, BROKEN = "the import that is ready", "the import with problems"
PAGES = {
    None: (
        "/",
        "/sign-in/",
        "/sign-up/",
        "/account/confirm/",
        "/account/confirm/an-old-link/",
        "/account/password/reset/",
        "/account/password/reset/sent/",
        "/account/password/reset/done/",
        "/account/password/reset/1-old-link/",
        "/account/switched-off/",
        "/status/",
        "/api/",
        "/search/",
        "/search/?q=lamp",
        "/search/?q=nowhere-to-be-found",
        "/campaigns/demo/",
        f"{TRACK}/topics/",
        f"{TRACK}/topics/?task=relevant-in-context&sort=-median",
        f"{TRACK}/topics/101/",
        "/collections/lamps/",
        "/collections/lamps/lighthouse/",
        "/collections/lamps/wick/",
        f"{TRACK}/focused/",
        f"{TRACK}/relevant-in-context/",
        f"{TRACK}/best-in-context/editions/1/",
        PUBLIC,
        RANKED,
        OLDER,
        OLDER_LIST,
        LAID,
        "/campaigns/",
        f"{TRACK}/",
        f"{TRACK}/focused/comparisons/",
        f"{TRACK}/focused/editions/1/comparisons/",
        f"{TRACK}/focused/compare/",
        f"{TRACK}/focused/editions/1/compare/",
        COMPARED,
    ),
    "participant": (
        "/",
        "/campaigns/demo/",
        f"{TRACK}/topics/101/",
        "/runs/",
        "/account/",
        "/account/e-mail/",
        "/account/password/",
        "/account/password-once-more/",
        "/teams/",
        "/teams/new/",
        "/teams/argand/",
        "/campaigns/demo/register/",
        "/account/tokens/",
        SCORED,
        REJECTED,
        WITHDRAWN,
        f"{TRACK}/focused/submit/",
        f"{TRACK}/best-in-context/submit/",
        "/notifications/",
        "/account/notifications/",
    ),
    "assessor": (
        "/assessing/",
        "/runs/",
        "/teams/",
        INVITATION,
        "/campaigns/demo/register/",
        f"{TRACK}/focused/submit/",
    ),
    "organiser": (
        "/desk/",
        "/desk/campaigns/demo/",
        "/desk/campaigns/demo/publication/",
        "/desk/campaigns/demo/publication/ad-hoc/thorough/preview/",
        "/desk/campaigns/new/",
        "/desk/campaigns/demo/setup/",
        "/desk/campaigns/demo/settings/",
        "/desk/campaigns/demo/copy/",
        "/desk/campaigns/demo/tracks/new/",
        "/desk/campaigns/demo/tracks/ad-hoc/",
        "/desk/campaigns/demo/tracks/ad-hoc/tasks/new/",
        "/desk/campaigns/demo/tracks/ad-hoc/tasks/new/?like=restricted-focused-2010",
        "/desk/campaigns/demo/tracks/ad-hoc/tasks/focused/",
        "/desk/campaigns/demo/material/",
        "/desk/campaigns/demo/trail/",
        "/desk/campaigns/demo/assessments/",
        "/desk/campaigns/demo/ad-hoc/differences/",
        READY,
        BROKEN,
        "/desk/accounts/",
        SCORED,
        LAID,
        "/admin/",
        "/notifications/",
        *(f"{DESK}/boards/ad-hoc/focused/measures/",),
        *(
            f"{DESK}/boards/",
            f"{DESK}/runs/",
            f"{DESK}/runs/queue/",
            f"{DESK}/runs/grants/",
            f"{DESK}/runs/1/failure/",
            f"{TRACK}/focused/editions/2/moved/",
            f"{TRACK}/topics/101/?runs=focused&documents=all",
            COMPARED_TOPIC,
        ),
        *(f"{DESK}/pools/", f"{DESK}/pools/ad-hoc/new/", POOL, f"{DESK}/coverage/", f"{DESK}/leave-one-out/"),
    ),
}
NOT_PAGES = {"healthz", "readyz", "favicon", "status-json", "run-state", "withdraw", "run-rename", "run-official"}
NOT_PAGES |= {"theme", "theme-stylesheet", "card", "sitemap", "sitemap-part", "robots"}
NOT_PAGES |= {"deadlines", "campaign-deadlines"}
NOT_PAGES |= {"results-feed", "campaign-feed", "task-feed", "curves", "edition-curves", "figure", "edition-figure"}
NOT_PAGES |= {"public-scores", "edition-scores", "public-file", "scored-file", "edition-scored-file"}
NOT_PAGES |= {"overlay-file", "edition-overlay-file"}
NOT_PAGES |= {"ranked-list-file", "edition-ranked-list-file", "comparisons-file", "edition-comparisons-file"}
NOT_PAGES |= {"topics-file", "board-file", "edition-board-file", "public-scores-as", "edition-scores-as"}
NOT_PAGES |= {"run-beginning", "notification", "notifications-read", "confirm-account", "account-delete"}
NOT_PAGES |= {"run-file", "run-report", "run-scores", "run-export", "example-run", "assessment-set"}
NOT_PAGES |= {"team-invite", "team-revoke", "team-leave", "team-role", "team-remove"}
NOT_PAGES |= {"registration-withdraw", "registration-decide"}
NOT_PAGES |= {"revoke-token", "desk-publish", "desk-unpublish", "desk-reviewer-link", "desk-revoke-link"}
NOT_PAGES |= {"desk-switches", "review", "review-end"}
NOT_PAGES |= {"organiser-add", "organiser-remove", "campaign-delete", "track-move", "track-delete"}
NOT_PAGES |= {"task-move", "task-delete"}
NOT_PAGES |= {
    "topics-upload",
    "topics-confirm",
    "topics-remove",
    "collection-upload",
    "collection-import-again",
    "desk-trail-file",
}
NOT_PAGES |= {"collection-import", "collection-import-state"}  # followed in test_setup.py
NOT_PAGES |= {f"collection-{what}" for what in ("version", "import-accept", "import-discard", "import-list")}
NOT_PAGES |= {"site-trail", "site-trail-file"}  # for superusers, with the list of a campaign's trail
NOT_PAGES |= {"desk-upload-assessments", "desk-version-notes", "desk-differences-csv"}
NOT_PAGES |= {f"desk-import-{what}" for what in ("state", "accept", "discard", "again", "report")}
NOT_PAGES |= {"desk-pool-file", "desk-pool-delete", "desk-activate", "desk-building", "desk-building-deed"}
NOT_PAGES |= {"desk-checklist", "desk-rejection-undo"}  # questions are looked at in test_questions.py
NOT_PAGES |= {"desk-rebuild", "desk-roll-back", "desk-runs-deed", "desk-runs-archive", "desk-grant-revoke"}


@pytest.fixture(scope="module")
def runs(site):
    """Return the pages of a scored, a rejected and a withdrawn run of the participant's team, and its invitation."""
    participant = Visitor(site).sign_in("participant")
    many_problems = b"".join(b"101 Q0 candle %d 1.0 r 5 %s\n" % (rank, b"x" * 200) for rank in range(1, 300))
    rejected = participant.submit(f"{TRACK}/focused/", many_problems, "rejected-" + 40 * "x")
    content = (FOLDER / "runs" / "argand_par-bm25.txt").read_bytes()
    withdrawn = participant.submit(f"{TRACK}/focused/", content, "withdrawn")
    wait_until(lambda: participant.state(rejected) == "rejected" and participant.state(withdrawn) == "scored")
    site.query(f"UPDATE campaign_run SET withdrawn_at = '2026-01-01 12:00:00' WHERE id = {withdrawn}")
    [(scored,)] = site.query("SELECT id FROM campaign_run WHERE name = 'par-bm25'")
    link = site.python(
        "from campaign.models import Team, User\nfrom campaign.services.people.teams import invite\n"
        "from campaign.services.acting import By\n"
        "user, team = User.objects.get(username='participant'), Team.objects.get(slug='argand')\n"
        "print(json.dumps(f'/teams/join/{invite(team, by=By(user)).token}/'))"
    )
    pool = site.python(
        "from assessments.services.pools import make_pool, poolable_runs\nfrom campaign.models import Track\n"
        "track = Track.objects.get(slug='ad-hoc', campaign__slug='demo')\n"
        "made = make_pool(track, runs=poolable_runs(track), depth=20)\n"
        "print(json.dumps(f'/desk/campaigns/demo/pools/{made.pool.pk}/'))"
    )
    [(code,)] = site.query("SELECT code FROM campaign_run WHERE name = 'ric-par'")
    public = f"{TRACK}/relevant-in-context/runs/{code}/"
    older = public.replace("/runs/", "/editions/1/runs/")
    pages = {PUBLIC: public, RANKED: f"{public}topics/103/", OLDER: older, OLDER_LIST: f"{older}topics/103/"}
    pages |= {LAID: f"{public}topics/103/documents/lighthouse-keeper/"}
    pages |= {SCORED: f"/runs/{scored}/", REJECTED: f"/runs/{rejected}/", WITHDRAWN: f"/runs/{withdrawn}/"}
    return pages | {INVITATION: link, POOL: pool} | imports_of(site) | comparisons_of(site)


def comparisons_of(site):
    """Return the pages of four runs compared, and of two whose difference is computed, with a topic."""
    codes = [code for (code,) in site.query("SELECT code FROM campaign_run WHERE name LIKE 'ric-%' ORDER BY name")]
    site.python(
        "from campaign.models import User\nfrom campaign.services.acting import By\n"
        "from evaluation.models import Edition\nfrom evaluation.services.differences import request_difference\n"
        "edition = Edition.objects.live().get(task__slug='relevant-in-context')\n"
        f"one, other = edition.evaluations.filter(run__code__in={codes[:2]})\n"
        "request_difference(edition, by=By(User.objects.get(username='organiser')), one=one, other=other)\n"
        "print('null')"
    )
    wait_until(lambda: set(site.query("SELECT state FROM evaluation_difference")) == {("done",)})
    page = f"{TRACK}/relevant-in-context/compare/?runs="
    return {COMPARED: page + ",".join(codes[:4]), COMPARED_TOPIC: f"{page}{','.join(codes[:2])}&topic=103"}


def imports_of(site):
    """Return the pages of an import that waits for a decision and of one with problems."""
    keys = site.python(
        "from io import BytesIO\nfrom assessments.services.previews import take_file\n"
        "from campaign.models import Track, User\nfrom campaign.services.acting import By\n"
        "track, user = Track.objects.get(campaign__slug='demo'), User.objects.get(username='organiser')\n"
        "files = [b'101 Q0 candle 10 5000 0 0:10\\n101 Q0 elsewhere 0 10\\n', b'101 Q0 candle ten 5000\\n' * 30]\n"
        "found = [take_file(track, by=By(user), upload=BytesIO(file), file_name='next.qrels').pk for file in files]\n"
        "print(json.dumps(found))"
    )
    unread = "SELECT count(*) FROM assessments_assessmentimport WHERE state IN ('received', 'reading')"
    wait_until(lambda: site.query(unread) == [(0,)])
    return {name: f"/desk/campaigns/demo/imports/{key}/" for name, key in zip((READY, BROKEN), keys, strict=True)}


def test_every_page_of_the_site_is_listed_here():
    ours = {name for name, route, view in addresses() if not is_third_party(name, route, view)}
    names = {name for name in ours if not name.startswith("api-v1:")} - NOT_PAGES

    listed = {
        resolve(path.partition("?")[0]).url_name for paths in PAGES.values() for path in paths if path.startswith("/")
    }

    in_words = {"run", "desk-import", "public-run", "edition-run", "ranked-list", "edition-ranked-list"}
    in_words |= {"overlay", "edition-overlay"}
    assert names - listed == in_words


@pytest.mark.parametrize("person", PAGES, ids=lambda person: person or "visitor")
def test_every_page_fits_has_one_heading_and_nothing_grave_for_axe(page, runs, axe, person):
    tab, faults = page(person, "phone"), []

    for path in PAGES[person]:
        show(tab, "phone")
        response = tab.goto(runs.get(path, path))
        if tab.locator("[data-chart]").count():
            tab.locator(".plot.taken").wait_for()
        faults += [f"{path}: status {response.status}"] if response.status != 200 else []
        for look, rules in (("phone", "all but colours"), ("wide", "all"), ("dark", "colours")):
            show(tab, look)
            faults += [f"{path}, {look}: {fault}" for fault in faults_of(tab, axe, rules)]

    assert faults == []


@pytest.mark.parametrize(
    ("person", "places"),
    [
        (None, ["Campaigns"]),
        ("participant", ["Campaigns", "My runs", "My teams"]),
        ("assessor", ["Campaigns", "My teams", "Assessing"]),
        ("organiser", ["Campaigns", "My teams", "Organiser’s desk"]),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_the_navigation_offers_what_a_person_has_a_use_for(page, person, places):
    tab = page(person)

    tab.goto("/campaigns/")

    navigation = tab.get_by_role("navigation", name="Site")
    assert navigation.get_by_role("link").all_inner_texts() == places
    expect(navigation.locator("[aria-current=page]")).to_have_text("Campaigns")
    expect(tab.get_by_role("button", name="Sign out")).to_have_count(1 if person else 0)
