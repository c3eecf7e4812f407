"""Files that are whole or not there: written under another name, made sure of on the disk, then moved into place."""

import errno
import os
import shutil
import sqlite3
import time
import uuid
from contextlib import contextmanager
from pathlib import Path

from campaign.machinery.processes import is_dead, this_process

UNFINISHED = "unfinished"
"""The folder, beside those that it is written for, of files that are still being written."""

NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
A_DAY = 24 * 3600
FILE_MODE, FOLDER_MODE = 0o600, 0o700


class NoRoom(Exception):
    """The disk, or our share of it, is full."""

    def __init__(self):
        super().__init__("There is no room left on our disk.")


def is_no_room(error):
    """Return whether an exception, or what caused it, says that a disk is full."""
    while error is not None:
        if isinstance(error, NoRoom) or (isinstance(error, OSError) and error.errno in NO_ROOM):
            return True
        if isinstance(error, sqlite3.Error) and getattr(error, "sqlite_errorname", "") == "SQLITE_FULL":
            return True
        if getattr(error, "sqlstate", None) == "53100":  # PostgreSQL's disk_full
            return True
        error = error.__cause__ or error.__context__
    return False


@contextmanager
def room_needed():
    """Say NoRoom where what is done in the block fills the disk."""
    try:
        yield
    except OSError as error:
        if error.errno in NO_ROOM:
            raise NoRoom from error
        raise


def put_in_place(stream, path, top):
    """Write a stream to a path below a folder, so that whoever finds the file finds all of it, even after a crash.

    What is not finished lies in a folder of its own at the top, where `sweep_unfinished` finds it.
    """
    unfinished = top / UNFINISHED / unfinished_name()
    with room_needed():
        try:
            _make_folder(unfinished.parent)
            _make_folder(path.parent)
            _write(stream, unfinished)
            unfinished.replace(path)
            _settle(path.parent)
        except BaseException:
            unfinished.unlink(missing_ok=True)
            raise


def _write(stream, path):
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE_MODE), "wb") as target:
        shutil.copyfileobj(stream, target, 1 << 20)
        target.flush()
        os.fsync(target.fileno())


def _make_folder(folder):
    """Make a folder with those above it, and have each one's entry on the disk."""
    if folder.is_dir():
        return
    _make_folder(folder.parent)
    folder.mkdir(mode=FOLDER_MODE, exist_ok=True)
    _settle(folder.parent)


def _settle(folder):
    """Have a folder's entries on the disk; a file system that cannot is taken at its word."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP, errno.EBADF):
            raise
    finally:
        os.close(handle)


def unfinished_name():
    """Return a name for a file that is still being written, which tells by whom."""
    return f"{this_process().replace('/', '-')}-{uuid.uuid4().hex}"


def sweep_unfinished(root):
    """Remove what writers that are gone left unfinished below a folder's folders; returns how many files."""
    swept = 0
    for path in Path(root).glob(f"*/{UNFINISHED}/*"):
        try:
            if _is_abandoned(path):
                path.unlink()
                swept += 1
        except FileNotFoundError:
            continue  # finished, or swept by another
    return swept


def _is_abandoned(path):
    host, _, pid = path.name.rpartition("-")[0].rpartition("-")
    return is_dead(f"{host}/{pid}") or time.time() - path.stat().st_mtime > A_DAY
