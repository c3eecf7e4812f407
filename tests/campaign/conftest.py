"""People around one team, for tests of its pages."""

import pytest

from campaign.models import Membership


@pytest.fixture
def people(world):
    member = world.person("member", first_name="Mary", last_name="Member")
    Membership.objects.create(team=world.alices, user=member)
    return {
        "visitor": None,
        "bystander": world.visitor_with_account,
        "leader": world.alice,
        "member": member,
        "other": world.bob,
        "assessor": world.assessor,
        "organiser": world.organiser,
        "superuser": world.person("root", is_superuser=True),
    }


@pytest.fixture
def as_role(client, people):
    def as_role(role):
        client.logout()
        if people[role]:
            client.force_login(people[role])
        return client

    return as_role


@pytest.fixture
def fill(world, people):
    def fill(path):
        return path.format(member=people["member"].pk, registration=world.alices.registrations.get().pk)

    return fill
