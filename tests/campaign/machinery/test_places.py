"""Heavy work in a web process: so much at once, a few wait, the rest are told, and nobody is served who has gone."""

import socket
import threading
from io import BytesIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from campaign.machinery import places
from campaign.machinery.places import LARGE_FROM, Busy, Gone, Places, dry_run_places
from campaign.presence import is_open
from campaign.services.runs import checks
from campaign.services.runs.checks import dry_run
from tests.world import GOOD_RUN

SUBMIT = "/campaigns/small/ad-hoc/focused/submit/"
DRY_RUN = "/campaigns/small/ad-hoc/focused/dry-run"


class Taken:
    """A place that somebody is in until told to leave."""

    def __init__(self, of):
        self.inside, self.leave = threading.Event(), threading.Event()
        self.thread = threading.Thread(target=self._stay, args=(of,))
        self.thread.start()
        assert self.inside.wait(5)

    def _stay(self, of):
        with of.one():
            self.inside.set()
            assert self.leave.wait(10)

    def end(self):
        self.leave.set()
        self.thread.join()


@pytest.fixture
def taken():
    """Return a function that takes a place; all are left at the end."""
    held = []

    def take(of):
        held.append(Taken(of))
        return held[-1]

    yield take
    for one in held:
        one.end()


def test_a_place_that_comes_free_is_taken_by_whoever_waits(taken):
    few = Places(at_once=1, most_waiting=1, patience=10)
    first, done = taken(few), threading.Event()

    def wait():
        with few.one():
            done.set()

    waiting = threading.Thread(target=wait)
    waiting.start()
    assert not done.wait(0.1)
    first.end()

    assert done.wait(5)
    waiting.join()


def test_who_waits_too_long_is_told_and_nobody_stands_in_a_long_line(taken):
    few = Places(at_once=1, most_waiting=0, patience=10)
    taken(few)

    with pytest.raises(Busy), few.one():
        pytest.fail("it came in")
    impatient = Places(at_once=1, most_waiting=5, patience=0.05)
    taken(impatient)
    with pytest.raises(Busy), impatient.one():
        pytest.fail("it came in")


def test_who_has_gone_is_not_served(taken):
    few = Places(at_once=1, most_waiting=1, patience=10)

    with pytest.raises(Gone), few.one(is_there=lambda: False):
        pytest.fail("it came in")
    taken(few)
    with pytest.raises(Gone), few.one(is_there=iter([True, True, False, False]).__next__):
        pytest.fail("it came in")


def test_a_place_is_free_again_after_a_fault():
    few = Places(at_once=1, most_waiting=0)

    for _ in range(3):
        with pytest.raises(ZeroDivisionError), few.one():
            raise ZeroDivisionError


def test_a_closed_connection_is_seen_and_nothing_is_read_from_an_open_one():
    ours, theirs = socket.socketpair()
    with ours:
        with theirs:
            assert is_open(ours)
            theirs.send(b"more")
            assert is_open(ours)
            assert ours.recv(4) == b"more"
        assert not is_open(ours)
    assert not is_open(ours)
    assert is_open(None)


def test_large_files_wait_for_each_other_and_small_ones_for_neither():
    assert dry_run_places(LARGE_FROM) is dry_run_places(10 * LARGE_FROM)
    assert dry_run_places(LARGE_FROM) is not dry_run_places(100)


def test_eight_dry_runs_at_once_are_never_two_inside_one_process(world, monkeypatch):
    inside, most, guard, told = 0, 0, threading.Lock(), []
    at_work, go_on = threading.Event(), threading.Event()

    def slow(task, stream):
        nonlocal inside, most
        with guard:
            inside, most = inside + 1, max(most, inside + 1)
        at_work.set()
        assert go_on.wait(10)
        with guard:
            inside -= 1
        return None, []

    monkeypatch.setattr(checks, "examine_file", slow)
    monkeypatch.setattr(places, "SMALL_DRY_RUNS", Places(at_once=1, most_waiting=2, patience=5))

    def ask():
        try:
            dry_run(world.task, BytesIO(GOOD_RUN))
        except Busy:
            told.append("busy")

    asking = [threading.Thread(target=ask) for _ in range(8)]
    for thread in asking:
        thread.start()
    assert at_work.wait(5)
    for thread in asking:
        thread.join(0.05)
    go_on.set()
    for thread in asking:
        thread.join()

    assert most == 1
    assert told == ["busy"] * 5


@pytest.fixture
def no_place_left(taken, monkeypatch):
    few = Places(at_once=1, most_waiting=0, patience=7)
    monkeypatch.setattr(places, "SMALL_DRY_RUNS", few)
    taken(few)


def test_people_and_programs_are_told_when_to_come_back(client, api, world, no_place_left):
    client.force_login(world.alice)
    fields = {"team": world.alices.pk, "dry-run": "yes"}

    page = client.post(SUBMIT, fields | {"file": SimpleUploadedFile("a.fol", GOOD_RUN)})
    script = client.post(
        SUBMIT,
        fields | {"file": SimpleUploadedFile("a.fol", GOOD_RUN)},
        headers={"X-Requested-With": "XMLHttpRequest"},
    )
    program = api(world.alice).post(DRY_RUN, {"file": SimpleUploadedFile("a.fol", GOOD_RUN)})

    sentence = "Other files are being checked just now, and only so many can be at once."
    assert [answer.status_code for answer in (page, script, program)] == [503] * 3
    assert [answer["Retry-After"] for answer in (page, script, program)] == ["7"] * 3
    assert sentence in page.content.decode()
    assert script.json()["errors"]["__all__"][0].startswith(sentence)
    assert program.json()["detail"].startswith(sentence)


def test_files_are_written_anew_one_at_a_time(client, world, taken, monkeypatch):
    few = Places(at_once=1, most_waiting=0, patience=7, sentence=places.WRITING)
    monkeypatch.setattr("evaluation.views.runs.EXPORTS", few)
    run = world.submit()
    checks.check_run(run.pk)
    client.force_login(world.alice)
    taken(few)

    response = client.get(f"/runs/{run.pk}/as.fol")

    assert (response.status_code, response["Retry-After"]) == (503, "7")


def test_nothing_is_read_for_a_client_that_has_gone(world, monkeypatch):
    ours, theirs = socket.socketpair()
    theirs.close()
    client = Client(**{"gunicorn.socket": ours})
    client.force_login(world.alice)
    monkeypatch.setattr(checks, "examine_file", lambda *arguments: pytest.fail("it was read"))

    with ours:
        fields = {"team": world.alices.pk, "dry-run": "yes", "file": SimpleUploadedFile("a.fol", GOOD_RUN)}
        assert client.post(SUBMIT, fields).status_code == 499
