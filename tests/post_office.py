"""Mail servers for tests: one that takes mail or refuses it, one that hangs, one that hangs up, and none at all."""

import socket
import threading
from contextlib import contextmanager
from email import message_from_bytes, policy

from aiosmtpd.controller import Controller

from tests.services.site import free_port


class PostOffice:
    """A real SMTP server in a thread; keeps what it takes, and refuses the addresses it is told to refuse."""

    def __init__(self, port=None):
        self.port = port or free_port()
        self.letters, self.refused, self.connections = [], set(), 0
        self.answer_to_data = "250 OK"
        self.controller = Controller(self, hostname="127.0.0.1", port=self.port)

    def __enter__(self):
        self.controller.start()
        return self

    def __exit__(self, *_):
        self.controller.stop()

    async def handle_EHLO(self, server, session, envelope, hostname, responses):  # noqa: N802 - aiosmtpd's names
        self.connections += 1
        session.host_name = hostname
        return responses

    async def handle_RCPT(self, server, session, envelope, address, rcpt_options):  # noqa: N802
        if address in self.refused:
            return "550 No such person here"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):  # noqa: N802
        if self.answer_to_data.startswith("250"):
            self.letters.append((envelope.rcpt_tos, message_from_bytes(envelope.content, policy=policy.default)))
        return self.answer_to_data

    def letters_to(self, address):
        """Return the mail that came for one address."""
        return [letter for recipients, letter in self.letters if address in recipients]


@contextmanager
def listening(port=None):
    """Listen on a port and answer nothing: who connects waits."""
    with socket.socket() as server:
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        server.bind(("127.0.0.1", port or 0))
        server.listen(100)
        yield server


@contextmanager
def hanging(port=None):
    """Run a mail server that accepts connections and then says nothing; yields its port."""
    with listening(port) as server:
        yield server.getsockname()[1]


@contextmanager
def hanging_up():
    """Run a mail server that greets and then closes the connection; yields its port."""
    with listening() as server:

        def answer():
            while True:
                try:
                    client, _ = server.accept()
                except OSError:
                    return
                with client:
                    client.sendall(b"220 hello\r\n")
                    client.recv(100)

        threading.Thread(target=answer, daemon=True).start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)
