"""The visitors of `script/bench pages`, before a small server of our own; and what a bench says about its names."""

import subprocess
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from bench.sites import free_port, processor_seconds
from bench.visitors import ask_often, ask_once, request_for
from tests.folders import ROOT


class Pages(BaseHTTPRequestHandler):
    """Answers in each of the ways that a server has to say where an answer ends."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        if self.headers.get("If-None-Match") == '"1"':
            self.send_response(304)
            self.end_headers()
        elif self.path == "/chunked":
            self.send_response(200)
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            self.wfile.write(b"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
        else:
            self.send_response(200)
            self.send_header("Content-Length", "4")
            if self.path == "/bye":
                self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(b"page")

    def log_message(self, *_):
        pass


@pytest.fixture
def port():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server.server_port
    server.shutdown()
    thread.join()
    server.server_close()


def test_an_answer_is_read_to_its_end_however_that_is_told(port):
    assert ask_once(port, "/")[::2] == (200, b"page")
    assert ask_once(port, "/chunked")[::2] == (200, b"abcde")
    assert ask_once(port, "/", if_none_match='"1"')[::2] == (304, b"")


@pytest.mark.parametrize("path", ["/", "/chunked", "/bye"])
def test_visitors_ask_no_more_often_than_they_may(port, path):
    answers = ask_often(port, lambda number: request_for(path), visitors=3, seconds=30, most=20)

    assert answers.statuses == {200: 20}
    assert answers.rate > 1


def test_visitors_stop_after_a_while(port):
    asked = []

    def request_of(number):
        asked.append(number)
        return request_for(f"/?{number}")

    answers = ask_often(port, request_of, visitors=2, seconds=0.2, most=1_000_000)

    assert 0.2 <= answers.seconds < 5
    assert sorted(asked) == list(range(answers.count))


def test_processor_time_is_that_of_a_process_and_all_below_it():
    below = subprocess.Popen(["sh", "-c", "while :; do :; done"])
    try:
        give_up_at = time.monotonic() + 20
        while processor_seconds(below.pid) < 0.05 and time.monotonic() < give_up_at:
            time.sleep(0.02)
        assert processor_seconds(below.pid) >= 0.05
        assert processor_seconds(below.pid, "no such name") == 0
    finally:
        below.kill()
        below.wait()
    assert free_port() > 0


def test_a_benchmark_that_is_none_is_refused_in_a_sentence():
    done = subprocess.run([ROOT / "script" / "bench", "nonsense"], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (
        2,
        "There is no benchmark “nonsense”. Say engine, formats, pages or overlay.\n",
    )
