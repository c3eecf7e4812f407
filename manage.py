#!/usr/bin/env python
"""Django's command line for Limelight."""

import os
import sys

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line

from config.private import WRITES_SOURCE, keep_private


def main():
    """Run a management command; a missing setting is one sentence, not a traceback."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        settings.INSTALLED_APPS  # noqa: B018 - Django itself would swallow the reason and fail later
    except ImproperlyConfigured as error:
        sys.exit(str(error))
    if not WRITES_SOURCE & set(sys.argv[1:2]):
        keep_private()
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
