"""Taking runs in, and taking them back."""

import re
from pathlib import PurePath

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone

from campaign.models import Registration, Run
from campaign.models.runs import RUN_NAME
from campaign.services.permissions import may_submit
from campaign.services.refusals import Refused
from campaign.services.storage import store
from campaign.wake import wake

CHECK_TASK = "campaign.tasks.check_run"


def suggested_name(file_name):
    """Make a run name out of a file's name.

    >>> suggested_name("My best run (3).fol.gz")
    'My-best-run-3'
    """
    stem = re.sub(r"(\.(gz|txt|xml|fol|run|trec|res))+\Z", "", PurePath(file_name).name, flags=re.IGNORECASE)
    return re.sub(r"[^A-Za-z0-9._+-]+", "-", stem).strip("-._+")[:64] or "run"


def submit_run(*, user, team, task, upload, file_name, name="", description="", query="", topic_fields=()):
    """Store a run file and write its row in one step with the decision whether it may be submitted.

    Raises Refused, and then leaves no run behind. The same file under the same name again is the run it was before.
    """
    name = name or suggested_name(file_name)
    try:
        RUN_NAME(name)
    except ValidationError as error:
        raise Refused(error.messages[0], "name") from error
    permission = may_submit(user, team, task)
    if not permission:  # ask before storing 100 MB; ask again below, where it counts
        raise Refused(permission.reason)
    stored = store(upload, "runs")
    if stored.size == 0:
        raise Refused("This file is empty.", "file")
    try:
        with transaction.atomic():
            # Holding the registration's row makes check and insert one step a team on PostgreSQL;
            # on SQLite the transaction itself is the only writer.
            Registration.objects.select_for_update().filter(campaign=task.track.campaign, team=team).first()
            permission = may_submit(user, team, task)
            if not permission:
                raise Refused(permission.reason)
            run = Run.objects.create(
                task=task,
                team=team,
                submitted_by=user,
                name=name,
                description=description,
                query=query,
                topic_fields=list(topic_fields),
                file_name=PurePath(file_name.replace("\x00", "")).name[:255],
                sha256=stored.sha256,
                size=stored.size,
                stored_file=stored.name,
                woken_at=timezone.now(),
            )
            wake(CHECK_TASK, run.pk)
    except IntegrityError as error:
        same = Run.objects.standing().filter(task=task, team=team, name=name, sha256=stored.sha256)
        if run := same.exclude(state=Run.State.REJECTED).first():
            return run  # a second click, or a retry after a lost connection
        raise Refused(
            f"{team.name} already has a run named {name} in this task. Choose another name.", "name"
        ) from error
    return run


def withdraw_run(run):
    """Take a run off the board for good; its row stays as a tombstone."""
    Run.objects.filter(pk=run.pk, withdrawn_at=None).update(withdrawn_at=timezone.now(), is_official=False)
    run.refresh_from_db()
