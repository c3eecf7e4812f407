"""The queue in a folder: nothing lost, nothing twice, nothing half-read."""

import errno
import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from queue import Empty

import pytest
from kombu import Connection

from config.celery import app  # noqa: F401 - registers the transport
from tests.folders import ROOT

MESSAGES = 2000

APPLICATION = """
import os, sys
from pathlib import Path
from celery import Celery
sys.path.insert(0, {root!r})
from kombu.transport import TRANSPORT_ALIASES
TRANSPORT_ALIASES["folder"] = "config.filesystem_transport:Transport"
app = Celery("many", broker="folder://localhost")
app.conf.update(
    broker_transport_options={{"folder": {folder!r}, "polling_interval": 0.01}},
    task_default_queue="many", task_ignore_result=True, worker_prefetch_multiplier=1, task_acks_late=True,
    worker_enable_remote_control=False,
)
seen = Path({seen!r})

@app.task(name="note")
def note(number):
    with (seen / str(os.getpid())).open("a") as file:
        file.write(f"{{number}}\\n")
"""


@pytest.fixture
def many(tmp_path):
    """Write a small Celery application whose task notes its number in a file of its process."""
    (tmp_path / "seen").mkdir()
    code = APPLICATION.format(root=str(ROOT), folder=str(tmp_path / "queue"), seen=str(tmp_path / "seen"))
    (tmp_path / "many.py").write_text(code)
    return tmp_path


def start(folder, *arguments):
    environment = {**os.environ, "PYTHONPATH": f"{folder}:{ROOT}"}
    environment.pop("DJANGO_SETTINGS_MODULE", None)
    return subprocess.Popen([sys.executable, *arguments], cwd=folder, env=environment)


def seen(folder):
    return Counter(int(line) for file in (folder / "seen").iterdir() for line in file.read_text().split("\n") if line)


def queue_in(folder):
    options = {"folder": str(folder), "polling_interval": 0.01}
    return Connection("folder://localhost", transport_options=options).SimpleQueue("few")


def test_a_full_disk_leaves_no_half_message(tmp_path, monkeypatch):
    queue = queue_in(tmp_path)

    def half(path, text):
        path.write_bytes(text[:10].encode())
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as full, pytest.raises(OSError, match="No space"):
        full.setattr(Path, "write_text", half)
        queue.put("lost")
    queue.put("kept")

    assert queue.get(timeout=5).payload == "kept"
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_half_a_message_is_passed_over(tmp_path):
    queue = queue_in(tmp_path)
    queue.put("cut")
    [message] = (tmp_path / "queue-few").iterdir()
    message.write_text(message.read_text()[:20])
    queue.put("whole")

    assert queue.get(timeout=5).payload == "whole"
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


@pytest.mark.slow
def test_two_thousand_messages_from_two_producers_to_two_workers(many):
    worker = ["-m", "celery", "--quiet", "-A", "many", "worker", "-l", "error", "-c", "2"]
    worker += ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    workers = [start(many, *worker, "-n", f"worker{number}@local") for number in (1, 2)]
    half = MESSAGES // 2
    producers = [
        start(many, "-c", f"import many\nfor n in range({start_at}, {start_at + half}): many.note.delay(n)")
        for start_at in (0, half)
    ]
    try:
        assert [producer.wait(timeout=120) for producer in producers] == [0, 0]
        patient_until = time.monotonic() + 120
        while sum(seen(many).values()) < MESSAGES and time.monotonic() < patient_until:
            time.sleep(0.2)
        time.sleep(0.5)  # a message delivered twice would show now
        assert all(process.poll() is None for process in workers), "a worker died"
    finally:
        for process in workers:
            process.terminate()
        for process in workers:
            process.wait(timeout=30)

    assert seen(many) == Counter(range(MESSAGES))
    assert len(list((many / "seen").iterdir())) >= 2, "one process did all the work"
    left = [file for file in (many / "queue").rglob("*") if file.is_file()]
    assert left == []


def channel(folder):
    connection = Connection("folder://localhost", transport_options={"folder": str(folder)})
    return connection.channel()


def test_messages_come_in_the_order_they_were_sent(tmp_path):
    sender, receiver = channel(tmp_path), channel(tmp_path)
    for number in range(5):
        sender._put("q", {"number": number})

    assert [receiver._get("q")["number"] for _ in range(5)] == [0, 1, 2, 3, 4]
    with pytest.raises(Empty):
        receiver._get("q")


def test_a_half_written_message_is_never_read(tmp_path):
    sender, receiver = channel(tmp_path), channel(tmp_path)
    sender._put("q", {"number": 1})
    receiver._get("q")
    (tmp_path / "incoming" / "half").write_text('{"num')

    with pytest.raises(Empty):
        receiver._get("q")


def test_a_message_that_another_worker_took_is_passed_over(tmp_path):
    sender, slow, fast = channel(tmp_path), channel(tmp_path), channel(tmp_path)
    for number in range(3):
        sender._put("q", {"number": number})
    assert slow._get("q") == {"number": 0}  # has listed the other two now

    assert fast._get("q") == {"number": 1}
    assert slow._get("q") == {"number": 2}


def test_queues_are_counted_and_emptied_apart(tmp_path):
    sender = channel(tmp_path)
    sender._put("one", {})
    sender._put("two", {})

    assert (sender._size("one"), sender._purge("one"), sender._size("one"), sender._size("two")) == (1, 1, 0, 1)
