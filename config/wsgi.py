"""The web application as a server starts it."""

import os

from django.core.wsgi import get_wsgi_application

from config.private import keep_private

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

keep_private()
application = get_wsgi_application()
