"""Stored files are whole or not there: broken-off writes, full disks, short files under a good name."""

import errno
import os
import subprocess
import sys
from io import BytesIO
from pathlib import Path

import pytest
from django.core.files.storage import InMemoryStorage, default_storage

from campaign.machinery import storage
from campaign.machinery.storage import Damaged, open_stored, store, store_bytes, sweep_storage
from campaign.machinery.whole_files import UNFINISHED, NoRoom, put_in_place, unfinished_name

CONTENT = b"0123456789" * 20_000


@pytest.fixture
def files(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "files"
    return settings.MEDIA_ROOT


class FullDisk(BytesIO):
    """A file whose reading fails as writing to a full disk does, after some of it has been written."""

    def __init__(self, content, error=errno.ENOSPC):
        super().__init__(content)
        self.error = error

    def read(self, size=-1):
        if self.tell() >= 100_000:
            raise OSError(self.error, os.strerror(self.error))
        return super().read(min(size, 50_000) if size > 0 else 50_000)


def everything_in(folder):
    return sorted(path for path in Path(folder).rglob("*") if path.is_file())


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk_leaves_nothing_behind_and_the_next_try_stores_all_of_it(files, error):
    path = files / "runs" / "ab" / "name"

    with pytest.raises(NoRoom):
        put_in_place(FullDisk(CONTENT, error), path, files / "runs")

    assert everything_in(files) == []
    put_in_place(BytesIO(CONTENT), path, files / "runs")
    assert everything_in(files) == [path]
    assert path.read_bytes() == CONTENT


@pytest.mark.parametrize("damage", [CONTENT[:343], b"", CONTENT[:-1], b"x" * len(CONTENT)])
def test_what_stands_under_the_right_name_is_not_trusted(files, damage):
    stored = store(BytesIO(CONTENT), "runs")
    Path(default_storage.path(stored.name)).write_bytes(damage)

    with pytest.raises(Damaged, match="is not what was stored"):
        open_stored(stored.name)
    again = store(BytesIO(CONTENT), "runs")

    assert again == stored
    with open_stored(stored.name) as stream:
        assert stream.read() == CONTENT


def test_a_derived_file_that_is_short_is_written_again(files):
    store_bytes("documents/ab/some-v1.npz", CONTENT)
    Path(default_storage.path("documents/ab/some-v1.npz")).write_bytes(CONTENT[:10])

    store_bytes("documents/ab/some-v1.npz", CONTENT)

    assert Path(default_storage.path("documents/ab/some-v1.npz")).read_bytes() == CONTENT


def test_whole_files_are_not_written_twice(files):
    stored = store(BytesIO(CONTENT), "runs")
    before = Path(default_storage.path(stored.name)).stat()

    store(BytesIO(CONTENT), "runs")

    assert Path(default_storage.path(stored.name)).stat().st_mtime_ns == before.st_mtime_ns


def test_a_missing_file_is_our_fault(files):
    with pytest.raises(Damaged, match=r"The stored file runs/ab/none is missing\."):
        open_stored("runs/ab/none")


def test_a_file_is_proved_once_and_again_when_it_was_touched(files, monkeypatch):
    stored = store(BytesIO(CONTENT), "runs")
    open_stored(stored.name).close()
    monkeypatch.setattr(storage, "content_hash", lambda stream: pytest.fail("it was read through a second time"))

    open_stored(stored.name).close()

    monkeypatch.undo()
    path = Path(default_storage.path(stored.name))
    with path.open("r+b") as opened:
        opened.truncate(100)
    with pytest.raises(Damaged):
        open_stored(stored.name)


def test_folders_and_files_are_for_us_alone(files):
    stored = store(BytesIO(CONTENT), "runs")

    path = Path(default_storage.path(stored.name))
    assert [found.stat().st_mode & 0o777 for found in (path, path.parent)] == [0o600, 0o700]


def test_what_a_killed_writer_left_is_swept_and_what_is_being_written_is_not(files):
    code = f"""
import os, signal, sys
from pathlib import Path
from campaign.machinery.whole_files import put_in_place
class Killed:
    def read(self, size):
        if self.reads: os.kill(os.getpid(), signal.SIGKILL)
        self.reads = True
        return b"x" * 1000
    reads = False
put_in_place(Killed(), Path({str(files)!r}) / "runs/ab/name", Path({str(files)!r}) / "runs")
"""
    subprocess.run([sys.executable, "-c", code], check=False)
    [orphan] = everything_in(files)
    ours = orphan.with_name(unfinished_name())
    ours.write_bytes(b"being written")
    assert orphan.parent == files / "runs" / UNFINISHED

    assert sweep_storage() == 1

    assert everything_in(files) == [ours]
    os.utime(ours, (0, 0))
    assert sweep_storage() == 1


class ShortStorage(InMemoryStorage):
    """A store of objects that keeps less than it was given."""

    def size(self, name):
        return min(super().size(name), 100)


def elsewhere(settings, backend):
    settings.STORAGES = settings.STORAGES | {"default": {"BACKEND": backend}}


def test_a_storage_without_paths_works_and_short_objects_are_taken_back(settings):
    elsewhere(settings, "tests.campaign.machinery.test_storage.PathlessStorage")

    stored = store(BytesIO(CONTENT), "runs")
    with open_stored(stored.name) as stream:
        assert stream.read() == CONTENT
    assert store(BytesIO(CONTENT), "runs") == stored

    elsewhere(settings, "tests.campaign.machinery.test_storage.ShortStorage")
    with pytest.raises(Damaged, match="is not whole"):
        store(BytesIO(CONTENT), "runs")
    assert not default_storage.exists(stored.name)


class PathlessStorage(InMemoryStorage):
    """A store of objects."""
