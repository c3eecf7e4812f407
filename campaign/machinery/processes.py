"""Processes as rows and files remember them: the name of this one, and whether another is gone. Without Django."""

import os
import socket


def this_process():
    """Name this process so that others on the machine can tell whether it still lives."""
    return f"{socket.gethostname()}/{os.getpid()}"


def is_dead(process):
    """Return whether a name is that of a process of this machine that no longer exists."""
    host, _, pid = process.rpartition("/")
    if host != socket.gethostname() or not pid.isdigit():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False
