"""Collections and documents as pages."""

from io import BytesIO

import pytest

from campaign.models import Campaign, Document
from campaign.services.documents.collections import import_collection
from tests.pages import source_of

XML = b"<article><title>Wick</title><p>A <b>plaited</b> cord &lt;script&gt;.</p></article>"


@pytest.fixture
def wick(world):
    import_collection(world.collection, [("wick", BytesIO(XML))])
    return world.collection.documents.get(identifier="wick")


def test_a_document_shows_its_outline_and_text_with_places(client, wick):
    page = source_of(client.get("/collections/letters/wick/"))

    assert '<a href="#c0"><bdi>Wick</bdi></a>' in page
    assert '<p id="c4" title="/article[1]/p[1]">' in page
    assert "A plaited cord &lt;script&gt;.</p>" in page
    assert page.count(">Wick<") == 2  # the heading and the outline, not the text again


def test_a_document_without_text_says_so(client, world):
    assert "Its text was not imported." in source_of(client.get("/collections/letters/a/"))


def test_documents_are_listed_found_and_paged(client, world, wick):
    Document.objects.bulk_create(
        Document(collection=world.collection, identifier=f"z/{number:03}", length=1) for number in range(120)
    )

    assert "125 documents, page 1 of 2" in source_of(client.get("/collections/letters/"))
    assert "page 2 of 2" in source_of(client.get("/collections/letters/?page=99"))
    found = source_of(client.get("/collections/letters/?q=wick"))
    assert "1 document with “<bdi>wick</bdi>”" in found
    assert "No document has “<bdi>&lt;b&gt;</bdi>”" in source_of(client.get("/collections/letters/?q=<b>"))
    assert client.get("/collections/letters/z/007/").status_code == 200
    assert client.get("/collections/letters/?q=%00&page=x").status_code == 200


def test_a_gated_collection_is_for_those_who_take_part(client, world, wick):
    Campaign.objects.update(gates_collection=True)
    expected = ((None, 403), (world.visitor_with_account, 403), (world.alice, 200), (world.assessor, 200))
    for user, status in (*expected, (world.organiser, 200)):
        client.logout()
        if user:
            client.force_login(user)
        assert client.get("/collections/letters/").status_code == status
        response = client.get("/collections/letters/wick/")
        assert response.status_code == status
        assert ("plaited" in source_of(response)) == (status == 200)
        assert ("Documents are for registered teams" in source_of(response)) == (status == 403)
    client.logout()
    Campaign.objects.update(is_public=False)
    assert client.get("/collections/letters/").status_code == 404
