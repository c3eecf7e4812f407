"""Names in addresses: each leads to one page, and no campaign, track or task takes the name of one."""

import re
from io import BytesIO

import pytest
from django.urls import resolve, reverse
from hypothesis import given
from hypothesis import strategies as st

from campaign.addresses import COLLIDES, PAGE_NAMES, leads_there, names_a_document, names_a_topic
from campaign.services.acting import By
from campaign.services.documents.collections import import_collection
from campaign.services.setup.campaigns import new_slug
from campaign.services.setup.topics import preview_topics
from campaign.services.setup.tracks import create_track
from tests.examples import examples
from tests.stage import addresses
from tests.world import list_lengths

OURS = {"<slug:campaign>", "<slug:track>", "<slug:task>"}
names = st.lists(st.sampled_from(["documents", "a", "b.xml", "10.1", "", "document"]), min_size=1, max_size=4).map(
    "/".join
)


def address(number, identifier):
    return reverse("overlay", args=["small", "ad-hoc", "focused", "abc", number, identifier])


@examples(300)
@given(names.filter(bool), names.filter(bool))
def test_an_address_is_split_into_the_names_that_it_was_made_of_or_the_names_are_refused(number, identifier):
    found = resolve(address(number, identifier))

    is_same = (found.kwargs["number"], found.kwargs["identifier"]) == (number, identifier)
    assert leads_there(number, identifier) == is_same
    if names_a_topic(number) and names_a_document(identifier):
        assert (found.url_name, is_same) == ("overlay", True)


@examples(200)
@given(names.filter(bool))
def test_a_topic_whose_number_is_let_in_keeps_its_ranked_list(number):
    found = resolve(reverse("ranked-list", args=["small", "ad-hoc", "focused", "abc", number]))

    assert (found.url_name == "ranked-list") == names_a_topic(number)


@pytest.mark.parametrize("identifier", ["..", "a/../b", "./a"])
def test_names_that_browsers_would_resolve_are_refused(identifier):
    assert not names_a_document(identifier)
    assert not names_a_topic(identifier)


def are_alike(one, other):
    return all(here == there or "<" in here or "<" in there for here, there in zip(one, other, strict=True))


def test_no_page_can_be_hidden_by_a_campaign_a_track_or_a_task():
    routes = [route.strip("/").split("/") for _, route, _ in addresses()]

    at_risk = {
        other[place]
        for route in routes
        for place, part in enumerate(route)
        if part in OURS
        for other in routes
        if len(other) > place and re.fullmatch(r"[-\w]+", other[place]) and are_alike(route[:place], other[:place])
    }

    assert {"topics", "register", "new", "building"} <= at_risk <= PAGE_NAMES
    assert {"runs", "compare", "editions", "feed"} <= PAGE_NAMES


def test_whoever_is_called_like_a_page_gets_a_number(world):
    track = create_track(world.campaign, by=By(world.organiser), name="Boards")

    assert (track.slug, new_slug("Compare")) == ("boards-2", "compare-2")


def test_a_document_whose_id_would_lead_elsewhere_stays_out(world):
    outcome = list_lengths(world.collection, **{"x/documents/y": 10, "documents/y": 10, "x/y": 10})

    assert outcome.problems == [("x/documents/y", COLLIDES), ("documents/y", COLLIDES)]
    assert outcome.imported == 1
    outcome = import_collection(world.collection, [("..", BytesIO(b"<a>text</a>"))])
    assert outcome.problems == [("..", COLLIDES)]


def test_a_document_that_is_there_already_stays(world):
    world.collection.documents.filter(identifier="a").update(identifier="x/documents/y")

    outcome = list_lengths(world.collection, **{"x/documents/y": 200})

    assert (outcome.problems, outcome.unchanged) == ([], 1)


def test_topics_whose_numbers_would_lead_elsewhere_are_refused(world):
    topics = b'<topics><topic id="a/documents/b"><title>one</title></topic></topics>'

    preview = preview_topics(world.track, BytesIO(topics))

    assert [problem.message for problem in preview.problems] == [
        "the topic's number would lead to another page: "
        "it may not hold “/documents/”, or have “.” or “..” between slashes."
    ]
