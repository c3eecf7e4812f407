"""The Celery application: messages only wake workers, the database rows are the queue of record."""

import os
import warnings

from celery import Celery
from celery.platforms import SecurityWarning
from kombu.transport import TRANSPORT_ALIASES

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

TRANSPORT_ALIASES["folder"] = "config.filesystem_transport:Transport"

# Celery warns root because of pickled messages; ours are JSON, and hold a task's name and a number.
warnings.filterwarnings("ignore", category=SecurityWarning)

app = Celery("limelight")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
