"""The checklist: what is missing, in sentences, and gone once it is there."""

from datetime import timedelta

import pytest
from django.utils import timezone

from campaign.models import Campaign, Collection, CollectionImport, Document, Task, Topic, Track, TrailEntry
from campaign.services.setup.checklist import checklist, missing_of
from limelight.moments import spoken

SETUP = "/desk/campaigns/small/setup/"
CHECKLIST = f"{SETUP}checklist/"


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
        "Results of Ad hoc that are published: 0 of 1.",
    ]
    assert [item.word for item in items] == ["done"] * 6 + ["later"] * 3


def test_assessments_and_boards_are_told(world):
    world.activate()

    told = {item.sentence: item.done for item in checklist(world.campaign) if not item.to_open}

    assert told == {
        "Ad hoc has assessments.": True,
        "Boards of Ad hoc that are live: 1 of 1.": True,
        "Results of Ad hoc that are published: 0 of 1.": False,
    }


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


def never_finished(world):
    """Leave open what a campaign may never do, and return the keys of it."""
    Campaign.objects.update(is_public=False, agreement="")
    past = timezone.now() - timedelta(days=1)
    Task.objects.update(closes_at=past, opens_at=past - timedelta(days=1))
    world.new_task("informativeness", closes_at=timezone.now() + timedelta(days=1))
    Track.objects.create(campaign=world.campaign, slug="bare", name="Bare", position=2)
    world.campaign.refresh_from_db()
    return [item.key for item in checklist(world.campaign) if not item.done]


def test_whatever_is_left_can_be_set_aside_with_a_reason_until_all_is_done(client, world):
    client.force_login(world.organiser)
    keys = never_finished(world)
    assert len(keys) > 8

    for key in keys:
        client.post(CHECKLIST, {"line": key, "reason": f"Not here: {key}.", "seen": ""})

    page = client.get(SETUP).content.decode()
    assert missing(Campaign.objects.get()) == []
    assert "All is done: nothing is left on the checklist." in page
    assert f"<summary>The whole checklist ({len(checklist(Campaign.objects.get()))})</summary>" in page
    assert "Not here: listed." in page
    entry = TrailEntry.objects.first()
    assert (entry.deed, entry.subject) == ("changed", "checklist of Small")
    assert "missing before" not in client.get("/desk/campaigns/small/").content.decode()


def test_a_line_is_put_back_and_a_line_that_is_done_needs_no_reason(client, world):
    client.force_login(world.organiser)
    client.post(CHECKLIST, {"line": "agreement", "reason": "None needed.", "seen": ""})
    assert missing(Campaign.objects.get()) == []

    client.post(CHECKLIST, {"line": "agreement", "deed": "take-up", "seen": "None needed."})

    assert len(missing(Campaign.objects.get())) == 1
    client.post(CHECKLIST, {"line": "agreement", "reason": "None needed.", "seen": ""})
    Campaign.objects.update(agreement="Be fair.")
    assert checklist(Campaign.objects.get())[0].word == "done"


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"line": "agreement", "reason": " "}, "Say why it does not apply: the other organisers read it."),
        ({"line": "agreement", "reason": "x" * 501}, "A reason has at most 500 characters."),
        ({"line": "invented", "reason": "x"}, "This line is no longer on the checklist."),
    ],
)
def test_a_line_is_not_set_aside_without_sense(client, world, fields, sentence):
    client.force_login(world.organiser)

    assert sentence in client.post(CHECKLIST, fields, follow=True).content.decode()
    assert Campaign.objects.get().set_aside == {}


def test_a_reason_that_somebody_gave_meanwhile_is_not_replaced_unseen(client, world):
    client.force_login(world.organiser)
    client.post(CHECKLIST, {"line": "agreement", "reason": "Theirs.", "seen": ""})

    late = client.post(CHECKLIST, {"line": "agreement", "reason": "Mine.", "seen": ""}, follow=True)

    assert "Somebody set it aside: “Theirs.” after you opened this page." in late.content.decode()
    assert "You wrote: “Mine.”" in late.content.decode()
    assert Campaign.objects.get().set_aside == {"agreement": "Theirs."}
