"""The checklist: what is missing, in sentences, and gone once it is there."""

from datetime import timedelta

from django.utils import timezone

from campaign.deadlines import spoken
from campaign.models import Campaign, Collection, CollectionImport, Document, Task, Topic, Track
from campaign.services.checklist import checklist, missing_of


def missing(campaign):
    return [item.sentence for item in missing_of(campaign)]


def test_an_empty_campaign_misses_nearly_all(db):
    campaign = Campaign.objects.create(slug="c", name="C", year=2026)

    assert missing(campaign) == [
        "There is no agreement for teams to accept. Write one.",
        "The campaign has no track. Create one.",
        "Only organisers and admitted teams see the campaign. List it for everyone.",
    ]


def test_an_empty_track_misses_topics_collection_and_task(world):
    Track.objects.create(campaign=world.campaign, slug="t", name="T", position=2)

    assert missing(world.campaign)[1:] == [
        "T has no topics. Upload them.",
        "T has no collection. Choose or make one.",
        "T has no task. Create one.",
    ]


def test_a_campaign_that_has_all_misses_nothing(world):
    Campaign.objects.update(agreement="Be fair.")
    world.campaign.refresh_from_db()

    items = checklist(world.campaign)

    assert missing(world.campaign) == []
    assert [item.sentence for item in items] == [
        "The agreement that teams accept is written.",
        "The campaign has 1 track.",
        "Ad hoc has 3 topics.",
        "Letters has 4 documents.",
        f"Focused (Ad hoc) is open until {spoken(world.task.closes_at)}.",
        "Everybody finds the campaign.",
        "Ad hoc has no assessments yet. Runs are scored once they are there.",
        "Boards of Ad hoc that are live: 0 of 1.",
    ]
    assert [item.word for item in items] == ["done"] * 6 + ["later"] * 2


def test_assessments_and_boards_are_told(world):
    world.activate()

    told = {item.sentence: item.done for item in checklist(world.campaign) if not item.to_open}

    assert told == {"Ad hoc has assessments.": True, "Boards of Ad hoc that are live: 1 of 1.": True}


def test_dates_that_have_passed_without_runs_are_missing(world):
    past = timezone.now() - timedelta(days=1)
    Task.objects.update(closes_at=past, opens_at=past - timedelta(days=1))

    sentence = f"Focused (Ad hoc) closed on {spoken(past)} without runs. Give it new dates."
    assert sentence in missing(world.campaign)


def test_a_kind_without_measures_is_missing(world):
    world.new_task("graded", closes_at=timezone.now() + timedelta(days=1))

    sentence = "Graded elements (Ad hoc) takes no runs yet: there are no measures for its kind."
    assert sentence in missing(world.campaign)


def test_a_collection_without_documents_is_missing_even_while_it_is_read(world):
    Document.objects.all().delete()
    assert "Letters has no documents. Upload them." in missing(world.campaign)
    CollectionImport.objects.create(
        collection=Collection.objects.get(), file_name="f", sha256="", size=1, stored_file="f"
    )

    assert "Letters is being read." in missing(world.campaign)


def test_the_set_up_page_shows_it(client, world):
    client.force_login(world.organiser)
    assert "1 thing missing before Small can open." in client.get("/desk/campaigns/small/setup/").content.decode()
    Topic.objects.all().delete()

    page = client.get("/desk/campaigns/small/setup/").content.decode()

    assert "2 things missing before Small can open." in page
    assert 'href="/desk/campaigns/small/material/#ad-hoc"' in page
