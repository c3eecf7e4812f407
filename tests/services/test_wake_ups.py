"""Messages while the worker is away: never more than a bound, and none of them is needed when it is back."""

import os
import signal
import time

import pytest

from evaluation.demo.loader import FOLDER
from tests.services.site import Visitor, wait_until

pytestmark = pytest.mark.services

BOARD = "/campaigns/demo/ad-hoc/focused/"
MOST = 25
"""Far fewer than rows wait: a message means "take the first in line", not one of them."""

FORTY_RUNS = """
from campaign.codes import new_code
from campaign.models import Run
one = Run.objects.valid().filter(task__slug="focused", task__track__campaign__slug="demo").first()
for number in range(40):
    one.pk, one.code, one.name, one.is_official = None, new_code(), f"not-entered-{number}", False
    one.save()
"""


@pytest.fixture
def forty_runs(site):
    """Stop the worker and make forty valid runs that no edition has; the sweep goes on."""
    worker = site.stop_worker()
    site.python(FORTY_RUNS)
    yield worker
    os.killpg(worker, signal.SIGCONT)


def messages(site):
    if site.setting_up == "grown-up":
        return site.python(
            "from django.conf import settings; import redis\n"
            "print(json.dumps(redis.Redis.from_url(settings.REDIS_URL).llen('limelight')))"
        )
    return len(list((site.folder / "queue" / "queue-limelight").iterdir()))


def swept(site):
    return site.query("SELECT at FROM campaign_heartbeat WHERE name = 'sweep'")


def wait_for_sweeps(site, count):
    for _ in range(count):
        before = swept(site)
        wait_until(lambda seen=before: swept(site) != seen, message="a sweep")


def scored(site, names):
    statement = "SELECT count(*) FROM evaluation_evaluation e JOIN campaign_run r ON e.run_id = r.id "
    return site.query(f"{statement} WHERE e.state = 'done' AND r.name LIKE '{names}'")[0][0]


def test_messages_do_not_pile_up_and_a_new_run_is_scored_in_seconds(site, forty_runs):
    participant = Visitor(site).sign_in("participant")
    counts = []
    for _ in range(3):
        wait_for_sweeps(site, 3)  # twice six seconds: long enough for wake-ups to seem lost
        counts.append(messages(site))

    run = participant.submit(BOARD, (FOLDER / "runs" / "swan_par-count.txt").read_bytes(), "after-the-pause")
    os.killpg(forty_runs, signal.SIGCONT)
    back = time.monotonic()
    wait_until(lambda: participant.state(run) == "scored", message="the new run")
    took = time.monotonic() - back

    assert max(counts) <= MOST, counts
    assert counts[2] - counts[1] <= 1, counts  # one sign of life that is asked for
    assert took < 15, took
    wait_until(lambda: scored(site, "not-entered-%") == 40, message="the forty")
    wait_until(lambda: messages(site) == 0, message="an empty queue")


def test_a_worker_that_is_killed_again_and_again_leaves_no_pile(site):
    """Heartbeats, too, are messages: those that nobody answers do not add up."""
    for _ in range(2):
        os.killpg(wait_until(lambda: site.group_of("celery")), signal.SIGKILL)
        wait_for_sweeps(site, 3)

    assert messages(site) <= MOST
