"""Visitors that ask a server on this machine for one page over and over, each as soon as it has the answer."""

import socket
import threading
import time
from collections import Counter
from dataclasses import dataclass, field

LONGEST_WAIT = 120
"""Seconds for one answer."""


@dataclass
class Answers:
    """What came back, and in which time."""

    seconds: float = 0.0
    statuses: Counter = field(default_factory=Counter)
    size: int = 0

    @property
    def count(self):
        """Count the answers."""
        return self.statuses.total()

    @property
    def rate(self):
        """Return the answers a second."""
        return self.count / self.seconds


class Visitor:
    """One connection that is kept open."""

    def __init__(self, port):
        self.port, self.connection, self.stream = port, None, None

    def ask(self, request):
        """Send a request and return the answer's status, headers and body."""
        try:
            return self._exchange(request)
        except (ConnectionError, BrokenPipeError):  # the server closed a connection that nobody used for a while
            self.close()
            return self._exchange(request)

    def _exchange(self, request):
        if self.connection is None:
            self.connection = socket.create_connection(("127.0.0.1", self.port), timeout=LONGEST_WAIT)
            self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.stream = self.connection.makefile("rb")
        self.connection.sendall(request)
        first = self.stream.readline()
        if not first:
            raise ConnectionError("The server closed the connection.")
        status, headers = int(first.split()[1]), self._headers()
        body = self._body(status, headers)
        if headers.get("connection") == "close":
            self.close()
        return status, headers, body

    def _headers(self):
        headers = {}
        while (line := self.stream.readline().strip()) != b"":
            name, _, value = line.decode("latin-1").partition(":")
            headers[name.lower()] = value.strip()
        return headers

    def _body(self, status, headers):
        if status in (204, 304):
            return b""
        if headers.get("transfer-encoding") == "chunked":
            return b"".join(self._chunks())
        return self.stream.read(int(headers["content-length"]))

    def _chunks(self):
        while size := int(self.stream.readline(), 16):
            yield self.stream.read(size)
            self.stream.readline()
        self.stream.readline()

    def close(self):
        """Hang up."""
        if self.connection is not None:
            self.stream.close()
            self.connection.close()
            self.connection = None


def request_for(path, **headers):
    """Return a request as bytes."""
    lines = [f"GET {path} HTTP/1.1", "Host: 127.0.0.1"]
    lines += [f"{name.replace('_', '-').title()}: {value}" for name, value in headers.items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def ask_once(port, path, **headers):
    """Return the answer to one request."""
    visitor = Visitor(port)
    try:
        return visitor.ask(request_for(path, **headers))
    finally:
        visitor.close()


def ask_often(port, request_of, *, visitors, seconds, most):
    """Let some visitors ask for a while, at most so often in all; `request_of` makes the request of a number."""
    answers, lock, started = Answers(), threading.Lock(), time.perf_counter()
    numbers = iter(range(most))

    def visit():
        visitor = Visitor(port)
        try:
            while time.perf_counter() - started < seconds:
                with lock:
                    number = next(numbers, None)
                if number is None:
                    return
                status, _, body = visitor.ask(request_of(number))
                with lock:
                    answers.statuses[status] += 1
                    answers.size = len(body)
        finally:
            visitor.close()

    threads = [threading.Thread(target=visit) for _ in range(visitors)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    answers.seconds = time.perf_counter() - started
    return answers
