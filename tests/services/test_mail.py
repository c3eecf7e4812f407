"""Notifications on a whole site: on the page and by mail; and a mail server in trouble holds nothing up."""

import time

import pytest

from evaluation.demo.loader import FOLDER
from tests.post_office import PostOffice, hanging
from tests.services.prepared import site_with_demo
from tests.services.site import Visitor, free_port, wait_until

pytestmark = pytest.mark.services

BOARD = "/campaigns/demo/ad-hoc/focused/"
CONTENT = (FOLDER / "runs" / "argand_par-bm25.txt").read_bytes()
CAROL = """
from allauth.account.models import EmailAddress
from campaign.models import Membership, Team, User
carol = User.objects.create_user("carol", "carol@example.org", "limelight")
Membership.objects.create(team=Team.objects.get(slug="argand"), user=carol)
EmailAddress.objects.create(user=carol, email=carol.email, verified=True, primary=True)
"""


@pytest.fixture(scope="module")
def port():
    return free_port()


@pytest.fixture(scope="module", params=["embedded", "grown-up"])
def site(request, tmp_path_factory, port):
    site = site_with_demo(tmp_path_factory.mktemp(f"mailing-{request.param}"), request.param)
    site.environment |= {"EMAIL_URL": f"smtp://127.0.0.1:{port}", "EMAIL_TIMEOUT": "3"}
    site.start()
    site.python(CAROL)
    yield site
    site.end()


@pytest.fixture(scope="module")
def carol(site):
    """Return somebody whose account is not one of the demo's: those get no mail."""
    return Visitor(site).sign_in("carol")


@pytest.fixture(autouse=True)
def nobody_was_mailed_lately(site):
    """Let the next mail of each kind go out at once: those of one kind are gathered for ten minutes."""
    site.query("UPDATE campaign_notification SET mailed_at = NULL RETURNING id")


def mail_states(site, run):
    about = f"run {run}"
    return site.query(
        "SELECT u.username, n.mail_state, n.mail_attempts FROM campaign_notification n "
        f"JOIN campaign_user u ON n.user_id = u.id WHERE n.about = '{about}' ORDER BY u.username"
    )


def test_a_scored_and_a_rejected_run_are_told_on_the_site_and_by_mail(site, carol, port):
    with PostOffice(port) as office:
        scored = carol.submit(BOARD, CONTENT, "told")
        rejected = carol.submit(BOARD, b"101 Q0 candle 1 1.0 r 0 x\n", "broken")
        wait_until(lambda: len(office.letters) == 2, seconds=60, message="two mails")
        sent = [("carol", "sent", 1), ("participant", "unwanted", 0)]
        wait_until(lambda: mail_states(site, scored) == mail_states(site, rejected) == sent)
        page = carol.get("/notifications/")

    letters = {letter["Subject"].strip().split(" is ")[0].split(" was ")[0]: letter for _, letter in office.letters}
    score = letters["Limelight: Your run told"].get_content()
    assert score.startswith("Your run told is scored: iMAP 0.")
    assert f"{site.address}/runs/{scored}/" in score
    refusal = letters["Limelight: Your run broken"].get_content()
    assert refusal.startswith("Your run broken was rejected: 1 problem to mend (Focused).")
    assert f"{site.address}/runs/{rejected}/" in refusal
    assert "2 unread of 2" in page
    assert "Your run told is scored: iMAP 0." in page


def test_with_a_mail_server_that_is_gone_runs_are_scored_all_the_same(site, carol):
    started = time.monotonic()

    run = carol.submit(BOARD, CONTENT + b"# gone\n", "gone")
    wait_until(lambda: carol.state(run) == "scored")

    assert time.monotonic() - started < 15
    wait_until(lambda: mail_states(site, run)[0] == ("carol", "waiting", 1), seconds=60, message="an attempt")
    assert "Your run gone is scored" in carol.get("/notifications/")


def test_a_mail_server_that_hangs_silences_neither_sweep_nor_worker(site, carol, port):
    with hanging(port):
        runs = [carol.submit(BOARD, CONTENT + f"# hangs {n}\n".encode(), f"hangs-{n}") for n in range(3)]
        wait_until(lambda: all(carol.state(run) == "scored" for run in runs))
        waited = (
            "SELECT count(*) FROM campaign_notification WHERE mail_state = 'waiting' AND mail_error LIKE '%timed out%'"
        )
        wait_until(lambda: site.query(waited)[0][0], seconds=90, pause=0.5, message="an attempt that timed out")
        status = carol.get("/status/")

    assert "all is well" in status
    assert "Traceback" not in site.output()
