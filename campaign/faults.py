"""What people and programs are told when the fault is not theirs: which status, and which sentence."""

import errno
from typing import NamedTuple

from django.db import InterfaceError, OperationalError

from campaign.machinery.places import Busy, Gone
from campaign.machinery.storage import Damaged
from campaign.machinery.whole_files import is_no_room

NO_ROOM = (
    "There is no room left on our disk, so nothing of this was kept. Nothing you did caused it: try again when the "
    "operators have made room."
)
CANNOT_WRITE = (errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO, errno.ENOTDIR, errno.ENODEV, errno.ESTALE)
STORAGE_AWAY = (
    "Our storage cannot be used just now, so nothing of this was kept. Nothing you did caused it: try again in a "
    "minute, or when the operators have mended it."
)
AWAY = "Our database does not answer just now. Nothing you sent before is lost: try again in a minute."
DAMAGED = (
    "A file that we stored {what}, so nothing is read from it and nothing wrong is shown. Tell the operators this "
    "name: {name}."
)
GONE = "Nobody waits for this any more."


class Fault(NamedTuple):
    """A status, its heading and its sentence, after how many seconds to come back, and whether the log hears of it."""

    status: int
    heading: str
    sentence: str
    retry_after: int | None = None
    is_logged: bool = True


def fault_of(error):
    """Return what is told of an exception that is no fault of whoever asked; None where nothing better is known."""
    if is_no_room(error):
        return Fault(507, "No room left", NO_ROOM)
    if isinstance(error, Busy):
        return Fault(503, "Busy just now", str(error), error.retry_after, is_logged=False)
    if isinstance(error, Gone):
        return Fault(499, "Gone", GONE, is_logged=False)
    if isinstance(error, Damaged):
        return Fault(500, "This one is our fault", DAMAGED.format(what=error.what, name=error.name))
    if isinstance(error, OperationalError | InterfaceError):
        return Fault(503, "The database is away", AWAY, retry_after=60)
    if isinstance(error, OSError) and error.errno in CANNOT_WRITE:
        return Fault(503, "Our storage is away", STORAGE_AWAY, retry_after=60)
    return None
