"""What tests of assessments start from."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from assessments.services.pools import make_pool
from campaign.models import Run
from campaign.services.acting import By
from campaign.services.runs.checks import check_run
from tests.world import ASSESSMENTS

LUND = b"1 Q0 a 1 9 r 0 50\n1 Q0 b 2 8 r 0 50\n2 Q0 c 1 7 r 0 200\n3 Q0 d 1 6 r 0 100\n"


DELFT = b"1 Q0 c 1 9 r 10 20\n1 Q0 a 2 8 r 60 40\n2 Q0 c 1 7 r 0 10\n"


MORE = b"1 Q0 d 1 9 r 0 20\n"


@pytest.fixture
def runs(world):
    """Return three valid runs: one of Lund, two of Delft, of which the later one is official."""
    made = [
        world.submit(LUND, name="lund"),
        world.submit(DELFT, user=world.bob, team=world.bobs, name="delft"),
        world.submit(MORE, user=world.bob, team=world.bobs, name="more"),
    ]
    for run in made:
        check_run(run.pk)
    Run.objects.filter(name="more").update(is_official=True)
    return list(Run.objects.order_by("pk"))


@pytest.fixture
def desk(client, world):
    client.force_login(world.organiser)
    return client


@pytest.fixture
def pool(world, runs):
    return make_pool(world.track, by=By(world.organiser), runs=runs, depth=2).pool


@pytest.fixture
def command(world, tmp_path):
    def command(*options, content=ASSESSMENTS, track="small/ad-hoc"):
        file, out, err = tmp_path / "v.qrels", StringIO(), StringIO()
        file.write_bytes(content)
        try:
            call_command("import_assessments", track, str(file), *options, stdout=out, stderr=err)
        except CommandError as error:
            return error.returncode, out.getvalue(), err.getvalue() + str(error)
        return 0, out.getvalue(), err.getvalue()

    return command
