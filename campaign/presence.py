"""Whether whoever sent a request still waits for the answer."""

import socket
from functools import partial


def presence_of(request):
    """Return a function that tells whether a request's connection is still open; without a socket, it says yes."""
    return partial(is_open, request.META.get("gunicorn.socket"))


def is_open(connection):
    """Return whether the other end of a connection is there, without taking anything from what it has sent."""
    if connection is None:
        return True
    try:
        return connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) != b""
    except (BlockingIOError, InterruptedError, ValueError):
        return True  # nothing to read: it waits; a connection with TLS cannot be asked
    except OSError:
        return False
