"""Taking runs in, and taking them back."""

import re
from pathlib import PurePath
from typing import NamedTuple

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone

from campaign.machinery.storage import content_hash, store
from campaign.models import Registration, Run
from campaign.models.runs import RUN_NAME
from campaign.services.generations import raise_generation
from campaign.services.permissions.changing import may_replace
from campaign.services.permissions.submitting import may_submit
from campaign.services.refusals import Refused, require
from limelight.formats.runs.beginning import BEGINNING_SIZE, read_beginning
from limelight.wording import LONGEST_REMARK

LONGEST_KEY = Run._meta.get_field("submission_key").max_length


def suggested_name(file_name):
    """Make a run name out of a file's name.

    >>> suggested_name("My best run (3).fol.gz")
    'My-best-run-3'
    """
    stem = re.sub(r"(\.(gz|txt|xml|fol|run|trec|res))+\Z", "", PurePath(file_name).name, flags=re.IGNORECASE)
    return run_name_like(stem) or "run"


def run_name_like(text):
    """Return the run name that comes closest to a text; empty where nothing of it can stay.

    >>> run_name_like("BM25 (b=0.4)"), run_name_like("…")
    ('BM25-b-0.4', '')
    """
    return re.sub(r"[^A-Za-z0-9._+-]+", "-", text).strip("-._+")[:64]


def said_by(upload):
    """Return what a run file says about itself, as fields of a submission."""
    upload.seek(0)
    said = read_beginning(upload.read(BEGINNING_SIZE))
    upload.seek(0)
    return {
        "name": run_name_like(said.run_id),
        "description": said.description[:LONGEST_REMARK],
        "query": said.query,
        "topic_fields": said.topic_fields,
        "problem": said.problem,
    }


class KeyTaken(Refused):
    """The sender's key already names another submission."""


class Submission(NamedTuple):
    """A run, and whether it was taken in just now or had been before."""

    run: Run
    is_new: bool


def submit_run(
    task,
    *,
    by,
    team,
    upload,
    file_name,
    name="",
    description="",
    query="",
    topic_fields=(),
    submission_key="",
    replaces=None,
):
    """Store a run file and write its row in one step with the decision whether it may be submitted; tells if it is new.

    Raises Refused, and then leaves no run behind. The same file under the same name again is the run it was before; so
    is whatever the sender sends again under a key of theirs, and then neither quota nor deadline matters any more.
    What is left empty is taken from the file. A run that is replaced is withdrawn in the same step.
    """
    said = said_by(upload)
    name = name or (replaces.name if replaces else "") or said["name"] or suggested_name(file_name)
    try:
        RUN_NAME(name)
    except ValidationError as error:
        raise Refused(error.messages[0], "name") from error
    if len(submission_key) > LONGEST_KEY:
        raise Refused(f"A submission key has at most {LONGEST_KEY} characters.", "submission_key")

    def sent_before():
        return _sent_before(by.user, submission_key, upload, task=task, team=team)

    if run := sent_before():
        return Submission(run, is_new=False)
    try:
        # Before storing 100 MB; asked again below, where it counts.
        require(may_replace(by.user, replaces) if replaces else may_submit(by.user, team, task))
        stored = store(upload, "runs")
        if stored.size == 0:
            raise Refused("This file is empty.", "file")
        with transaction.atomic():
            # Holding the registration's row makes check and insert one step a team on PostgreSQL;
            # on SQLite the transaction itself is the only writer.
            Registration.objects.select_for_update().filter(campaign=task.track.campaign, team=team).first()
            is_official = replaces is not None and _make_way(replaces, team, task)
            require(may_submit(by.user, team, task))
            run = Run.objects.enqueue(
                task=task,
                team=team,
                submitted_by=by.user,
                name=name,
                description=description or said["description"],
                query=query or said["query"],
                topic_fields=list(topic_fields or said["topic_fields"]),
                replaces=replaces,
                is_official=is_official,
                submission_key=submission_key,
                file_name=PurePath(file_name.replace("\x00", "")).name[:255],
                sha256=stored.sha256,
                size=stored.size,
                stored_file=stored.name,
            )
    except Refused:
        if run := sent_before():  # it came in while we asked, and may have taken the last place
            return Submission(run, is_new=False)
        raise
    except IntegrityError as error:
        same = Run.objects.standing().filter(task=task, team=team, name=name, sha256=stored.sha256)
        # The same key came in beside us; or it is a second click, or a retry after a lost connection.
        if run := sent_before() or same.exclude(state=Run.State.REJECTED).first():
            return Submission(run, is_new=False)
        raise Refused(
            f"{team.name} already has a run named {name} in this task. Choose another name.", "name"
        ) from error
    return Submission(run, is_new=True)


def _make_way(old, team, task):
    """Withdraw the run that another one replaces; returns whether it was the team's official one."""
    raise_generation(task)
    standing = Run.objects.standing().filter(pk=old.pk, team=team, task=task)
    was_official = standing.filter(is_official=True).exists()
    if not standing.update(withdrawn_at=timezone.now(), is_official=False):
        raise Refused(f"{old.name} has been withdrawn or replaced already.")
    return was_official


def _sent_before(user, submission_key, upload, **submission):
    """Return the run that a sender's key names, if any; raises KeyTaken where it names another submission.

    Names are not compared: the run may have been given another one since.
    """
    if not submission_key:
        return None
    run = Run.objects.for_lists().filter(submitted_by=user, submission_key=submission_key).first()
    if run is None:
        return None
    if run.sha256 != content_hash(upload).sha256 or any(
        getattr(run, field) != value for field, value in submission.items()
    ):
        raise KeyTaken("This key was used for another submission.", "submission_key")
    return run


def withdraw_run(run):
    """Take a run off the board for good; its row stays as a tombstone."""
    with transaction.atomic():
        raise_generation(run.task)
        Run.objects.filter(pk=run.pk, withdrawn_at=None).update(withdrawn_at=timezone.now(), is_official=False)
    run.refresh_from_db()
