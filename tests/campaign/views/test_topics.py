"""Topics to take away: XML that can be read again, and JSON."""

import io

import pytest

from campaign.models import Campaign, Topic
from limelight.formats.topics.inex import TopicRecord, read_topics

FOLDER = "/campaigns/small/ad-hoc"


@pytest.fixture
def in_full(world):
    Topic.objects.filter(number="1").update(
        title="salt & pepper", castitle="//a[about(., <)]", phrasetitle='"salt"', description="Où?", narrative="A\nb."
    )


def test_topics_as_xml_can_be_read_again(client, in_full):
    response = client.get(f"{FOLDER}/topics.xml")

    topics = read_topics(io.BytesIO(response.content))
    said = {"castitle": "//a[about(., <)]", "phrasetitle": '"salt"', "description": "Où?", "narrative": "A\nb."}
    assert topics[0] == TopicRecord("1", "salt & pepper", **said, line=3)
    assert [(topic.identifier, topic.title) for topic in topics[1:]] == [("2", "topic 2"), ("3", "topic 3")]
    assert response["Content-Type"] == "application/xml"
    assert response["Content-Disposition"] == 'attachment; filename="small-ad-hoc-topics.xml"'


def test_topics_as_json_have_all_their_fields(client, in_full):
    response = client.get(f"{FOLDER}/topics.json")

    told = response.json()
    assert (told["campaign"], told["track"], len(told["topics"])) == ("small", "ad-hoc", 3)
    assert told["topics"][0] == {
        "number": "1",
        "title": "salt & pepper",
        "castitle": "//a[about(., <)]",
        "phrasetitle": '"salt"',
        "description": "Où?",
        "narrative": "A\nb.",
    }
    assert "Où?" in response.content.decode()


def test_other_forms_are_not_there(client, world):
    assert client.get(f"{FOLDER}/topics.csv").status_code == 404


def test_topics_that_are_gated_are_not_handed_out(client, world):
    Campaign.objects.update(gates_topics=True)

    for end in ("xml", "json"):
        response = client.get(f"{FOLDER}/topics.{end}")
        assert response.status_code == 403
        assert "topic 1" not in response.content.decode()


def test_the_list_leads_to_both_files(client, world):
    page = client.get(f"{FOLDER}/topics/").content.decode()

    assert f'<a href="{FOLDER}/topics.xml">XML</a>' in page
    assert f'<a href="{FOLDER}/topics.json">JSON</a>' in page
