"""The web application as a server starts it."""

import os
from importlib import import_module

from django.core.wsgi import get_wsgi_application

from config.private import keep_private

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

keep_private()
application = get_wsgi_application()
import_module("config.urls")  # once, before processes part, and not while the first visitor waits
