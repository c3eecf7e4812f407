"""All valid runs in one archive, as they were submitted, with an index."""

import gzip
import shutil
import zipfile
from datetime import UTC

from campaign.machinery.storage import open_stored, temporary_file
from campaign.models import Run
from limelight.spreadsheets import as_csv

HEAD = ("file", "name", "team", "task", "sha256", "official")
INDEX = "index.csv"
EARLIEST = 1980
"""A zip knows no earlier year."""


def archive_of(tasks):
    """Write the valid runs of tasks into a zip; returns it as an open temporary file, at its beginning."""
    runs = Run.objects.valid().filter(task__in=tasks).for_lists().order_by("task__track__slug", "task__slug", "pk")
    target = temporary_file()  # whoever sends it closes it, and then it is gone
    try:
        _write(runs, target, in_folders=len(tasks) > 1)
    except BaseException:
        target.close()
        raise
    target.seek(0)
    return target


def _write(runs, target, in_folders):
    rows, taken = [], set()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for run in runs.iterator():
            with open_stored(run.stored_file) as source:
                ending = _ending(source)
                name = _unused(_place(run, in_folders), ending, taken)
                entry = zipfile.ZipInfo(name, _moment(run))
                entry.compress_type = zipfile.ZIP_STORED if ending.endswith(".gz") else zipfile.ZIP_DEFLATED
                entry.external_attr = 0o644 << 16
                with archive.open(entry, "w", force_zip64=True) as place:
                    shutil.copyfileobj(source, place)
            official = "yes" if run.is_official else "no"
            rows.append((name, run.name, run.team.name, run.task.name, run.sha256, official))
        archive.writestr(INDEX, as_csv([HEAD, *rows]))


def _place(run, in_folders):
    own = f"{run.team.slug}/{run.name}"
    return f"{run.task.track.slug}/{run.task.slug}/{own}" if in_folders else own


def _unused(place, ending, taken):
    """Return a name that differs from all others also where capitals are not told apart."""
    name, count = f"{place}{ending}", 1
    while name.casefold() in taken:
        count += 1
        name = f"{place}-{count}{ending}"
    taken.add(name.casefold())
    return name


def _ending(source):
    """Tell the ending of a run's file by its first bytes: its own name may say anything."""
    packed = source.read(2) == b"\x1f\x8b"
    source.seek(0)
    start = (gzip.GzipFile(fileobj=source) if packed else source).read(64)
    source.seek(0)
    kind = ".xml" if start.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<") else ".fol"
    return f"{kind}.gz" if packed else kind


def _moment(run):
    at = run.created_at.astimezone(UTC)
    return (max(at.year, EARLIEST), at.month, at.day, at.hour, at.minute, at.second)
