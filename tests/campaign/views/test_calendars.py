"""Deadlines as calendars read them."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from campaign.calendars import Moment, as_calendar, escaped, folded
from campaign.models import Campaign, Task

SITE, CAMPAIGN = "/deadlines.ics", "/campaigns/small/deadlines.ics"


def read(calendar):
    """Return the properties of each event, and the other lines, unfolded as RFC 5545 says (section 3.1)."""
    assert calendar.endswith(b"END:VCALENDAR\r\n")
    for line in calendar.split(b"\r\n"):
        assert len(line) <= 75
        line.decode()  # no letter is broken
        assert b"\r" not in line
        assert b"\n" not in line
    lines = calendar.decode().replace("\r\n ", "").split("\r\n")
    events, others, event = [], [], None
    for line in lines:
        name, _, value = line.partition(":")
        if line == "BEGIN:VEVENT":
            event = {}
        elif line == "END:VEVENT":
            events.append(event)
            event = None
        elif event is not None:
            event[name] = value
        else:
            others.append(line)
    return events, others


def unescaped(value):
    return re.sub(r"\\(.)", r"\1", value)


@pytest.mark.parametrize("path", [SITE, CAMPAIGN])
def test_a_deadline_is_an_event_in_utc_under_a_key_that_stays(world, client, settings, path):
    settings.SITE_URL = "https://lime.example"
    Task.objects.update(closes_at=datetime(2027, 3, 1, 11, 59, tzinfo=UTC))

    answer = client.get(path)

    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    [event], others = read(answer.content)
    assert others[:3] == ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Limelight//Deadlines//EN"]
    assert unescaped(event.pop("DESCRIPTION")) == (
        "Runs of Focused (Ad hoc) are taken until 28 February 2027, 23:59 AoE, which is 1 March 2027, 11:59 UTC."
    )
    assert event.pop("DTSTAMP") == f"{world.campaign.created_at:%Y%m%dT%H%M%SZ}"
    assert event == {
        "UID": "small/ad-hoc/focused@lime.example",
        "DTSTART": "20270301T115900Z",
        "SUMMARY": "Deadline: Focused\\, Small",
        "URL": "https://lime.example/campaigns/small/ad-hoc/focused/",
        "TRANSP": "TRANSPARENT",
    }
    Task.objects.update(closes_at=datetime(2027, 3, 8, 11, 59, tzinfo=UTC), name="Renamed")
    [[moved], _] = read(client.get(path).content)
    assert (moved["UID"], moved["DTSTART"]) == ("small/ad-hoc/focused@lime.example", "20270308T115900Z")


def test_hidden_campaigns_and_old_deadlines_are_in_no_calendar(world, client):
    Campaign.objects.update(is_public=False)
    client.force_login(world.organiser)
    assert read(client.get(SITE).content)[0] == []
    assert client.get(CAMPAIGN).status_code == 404

    now = timezone.now()
    Campaign.objects.update(is_public=True)
    Task.objects.update(opens_at=now - timedelta(days=500), closes_at=now - timedelta(days=366))
    assert read(client.get(SITE).content)[0] == []


def test_a_calendar_that_did_not_change_is_not_sent_again(world, client):
    answer = client.get(SITE)

    assert client.get(SITE, headers={"If-None-Match": answer["ETag"]}).status_code == 304


def test_one_query_gives_all_deadlines(world, client, django_assert_num_queries):
    for kind in ("thorough", "relevant-in-context", "best-in-context"):
        world.new_task(kind, closes_at=timezone.now() + timedelta(days=2))

    with django_assert_num_queries(1):
        assert len(read(client.get(SITE).content)[0]) == 4


@pytest.mark.parametrize(
    "text",
    ["a;b,c\\d", "a\r\nEND:VEVENT\r\nBEGIN:VALARM", 300 * "é", 80 * "👩‍🔬", "\x00\x1b\u202eevil\u2028", 75 * "x", ""],
)
def test_whatever_texts_say_a_calendar_can_be_read(text):
    moment = Moment("key", timezone.now(), text, text, "https://lime.example/", timezone.now())

    [event], others = read(as_calendar(text, [moment]).encode())

    shown = " ".join(re.sub("[\x00-\x1f\u202e\u2028]", " ", text).split())
    assert re.sub(" +", " ", unescaped(event["SUMMARY"])) == shown
    assert "BEGIN:VALARM" not in others
    assert set(event) == {"UID", "DTSTAMP", "DTSTART", "SUMMARY", "DESCRIPTION", "URL", "TRANSP"}


def test_a_line_of_75_octets_is_not_folded_and_one_of_76_is():
    assert folded(75 * "x") == 75 * "x"
    assert folded(76 * "x") == f"{75 * 'x'}\r\n x"
    assert folded(150 * "x").split("\r\n") == [75 * "x", " " + 74 * "x", " x"]
    assert escaped("\\;,") == "\\\\\\;\\,"
