"""The table of all work in the background: who is not in it is neither swept nor counted."""

import pytest
from celery import current_app
from django.apps import apps

from campaign.machinery.leases import Leased
from evaluation.services.background import QUEUES, queue_of

kinds = pytest.mark.parametrize("queue", QUEUES, ids=lambda queue: queue.model.__name__)


def test_every_row_of_work_is_in_the_table_once():
    leased = [model for model in apps.get_models() if issubclass(model, Leased)]

    assert sorted(model.__name__ for model in leased) == sorted(queue.model.__name__ for queue in QUEUES)


@kinds
def test_a_row_of_work_names_a_task_of_its_own_app(queue):
    current_app.loader.import_default_modules()

    assert queue.model.worker_task in current_app.tasks
    assert queue.model.worker_task.startswith(f"{queue.model._meta.app_label}.tasks.")


@kinds
def test_a_row_of_work_waits_is_worked_on_and_may_fail(queue):
    states = {queue.model.WAITING, queue.model.WORKING, queue.model.FAILED}

    assert len(states) == 3
    assert queue.model._meta.get_field("state").default == queue.model.WAITING


def test_the_desk_s_queue_names_what_is_done_to_which_run(world):
    world.activate()
    run = world.submit()

    (job,) = queue_of(world.campaign)

    assert (job.what, job.run, job.edition, job.is_working) == ("check", run, None, False)
