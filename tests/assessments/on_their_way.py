"""Assessment files on their way in, for tests."""

from io import BytesIO

from assessments.services.previews import (
    read_import,
    take_file,
)
from campaign.services.acting import By
from tests.world import ASSESSMENTS


def taken(world, content=ASSESSMENTS, **fields):
    return take_file(world.track, by=By(world.organiser), upload=BytesIO(content), file_name="v.qrels", **fields)


def read(world, content=ASSESSMENTS, **fields):
    found = taken(world, content, **fields)
    read_import(found.pk)
    found.refresh_from_db()
    return found
