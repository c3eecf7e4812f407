"""The Celery application: messages only wake workers, the database rows are the queue of record."""

import os
import warnings

from celery import Celery
from celery.platforms import SecurityWarning
from celery.signals import worker_init
from kombu.transport import TRANSPORT_ALIASES

from config.private import keep_private

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

TRANSPORT_ALIASES["folder"] = "config.filesystem_transport:Transport"

# Celery warns root because of pickled messages; ours are JSON, and hold a task's name and a number.
warnings.filterwarnings("ignore", category=SecurityWarning)

app = Celery("limelight")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_init.connect
def private_worker(**_):
    """Let workers that an operator starts by hand write for their account alone, too."""
    keep_private()
