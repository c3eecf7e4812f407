"""Assessment files on a whole site: read by a worker, whatever is killed on the way, and accepted once."""

import os
import re
import signal
import urllib.parse
import urllib.request
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.services.site import Visitor, wait_until

pytestmark = pytest.mark.services

DESK = "/desk/campaigns/demo"
LINES = 60_000


@pytest.fixture(scope="module")
def organiser(site):
    return Visitor(site).sign_in("organiser")


def judgements(lines, document="d"):
    return b"".join(b"101 Q0 %s%d 10 5000 0 0:10\n" % (document.encode(), number) for number in range(lines))


def upload(visitor, content):
    """Upload a file of assessments and return the number of its import."""
    boundary, head = uuid.uuid4().hex, "Content-Disposition: form-data; name="
    token = visitor.token(f"{DESK}/assessments/")
    body = f'--{boundary}\r\n{head}"csrfmiddlewaretoken"\r\n\r\n{token}\r\n'
    body += f'--{boundary}\r\n{head}"ad-hoc-file"; filename="v.qrels"\r\n\r\n'
    request = urllib.request.Request(
        f"{visitor.site.address}{DESK}/ad-hoc/assessments/upload/",
        body.encode() + content + f"\r\n--{boundary}--\r\n".encode(),
        {"Content-Type": f"multipart/form-data; boundary={boundary}"},
    )
    with visitor.opener.open(request, timeout=60) as response:
        return int(re.search(r"/imports/(\d+)/", response.geturl())[1])


def accept(visitor, number, token, seen):
    fields = urllib.parse.urlencode({"csrfmiddlewaretoken": token, "how": "replace", "seen": seen}).encode()
    request = urllib.request.Request(f"{visitor.site.address}{DESK}/imports/{number}/accept/", fields)
    with visitor.opener.open(request, timeout=60) as response:
        return re.search(r"v\.qrels is now v(\d+) of", response.read().decode())


def row(site, number):
    [found] = site.query(f"SELECT state, attempts FROM assessments_assessmentimport WHERE id = {number}")
    return found


def versions(site):
    found = site.query("SELECT version FROM assessments_assessmentset ORDER BY version")
    return [version for (version,) in found]


def test_a_worker_killed_while_reading_is_replaced_and_nothing_is_half_imported(site, organiser):
    before = versions(site)
    number = upload(organiser, judgements(LINES))
    wait_until(lambda: row(site, number)[0] == "reading", pause=0.005, message="the reading")
    os.killpg(site.group_of("celery"), signal.SIGKILL)
    assert row(site, number) == ("reading", 1)

    wait_until(lambda: row(site, number)[0] == "ready", seconds=60, message="the second reading")

    assert row(site, number) == ("ready", 2)
    assert versions(site) == before
    page = organiser.get(f"{DESK}/imports/{number}/")
    assert f"{LINES:,}" in page
    assert "Accept as the next version" in page


def test_a_file_that_breaks_on_its_last_line_is_rejected_with_that_line(site, organiser):
    before = versions(site)

    number = upload(organiser, judgements(2000) + b"101 Q0 last ten 5000\n")
    wait_until(lambda: row(site, number)[0] == "rejected")

    assert "<b>Line 2001:</b>" in organiser.get(f"{DESK}/imports/{number}/")
    assert versions(site) == before


def test_of_clicks_at_the_same_moment_one_file_becomes_a_version_and_the_other_is_asked_about(site, organiser):
    before = versions(site)
    numbers = [upload(organiser, judgements(3000, name)) for name in ("x", "y")]
    wait_until(lambda: all(row(site, number)[0] == "ready" for number in numbers))
    visitors = [Visitor(site).sign_in("organiser") for _ in range(4)]
    tokens = [visitor.token(f"{DESK}/imports/{numbers[0]}/") for visitor in visitors]

    with ThreadPoolExecutor(4) as pool:
        told = list(pool.map(accept, visitors, numbers * 2, tokens, [before[-1]] * 4))

    newest = before[-1]
    assert versions(site) == [*before, newest + 1]
    assert [bool(found) for found in told] in ([True, False] * 2, [False, True] * 2)
    assert {int(found[1]) for found in told if found} == {newest + 1}
    late = numbers[told.index(None)]
    assert f"Compared with v{newest + 1}, the newest version" in organiser.get(f"{DESK}/imports/{late}/")
    token = organiser.token(f"{DESK}/imports/{late}/")
    assert int(accept(organiser, late, token, newest + 1)[1]) == newest + 2
    counts = site.query(
        "SELECT count(*) FROM assessments_judgement j JOIN assessments_assessmentset s ON j.assessment_set_id = s.id "
        f"WHERE s.version > {newest} GROUP BY s.id"
    )
    assert counts == [(3000,), (3000,)]
