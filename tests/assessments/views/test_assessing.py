"""The assessors' page."""

from campaign.models import Topic


def test_a_topic_without_a_title_has_a_link_that_can_be_read(client, world):
    Topic.objects.create(track=world.track, number="9001", position=4)
    client.force_login(world.assessor)

    page = client.get("/assessing/")

    assert "<bdi>(no title)</bdi></a>" in page.content.decode()
