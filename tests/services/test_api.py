"""The API on a whole site: its guide runs as it stands, and a crowd of programs loses nothing and gains nothing."""

import json
import os
import re
import signal
import subprocess
import urllib.error
import urllib.request
import uuid
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from limelight.scoring.evaluators import EVALUATORS
from tests.services.crowd import LAST_PLACE, RUN, TASK
from tests.services.site import ROOT, wait_until

pytestmark = pytest.mark.services

CROWD = {"embedded": 60, "grown-up": 200}
"""So many submit at once: a site in earnest has to stand more of them."""
MEASURES = len(EVALUATORS["focused"].measures)


class Program:
    """A participant's script: a token, and requests that may come at once."""

    def __init__(self, site):
        self.address = f"{site.address}/api/v1"
        self.token = site.python(
            "from campaign.models import User; from campaign.services.people.tokens import create_token\n"
            "print(json.dumps(create_token(User.objects.get(username='participant'), 'a program')[1]))"
        )

    def submit(self, task, content, name, key):
        """Send a run; returns the status, the headers and the answer."""
        boundary = uuid.uuid4().hex
        head = 'Content-Disposition: form-data; name="{}"'
        parts = [
            f"--{boundary}\r\n{head.format('name')}\r\n\r\n{name}\r\n".encode(),
            f'--{boundary}\r\n{head.format("file")}; filename="{name}.fol"\r\n\r\n'.encode() + content,
            f"\r\n--{boundary}--\r\n".encode(),
        ]
        headers = {
            "Authorization": f"Bearer {self.token}",
            "Idempotency-Key": key,
            "Content-Type": f"multipart/form-data; boundary={boundary}",
        }
        request = urllib.request.Request(f"{self.address}/campaigns/{task}/runs", b"".join(parts), headers)
        try:
            with urllib.request.urlopen(request, timeout=120) as response:
                return response.status, response.headers, json.load(response)
        except urllib.error.HTTPError as error:
            return error.code, error.headers, json.load(error)


@pytest.fixture(scope="module")
def program(site):
    site.python("from tests.services.crowd import make; make()")
    return Program(site)


def at_once(count, send):
    """Call a function with 0 … count - 1, each in a thread of its own."""
    with ThreadPoolExecutor(count) as crowd:
        return list(crowd.map(send, range(count)))


def test_the_guide_runs_as_it_stands(site, program, tmp_path):
    guide = (ROOT / "docs" / "api.md").read_text()
    blocks = re.findall(r"^```bash\n(.*?)^```$", guide, re.MULTILINE | re.DOTALL)
    script = "set -euo pipefail\n" + "\necho '=== next ==='\n".join(blocks)
    environment = {**os.environ, "LIMELIGHT": site.address, "TOKEN": program.token}

    done = subprocess.run(
        ["bash", "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=90, check=False
    )

    assert done.returncode == 0, done.stdout + done.stderr
    campaign, task, checked, submitted, state, scores, withdrawn = done.stdout.split("=== next ===\n")
    tasks = json.loads(campaign)["tracks"][0]["tasks"]
    assert (tasks[0]["address"], tasks[0]["is_open"]) == ("demo/ad-hoc/focused", True)
    [standing] = json.loads(task)["my_teams"]
    assert (standing["team"], standing["may_submit"], standing["reason"]) == ("argand", True, "")
    assert json.loads(checked)["is_valid"] is True
    first, again = re.fullmatch(r"Run (\d+), and sent again it is run (\d+)\.\n", submitted).groups()
    assert first == again
    assert state == "scored\nYour run is valid: 4 results for 2 of 15 topics.\n"
    assert re.fullmatch(r"iMAP 0\.\d+ over 15 topics\nassessments 2 engine [\d.]+\n", scores)
    assert withdrawn == "The team took this run back. It is on no board.\n"


def test_eight_tries_of_one_submission_are_one_run(site, program):
    answers = at_once(8, lambda number: program.submit(TASK, RUN, "tried", "the-same-key"))

    assert Counter(status for status, _, _ in answers) == {201: 1, 200: 7}
    assert {headers["Idempotency-Replayed"] for status, headers, _ in answers if status == 200} == {"true"}
    assert len({answer["id"] for _, _, answer in answers}) == 1
    assert site.query("SELECT count(*) FROM campaign_run WHERE submission_key = 'the-same-key'") == [(1,)]


def test_twenty_submissions_for_one_place_are_one_run(site, program):
    def send(number):
        return program.submit(LAST_PLACE, RUN + b"# %d\n" % number, f"last-{number}", f"last-{number}")

    answers = at_once(20, send)

    assert Counter(status for status, _, _ in answers) == {201: 1, 403: 19}
    refusals = {answer["detail"] for status, _, answer in answers if status == 403}
    assert refusals == {
        "Argand has used its only run for this task. "
        "Valid runs and runs in flight count; rejected runs, and runs that failed on our side, do not."
    }
    assert site.query("SELECT count(*) FROM campaign_run WHERE name LIKE 'last-%'") == [(1,)]


def test_a_crowd_of_submissions_and_two_kills_are_as_many_runs_scored_once(site, program):
    crowd_size = CROWD[site.setting_up]
    of_crowd = "FROM evaluation_evaluation e JOIN campaign_run r ON e.run_id = r.id WHERE r.name LIKE 'crowd-%'"

    def send(number):
        return program.submit(TASK, RUN + b"# %d\n" % number, f"crowd-{number}", f"crowd-{number}")

    def wait_until_scored(count):
        done = f"SELECT count(*) {of_crowd} AND e.state = 'done'"
        wait_until(lambda: site.query(done)[0][0] >= count, seconds=240, pause=0.1, message=f"{count} scored runs")

    with ThreadPoolExecutor(crowd_size) as crowd:
        sent = [crowd.submit(send, number) for number in range(crowd_size)]
        for count in (crowd_size // 10, crowd_size // 2):
            wait_until_scored(count)
            os.killpg(site.group_of("celery"), signal.SIGKILL)
        answers = [submission.result() for submission in sent]

    assert Counter(status for status, _, _ in answers) == {201: crowd_size}
    runs = {answer["id"] for _, _, answer in answers}
    assert len(runs) == crowd_size
    wait_until_scored(crowd_size)
    assert site.query("SELECT count(*) FROM campaign_run WHERE name LIKE 'crowd-%'") == [(crowd_size,)]
    assert {run for (run,) in site.query(f"SELECT run_id {of_crowd}")} == runs
    assert site.query(f"SELECT count(*) {of_crowd}") == [(crowd_size,)]  # none twice
    scores = "SELECT count(*) FROM evaluation_score s JOIN evaluation_evaluation e ON s.evaluation_id = e.id "
    scores += "JOIN campaign_run r ON e.run_id = r.id WHERE r.name LIKE 'crowd-%' GROUP BY e.id"
    assert {count for (count,) in site.query(scores)} == {MEASURES}
    assert site.output().count("The worker ended (code -9); starting it again") == 2
    assert "Traceback" not in site.output()
