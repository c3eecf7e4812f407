"""A walk over every address that is not the desk's, as somebody, with the switches of a task in some state."""

from contextlib import contextmanager
from datetime import timedelta

from django.db import transaction
from django.test import Client, override_settings
from django.urls import reverse
from django.utils import timezone

from campaign.models import SWITCHES, Task
from campaign.services.generations import raise_generation
from tests.needs import LETTERS
from tests.stage import Stage, addresses, is_third_party

INVITING = {"team-join"}
"""Whoever has such a link reads whose it is."""


@contextmanager
def standing(make, blocker, folder):
    """Make a stage for all tests of a file, in a transaction that is taken back at the end."""
    with blocker.unblock(), override_settings(MEDIA_ROOT=folder), transaction.atomic():
        yield make()
        transaction.set_rollback(True)


class Walk(Stage):
    """The stage with a reviewer, before anybody could see a score; the switches can be opened and closed."""

    def __init__(self):
        super().__init__()
        client = Client()
        client.post(reverse("review", args=[self.reviewer_link.token]))
        self.cookies["reviewer"] = {name: cookie.value for name, cookie in client.cookies.items()}
        self.headers["reviewer"], self.people["reviewer"] = {}, None

    def _play(self):
        Task.objects.update(
            **dict.fromkeys(SWITCHES, "never")
        )  # or people were told of scores while they could see them
        self.task.refresh_from_db()
        super()._play()

    def reveal(self, letters, published):
        """Open some switches at once and leave the others for publication, which is to come or was just now."""
        moment = timezone.now() + (timedelta(seconds=-2) if published else timedelta(days=1))
        opened = {LETTERS[letter] for letter in letters}
        values = {name: "at-once" if name in opened else "at-publication" for name in SWITCHES}
        Task.objects.filter(pk=self.task.pk).update(published_at=moment, assessments_while_open=True, **values)
        raise_generation(self.task)
        return set(SWITCHES) if published else opened

    def answer(self, role, path):
        """Return what somebody is answered at an address."""
        client, headers = Client(raise_request_exception=False), None
        if path.startswith("/api/v1/"):
            headers = self.headers[role]
        else:
            client.cookies.load(self.cookies[role])
        response = client.get(path, headers=headers)
        assert response.status_code < 500 or path in ("/readyz", "/status.json"), path
        return response

    def open_addresses(self, queries=None):
        """Yield the addresses that are not the desk's, each also with the queries that are given by its name."""
        for name, route, view in addresses():
            if is_third_party(name, route, view) or route.startswith("desk/") or name in INVITING:
                continue
            path = self.path(name, route)
            for query in ("", *(queries or {}).get(name, ())):
                yield name, path + (query.replace("?", "&") if "?" in path else query)
