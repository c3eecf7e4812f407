"""Addresses that others wrote, asked by everybody: rules instead of lines."""

import pytest
from django.urls import reverse

from tests.stage import DOCUMENTATION, ROLES, addresses, code_of, is_third_party

pytestmark = pytest.mark.slow

BEHIND_SIGN_IN = {
    "account_reauthenticate",
    "account_email",
    "account_change_password",
    "account_set_password",
    "socialaccount_connections",
    "socialaccount_signup",
}


def third_party_addresses(on_stage, in_administration):
    """Yield each address that is not ours: its name, and a path that leads to it."""
    for name, route, view in addresses():
        if is_third_party(name, route, view) and route.startswith("admin/") == in_administration:
            yield name, on_stage.path(name, route)


def test_the_administration_lets_in_staff_only(stage):
    on_stage, faults = stage(), []
    # Of those who are not staff, organisers have most to do here; the door knows no other difference.
    refused = [(method, role) for method in ("GET", "POST") for role in ("visitor", "organiser")]

    for name, path in third_party_addresses(on_stage, in_administration=True):
        for method, role in refused:
            answer, is_changed = on_stage.ask(role, method, name, path)
            sign_in = f"{reverse('admin:login')}?next="
            if name == "admin:login":
                is_out = code_of(answer) == ("in" if role == "visitor" else "403")
            elif name == "admin:logout":
                is_out = answer.status_code == 302 and answer.url == reverse("admin:index")
            else:
                is_out = answer.status_code == 302 and answer.url.startswith(sign_in)
            faults += [] if is_out and not is_changed else [f"{method} {path} as {role}: {code_of(answer)}"]
        if name and name.endswith(("admin:index", "_changelist")):
            code = code_of(*on_stage.ask("superuser", "GET", name, path))
            faults += [f"GET {path} as superuser: {code}, not 200"] if code != "200" else []

    assert not faults, "\n".join(faults)
    assert {role for _, role in on_stage.found} == {"superuser"}


def test_accounts_are_behind_the_sign_in_and_the_documentation_of_the_api_is_open(stage):
    on_stage, faults = stage(), []

    for name, path in third_party_addresses(on_stage, in_administration=False):
        for method in ("GET", "POST"):
            for role in ROLES:
                answer, is_changed = on_stage.ask(role, method, name, path)
                is_right = answer.status_code == DOCUMENTATION.get(name, answer.status_code) < 500
                if role == "visitor":
                    is_right &= (code_of(answer) == "in") == (name in BEHIND_SIGN_IN) and not is_changed
                faults += [] if is_right else [f"{method} {path} as {role}: {code_of(answer)}"]

    assert not faults, "\n".join(faults)
    assert not on_stage.found
