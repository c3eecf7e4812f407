"""Setting up campaigns: who may, what they say, and what cannot be undone."""

import pytest

from campaign.models import Campaign, Run, TrailEntry
from campaign.services.acting import By
from campaign.services.refusals import Refused
from campaign.services.setup import campaigns

NEW = {"name": "INEX 2027", "year": 2027, "summary": "", "description": "", "agreement": "Be fair."}
PAGES = ["setup/", "settings/", "copy/", "tracks/new/", "tracks/ad-hoc/", "tracks/ad-hoc/tasks/new/", "material/"]
PAGES += ["tracks/ad-hoc/tasks/new/?like=document", "tracks/ad-hoc/tasks/focused/", "trail/", "trail.csv", "trail.json"]
ACTIONS = ["organisers/add/", "organisers/1/remove/", "delete/", "tracks/ad-hoc/move/", "tracks/ad-hoc/delete/"]
ACTIONS += ["tracks/ad-hoc/tasks/focused/delete/", "tracks/ad-hoc/topics/", "tracks/ad-hoc/topics/confirm/"]
ACTIONS += ["tracks/ad-hoc/collection/"]


@pytest.fixture
def organiser(client, world):
    client.force_login(world.organiser)
    return client


def stranger_of(world):
    other = Campaign.objects.create(slug="other", name="Other", year=2026)
    stranger = world.person("stranger")
    other.organisers.add(stranger)
    return stranger


@pytest.mark.parametrize("page", PAGES)
def test_pages_are_for_the_campaign_s_organisers(client, world, page):
    path = f"/desk/campaigns/small/{page}"
    assert client.get(path).status_code == 302
    for person in (world.alice, world.assessor, stranger_of(world)):
        client.force_login(person)
        assert client.get(path).status_code == 404, person
    for person in (world.organiser, world.person("root", is_superuser=True)):
        client.force_login(person)
        assert client.get(path).status_code == 200, person


@pytest.mark.parametrize("action", ACTIONS)
def test_actions_are_posted_and_for_organisers_alone(client, world, action):
    path, before = f"/desk/campaigns/small/{action}", TrailEntry.objects.count()
    for person in (world.alice, stranger_of(world)):
        client.force_login(person)
        assert client.post(path).status_code == 404, person
    client.force_login(world.organiser)
    assert client.get(path).status_code == 405
    assert TrailEntry.objects.count() == before


@pytest.mark.parametrize(("who", "status"), [("alice", 403), ("organiser", 200), ("root", 200)])
def test_who_may_create_a_campaign(client, world, who, status):
    person = world.person("root", is_superuser=True) if who == "root" else getattr(world, who)
    client.force_login(person)

    response = client.get("/desk/campaigns/new/")

    assert response.status_code == status
    if status == 403:
        sentence = "Campaigns are made by people who organise one already. Ask an organiser or whoever runs this site."
        assert sentence in response.content.decode()
        assert client.post("/desk/campaigns/new/", NEW).status_code == 403


def test_whoever_creates_a_campaign_organises_it(organiser, world):
    response = organiser.post("/desk/campaigns/new/", NEW)

    made = Campaign.objects.get(name="INEX 2027")
    assert response.url == "/desk/campaigns/inex-2027/setup/"
    assert (made.slug, made.is_public, made.agreement_version) == ("inex-2027", False, 1)
    assert list(made.organisers.all()) == [world.organiser]
    [entry] = TrailEntry.objects.all()
    assert (entry.campaign, entry.deed, entry.subject, entry.actor) == (
        made,
        "created",
        "campaign INEX 2027",
        world.organiser,
    )


def test_the_same_form_twice_makes_one_campaign(organiser):
    first, second = (organiser.post("/desk/campaigns/new/", NEW) for _ in range(2))

    assert first.url == second.url
    assert Campaign.objects.filter(name="INEX 2027").count() == 1


def test_another_campaign_of_that_name_and_year_is_refused(organiser):
    response = organiser.post("/desk/campaigns/new/", NEW | {"name": "small", "year": 2026})

    assert response.status_code == 422
    assert "There is a campaign Small of 2026 already. Choose another name." in response.content.decode()


def test_no_campaign_is_called_like_a_page(world):
    made = campaigns.create_campaign(by=By(world.organiser), name="New", year=2026)

    assert made.slug == "new-2"


@pytest.mark.parametrize(
    ("entered", "sentence"),
    [
        ({"name": ""}, "Give the campaign a name."),
        ({"year": "1066"}, "A campaign&#x27;s year lies between 1950 and 2200."),
        ({"year": "99999999999999999999"}, "year"),
        ({"year": "soon"}, "Enter a whole number."),
    ],
)
def test_rubbish_is_refused_in_sentences(organiser, entered, sentence):
    response = organiser.post("/desk/campaigns/new/", NEW | entered)

    assert response.status_code == 422
    assert sentence in response.content.decode()


def test_an_empty_form_is_refused(organiser):
    assert organiser.post("/desk/campaigns/new/").status_code == 422


def settings_of(campaign, **changes):
    names = ("name", "year", "summary", "description", "agreement")
    switches = ("needs_approval", "gates_topics", "gates_collection", "is_public")
    sent = {name: getattr(campaign, name) for name in names}
    return sent | {name: "on" for name in switches if getattr(campaign, name)} | changes


def test_settings_are_changed_and_told(organiser, world):
    response = organiser.post(
        "/desk/campaigns/small/settings/", settings_of(world.campaign, name="Smaller", needs_approval="on")
    )

    assert response.status_code == 302
    world.campaign.refresh_from_db()
    assert (world.campaign.slug, world.campaign.name, world.campaign.needs_approval) == ("small", "Smaller", True)
    [entry] = TrailEntry.objects.all()
    assert entry.details == {"changes": {"name": ["Small", "Smaller"], "needs_approval": [False, True]}}


def test_settings_sent_unchanged_leave_no_trace(organiser, world):
    organiser.post("/desk/campaigns/small/settings/", settings_of(world.campaign))

    assert not TrailEntry.objects.exists()


@pytest.mark.parametrize(("answer", "status", "version"), [("", 422, 1), ("no", 302, 1), ("yes", 302, 2)])
def test_another_agreement_asks_whether_it_is_a_new_version(organiser, world, answer, status, version):
    sent = settings_of(world.campaign, agreement="Be\r\nfair.", agreement_is_new=answer)

    response = organiser.post("/desk/campaigns/small/settings/", sent)

    assert response.status_code == status
    if status == 422:
        sentence = "The agreement&#x27;s text changed. Say whether teams have to accept it anew."
        assert sentence in response.content.decode()
    world.campaign.refresh_from_db()
    assert world.campaign.agreement_version == version


def test_the_same_agreement_from_a_browser_is_no_change(organiser, world):
    Campaign.objects.filter(pk=world.campaign.pk).update(agreement="Be\nfair.", description="One\ntwo")
    sent = settings_of(
        world.campaign, agreement="Be\r\nfair.", agreement_is_new="yes", description="One\r\ntwo", is_public="on"
    )

    response = organiser.post("/desk/campaigns/small/settings/", sent, follow=True)

    assert "The settings are saved.<" in response.content.decode()
    world.campaign.refresh_from_db()
    assert world.campaign.agreement_version == 1
    assert not TrailEntry.objects.exists()


@pytest.mark.parametrize("name", ["alice", "ALICE", "alice@example.org"])
def test_organisers_are_added_by_name_or_address(organiser, world, name):
    for _ in range(2):
        organiser.post("/desk/campaigns/small/organisers/add/", {"person": name})

    assert set(world.campaign.organisers.all()) == {world.organiser, world.alice}
    assert TrailEntry.objects.get().details == {"person": world.alice.pk}


def test_nobody_is_refused(organiser):
    response = organiser.post("/desk/campaigns/small/organisers/add/", {"person": "nemo"})

    assert response.status_code == 422
    assert "Nobody on this site has the user name or e-mail address “nemo”." in response.content.decode()


def test_an_address_of_two_accounts_names_neither(world):
    world.bob.email = world.alice.email
    world.bob.save()

    with pytest.raises(Refused, match=r"More than one account has the e-mail address “alice@example.org”."):
        campaigns.find_person("alice@example.org")


def test_the_last_organiser_stays(organiser, world):
    response = organiser.post(f"/desk/campaigns/small/organisers/{world.organiser.pk}/remove/", follow=True)

    assert "Small needs at least one organiser. Name another one first." in response.content.decode()
    world.campaign.organisers.add(world.alice)
    response = organiser.post(f"/desk/campaigns/small/organisers/{world.organiser.pk}/remove/")
    assert response.url == "/"
    assert list(world.campaign.organisers.all()) == [world.alice]


def test_a_campaign_is_deleted_after_its_address_was_typed(organiser, world):
    response = organiser.post("/desk/campaigns/small/delete/", {"typed": "smal"})
    assert response.status_code == 422
    assert "Type small to delete the campaign." in response.content.decode()

    organiser.post("/desk/campaigns/small/delete/", {"typed": "small"})

    assert not Campaign.objects.exists()
    entry = TrailEntry.objects.get()
    assert (entry.campaign, entry.campaign_name, entry.deed) == (None, "Small", "deleted")
    assert organiser.post("/desk/campaigns/small/delete/", {"typed": "small"}).status_code == 404


def test_a_campaign_with_runs_is_not_deleted(organiser, world):
    world.submit()

    response = organiser.post("/desk/campaigns/small/delete/", {"typed": "small"})

    assert response.status_code == 422
    assert "Small has 1 run. A campaign with runs is not deleted." in response.content.decode()
    assert Run.objects.exists() and not TrailEntry.objects.exists()


def test_a_campaign_with_assessments_is_not_deleted(organiser, world):
    world.import_assessments()
    before = TrailEntry.objects.count()

    response = organiser.post("/desk/campaigns/small/delete/", {"typed": "small"})

    assert "Small has assessments. A campaign with assessments is not deleted." in response.content.decode()
    assert Campaign.objects.exists() and TrailEntry.objects.count() == before
