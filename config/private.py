"""What the site writes is for its own account alone: no other user of the machine reads the database or the files."""

import os
import stat
from contextlib import suppress
from pathlib import Path

MASK = 0o077
WRITES_SOURCE = {"makemigrations", "startapp", "startproject"}
"""Commands whose files belong to the project, not to a site."""


def keep_private():
    """Let this process, and those it starts, make files and folders for its own account alone."""
    os.umask(MASK)


def tighten(folder, database=None):
    """Close a folder of earlier versions, what lies in it, and a database elsewhere; returns what stays open.

    Below the folder nothing is reached that is closed at its top, so the trees in it are left as they are.
    """
    places = [folder, *(folder.iterdir() if folder.is_dir() else ())]
    if database:
        places += [Path(f"{database}{ending}") for ending in ("", "-wal", "-shm", "-journal")]
    return [place for place in places if place.exists() and not place.is_symlink() and not _close(place)]


def _close(place):
    """Take others' rights away; returns whether they have none now."""
    mode = stat.S_IMODE(place.stat().st_mode)
    if mode & MASK:
        with suppress(PermissionError):
            place.chmod(mode & ~MASK)
            return True
        return False
    return True
