"""Celery's queue in a folder, for a machine without Redis: messages are published and claimed by atomic rename.

Kombu's own filesystem transport reads files that are still being written. Here a message is written under
`incoming/` and renamed into its queue's folder when it is whole; a worker claims it by renaming it away, which
succeeds for exactly one of them.
"""

import os
import time
import uuid
from collections import deque
from pathlib import Path
from queue import Empty

from kombu.transport import virtual
from kombu.utils.json import dumps, loads


class Channel(virtual.Channel):
    """Queues as folders, messages as files named so that the oldest sorts first."""

    supports_fanout = False

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.folder = Path(self.connection.client.transport_options["folder"])
        self.listed = {}

    def _subfolder(self, name):
        folder = self.folder / name
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def _put(self, queue, message, **kwargs):
        name = f"{time.time_ns():020d}-{uuid.uuid4().hex}"
        unfinished = self._subfolder("incoming") / name
        try:
            unfinished.write_text(dumps(message))
            unfinished.rename(self._subfolder(f"queue-{queue}") / name)
        except OSError:  # a full disk: half a message is none, and the sweep sends another
            unfinished.unlink(missing_ok=True)
            raise

    def _get(self, queue, timeout=None):
        folder = self._subfolder(f"queue-{queue}")
        names = self.listed.setdefault(queue, deque())
        if not names:
            names.extend(sorted(os.listdir(folder)))
        while names:
            name = names.popleft()
            claimed = self._subfolder("claimed") / name
            try:
                (folder / name).rename(claimed)
            except FileNotFoundError:
                continue  # another worker was faster
            try:
                return loads(claimed.read_text())
            except ValueError:
                continue  # the machine went down before all of it was on the disk; the sweep sends another
            finally:
                claimed.unlink()
        raise Empty

    def _has_queue(self, queue, **kwargs):
        return True

    def _size(self, queue):
        return len(os.listdir(self._subfolder(f"queue-{queue}")))

    def _purge(self, queue):
        folder = self._subfolder(f"queue-{queue}")
        names = os.listdir(folder)
        for name in names:
            (folder / name).unlink(missing_ok=True)
        return len(names)

    def _delete(self, queue, *args, **kwargs):
        self._purge(queue)


class Transport(virtual.Transport):
    """Celery's view of the folder: `broker_transport_options` names it in `folder`."""

    Channel = Channel
    global_state = virtual.BrokerState()
    driver_type = "filesystem"
    driver_name = "limelight-filesystem"

    def __init__(self, client, **kwargs):
        super().__init__(client, **kwargs)
        self.polling_interval = client.transport_options.get("polling_interval", 0.1)
        self.state = self.global_state
