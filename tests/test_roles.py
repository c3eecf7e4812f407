"""Every address of the site, asked by everybody: who is let in, what changes, and who can read what where."""

import pytest
from django.urls import resolve

from tests.role_table import GATED, HIDDEN, SEALED
from tests.stage import ROLES, addresses, code_of, is_third_party

pytestmark = pytest.mark.slow

UNPUBLISHED = {"names_visible": "at-publication", "other_scores_visible": "at-publication"}
ANONYMOUS = UNPUBLISHED | {"other_scores_visible": "at-once"}
WORLDS = {
    "sealed": ({"task": UNPUBLISHED}, SEALED),
    "hidden": ({"campaign": {"is_public": False}, "task": ANONYMOUS, "other": "refused"}, HIDDEN),
    "gated": (
        {"campaign": {"gates_topics": True, "gates_collection": True}, "task": ANONYMOUS, "other": "refused"},
        GATED,
    ),
}
# Who finds what, wherever they look; below, how that differs in the other worlds.
EVERYBODY = " ".join(ROLES)
INSIDERS = "own assessor organiser superuser"
READERS = {
    "our run": "own organiser superuser",
    "their run": "other organiser superuser",
    "our scores": "own organiser superuser",
    "their scores": "other organiser superuser",
    "topics": EVERYBODY,
    "documents": EVERYBODY,
    "campaign": EVERYBODY,
    "name of the campaign": EVERYBODY,
    "agreement": EVERYBODY.removeprefix("visitor "),
    "assessments": "assessor organiser superuser",
    "address of a member": "",
    "address of a newcomer": "organiser elsewhere superuser",
}
READERS_IN = {
    "sealed": READERS,
    "hidden": {
        "topics": INSIDERS,
        "documents": INSIDERS,
        "campaign": INSIDERS,
        "name of the campaign": f"{INSIDERS} other",
        "agreement": INSIDERS,
        "our scores": INSIDERS,
        "their scores": f"{INSIDERS} other",
    },
    "gated": {"topics": INSIDERS, "documents": INSIDERS, "our scores": EVERYBODY, "their scores": EVERYBODY},
}


def test_every_address_has_a_line_or_a_rule():
    ours = [(name, route) for name, route, view in addresses() if not is_third_party(name, route, view)]
    listed = {name for _, name in SEALED}
    of_campaigns = {name for name, route in ours if "<slug:campaign>" in route or "<slug:collection>" in route}

    missing = [f"{route} ({name})" for name, route in ours if name not in listed]
    assert missing == [], "Add a line for each method of these addresses to SEALED, in tests/test_roles.py."
    assert listed - {name for name, _ in ours} == set(), "These lines of SEALED stand for no address any more."
    assert {key for key in SEALED if key[1] in of_campaigns} <= set(HIDDEN), "Add lines for these to HIDDEN."
    assert set(HIDDEN) | set(GATED) <= set(SEALED)


def our_addresses(on_stage):
    """Yield each address of ours: its name, and a path that leads to it."""
    for name, route, view in addresses():
        if not is_third_party(name, route, view):
            path = on_stage.path(name, route)
            assert resolve(path.partition("?")[0]).view_name == name, f"{path} was meant for {name}."
            yield name, path


@pytest.mark.parametrize("world", WORLDS)
def test_everybody_gets_what_the_table_says_and_reads_only_what_they_may(stage, world):
    options, table = WORLDS[world]
    on_stage, faults = stage(**options), []

    for name, path in our_addresses(on_stage):
        for method in ("GET", "POST"):
            for role, expected in table.get((method, name), {}).items():
                code = code_of(*on_stage.ask(role, method, name, path))
                faults += [f"{method} {name} as {role}: {code}, not {expected}"] if code != expected else []
    for secret, readers in (READERS | READERS_IN[world]).items():
        found = {role: sorted(on_stage.found[secret, role]) for role in ROLES if (secret, role) in on_stage.found}
        faults += [f"{role} finds {secret} at {found[role]}" for role in found if role not in readers.split()]
        searching = readers.split() if secret in READERS_IN[world] else ()
        faults += [f"{role} finds {secret} nowhere" for role in searching if role not in found]

    assert not faults, "\n".join(faults)


def test_a_method_without_a_line_is_refused(stage):
    on_stage, faults = stage(), []

    for name, path in our_addresses(on_stage):
        for method in ("GET", "POST"):
            for role in ROLES if (method, name) not in SEALED else ():
                code = code_of(*on_stage.ask(role, method, name, path))
                is_hidden = any(SEALED.get((other, name), {}).get(role) == "404" for other in ("GET", "POST"))
                if code not in ("405", "404" if is_hidden else "405") and (role, code) != ("visitor", "in"):
                    faults.append(f"{method} {name} as {role}: {code}, not 405")

    assert not faults, "\n".join(faults)
