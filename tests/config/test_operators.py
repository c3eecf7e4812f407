"""A site in production that lacks something says so to those who run it, and to nobody else."""

import pytest

from config.operators import WITHOUT_MAIL, warnings
from tests.world import World

CONSOLE = "django.core.mail.backends.console.EmailBackend"
SMTP = "django.core.mail.backends.smtp.EmailBackend"


@pytest.mark.parametrize(
    ("debug", "backend", "told"),
    [(False, CONSOLE, [WITHOUT_MAIL]), (False, SMTP, []), (True, CONSOLE, [])],
)
def test_production_without_a_mail_server_is_warned_of(settings, debug, backend, told):
    settings.DEBUG, settings.EMAIL_BACKEND = debug, backend

    assert warnings() == told


def test_superusers_read_it_on_the_status_page_and_in_the_administration(client, world: World, settings):
    settings.EMAIL_BACKEND = CONSOLE
    root = world.person("root", is_superuser=True, is_staff=True)

    assert WITHOUT_MAIL not in client.get("/status/").content.decode()
    client.force_login(world.organiser)
    assert WITHOUT_MAIL not in client.get("/status/").content.decode()
    client.force_login(root)
    assert WITHOUT_MAIL in client.get("/status/").content.decode()
    assert WITHOUT_MAIL in client.get("/admin/").content.decode()

    settings.EMAIL_BACKEND = SMTP
    assert WITHOUT_MAIL not in client.get("/status/").content.decode()
