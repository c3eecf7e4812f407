"""What any visitor may know: the answers for many rows are those that permissions give for one."""

from datetime import timedelta
from itertools import product

import pytest
from django.utils import timezone

from campaign.models import Campaign, Collection, Task, Visible
from campaign.services.permissions.seeing import board_view_of, may_see_campaign, may_see_collection, may_see_topics
from campaign.services.permissions.visitors import (
    VISITOR,
    names_runs,
    open_collections,
    open_topics,
    public_campaigns,
    public_tasks,
    scores_opened_at,
    shows_scores,
)


@pytest.mark.parametrize("is_public", [True, False])
@pytest.mark.parametrize("gated", [True, False])
def test_lists_hold_what_each_row_may_be_seen_of(world, is_public, gated):
    Campaign.objects.update(is_public=is_public, gates_topics=gated, gates_collection=gated)
    Collection.objects.create(slug="alone", name="Of no track")
    world.campaign.refresh_from_db()
    world.track.campaign = world.campaign

    assert world.campaign in public_campaigns() or not may_see_campaign(VISITOR, world.campaign)
    assert list(public_campaigns()) == [world.campaign] * may_see_campaign(VISITOR, world.campaign)
    assert list(public_tasks()) == [world.task] * is_public
    assert open_topics().count() == 3 * may_see_topics(VISITOR, world.track)
    assert list(open_collections()) == [
        collection for collection in Collection.objects.all() if may_see_collection(VISITOR, collection)
    ]
    assert open_collections().exists() == (is_public and not gated)


def test_a_version_that_waits_or_was_superseded_is_not_found(world):
    Collection.objects.create(slug="letters-next", line="letters", version=None, name="Next")

    assert [collection.slug for collection in open_collections()] == ["letters"]


@pytest.mark.parametrize(
    ("scores", "names", "closed", "published"),
    list(product(Visible.values, Visible.values, [True, False], [True, False])),
)
def test_scores_and_names_are_those_of_a_board_that_nobody_is_signed_in_for(world, scores, names, closed, published):
    now = timezone.now()
    Task.objects.update(
        other_scores_visible=scores,
        names_visible=names,
        closes_at=now + timedelta(hours=-1 if closed else 1),
        published_at=now - timedelta(minutes=1) if published else None,
    )
    task = public_tasks().get()

    view = board_view_of(None, task)

    assert (shows_scores(task), names_runs(task)) == (view.all_scores, view.names)
    if view.all_scores:
        assert scores_opened_at(task) <= now
