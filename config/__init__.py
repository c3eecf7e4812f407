"""Wiring only. Loads the Celery application, so that web, commands and workers all send to the same queue."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
