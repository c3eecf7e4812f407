"""The page of a document as a run returns it, and the table of its segments."""

import re

import pytest
from django.urls import reverse

from campaign.models import Campaign, Run, Task
from evaluation.services.decisions import activate
from tests.world import ASSESSMENTS, score_all, with_text

RUN = b"1 Q0 b 1 9.5 mine 0 50\n1 Q0 a 2 8.0 mine 25 50\n1 Q0 d 3 7.0 mine 0 50\n"
THEIRS = b"1 Q0 a 1 9.0 theirs 0 30\n"


@pytest.fixture
def scored(world):
    with_text(world)
    world.activate()
    Task.objects.update(
        runs_visible="at-once", assessments_visible="at-once", names_visible="at-once", other_scores_visible="at-once"
    )
    return world.scored(RUN, name="mine")


def address(run, document="a", topic="1", name="overlay"):
    return reverse(name, args=["small", "ad-hoc", "focused", run.code, topic, document])


def read(response):
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def test_the_page_lays_the_run_over_the_text(client, scored):
    page = read(client.get(address(scored)))

    assert "<mark>50 % of the highlighted text found</mark>, 25 characters wasted" in page
    assert "judged by assessments v1" in page
    assert '<sup class="rank" id="r2" data-mark>#2</sup>' in page
    assert "first hit</a>" in page and "first miss</a>" in page
    assert f'<a href="{address(scored, "d")}" rel="next" data-key="ArrowRight">' in page
    assert f'<a href="{address(scored, "b")}" rel="prev" data-key="ArrowLeft">' in page
    assert "<dd>0.5000</dd>" in page


def test_every_line_of_a_ranked_list_leads_to_its_document(client, scored):
    ranked = reverse("ranked-list", args=["small", "ad-hoc", "focused", scored.code, "1"])

    page = read(client.get(ranked))

    assert re.findall(r'href="([^"]+/documents/[^"]+)"', page) == [
        f"{address(scored, document)}#r{rank}" for rank, document in enumerate("bad", start=1)
    ]


def test_hidden_assessments_leave_nothing_from_which_a_judgement_could_be_told(client, scored):
    Task.objects.update(assessments_visible="never")

    for document in "abcd":
        page = read(client.get(address(scored, document)))
        table = client.get(address(scored, document, name="overlay-file")).content.decode()
        for word in ('"hit', '"miss', '"waste', '"lit"', "highlighted", "▼", "judged", "relevant", "<dt>"):
            assert word not in page + table, (document, word)


def test_hidden_runs_are_not_there(client, scored):
    Task.objects.update(runs_visible="never")

    assert client.get(address(scored)).status_code == 404
    assert client.get(address(scored, name="overlay-file")).status_code == 404


def test_what_was_withdrawn_is_not_there_nor_topics_that_are_none(client, scored):
    assert client.get(address(scored, topic="77")).status_code == 404
    assert client.get(address(scored, "nowhere")).status_code == 404
    assert client.get(address(scored) + "%00/").status_code == 404
    Run.objects.update(withdrawn_at=scored.created_at)
    assert client.get(address(scored)).status_code == 404


def test_a_collection_for_registered_teams_is_not_read_here_either(client, scored, world):
    Campaign.objects.update(gates_collection=True)

    page = read(client.get(address(scored)))

    assert "salt and" not in page
    assert "The text of this document cannot be read here: only where things lie in it." in page
    assert "50 % of the highlighted text found" in page
    assert client.get(address(scored, "c")).status_code == 404
    client.force_login(world.alice)
    assert "salt and" in read(client.get(address(scored)))


def test_a_second_run_is_laid_over_and_stays_with_the_next_document(client, scored, world):
    theirs = world.scored(THEIRS, name="theirs", user=world.bob, team=world.bobs)

    page = read(client.get(address(scored), {"with": theirs.code}))

    assert 'class="text two"' in page
    assert "line above: <bdi>theirs</bdi>" in page
    assert f"{address(scored, 'd')}?with={theirs.code}" in page
    assert f'<option value="{theirs.code}" selected>theirs (Delft)</option>' in page
    assert "first difference</a>" in page
    table = client.get(address(scored, name="overlay-file"), {"with": theirs.code}).content.decode()
    assert table.splitlines()[0] == "topic,document,begin,end,highlighted,mine,theirs"


@pytest.mark.parametrize("code", ["nobody", "\x00", "x" * 500, "../", "'\"<b>"])
def test_a_second_run_that_is_none_is_told_and_left_out(client, scored, code):
    page = read(client.get(address(scored), {"with": code}))

    assert "There is no such run to lay beside this one." in page
    assert 'class="text two"' not in page


def test_a_run_is_not_laid_beside_itself_and_a_hidden_one_is_none(client, scored, world):
    other = world.scored(THEIRS, name="theirs", user=world.bob, team=world.bobs)
    Run.objects.filter(pk=other.pk).update(withdrawn_at=other.created_at)

    for code in (scored.code, other.code):
        assert "There is no such run" in read(client.get(address(scored), {"with": code}))


def test_the_file_is_named_by_run_topic_and_document(client, scored):
    response = client.get(address(scored, name="overlay-file"))

    assert response["Content-Disposition"] == 'attachment; filename="mine-topic-1-a.csv"'
    assert response.content.decode().splitlines()[:3] == [
        "topic,document,begin,end,highlighted,mine",
        "1,a,0,25,yes,",
        "1,a,25,50,yes,#2",
    ]


def test_an_older_edition_has_the_document_as_it_was_judged_then(client, scored, world):
    activate(world.import_assessments(ASSESSMENTS.replace(b"1 Q0 a 50 200 0 0:50", b"1 Q0 a 20 200 30 30:20")))
    score_all()
    older = reverse("edition-overlay", args=["small", "ad-hoc", "focused", 1, scored.code, "1", "a"])

    then, now = read(client.get(older)), read(client.get(address(scored)))

    assert "50 % of the highlighted text found" in then and "judged by assessments v1" in then
    assert "This is how it stood in" in then and f'href="{address(scored)}"' in " ".join(then.split())
    assert older.replace("/a/", "/d/") in then
    assert "All of the highlighted text found" in now and "judged by assessments v2" in now
    table = client.get(f"{older}segments.csv")
    assert table["Content-Disposition"] == 'attachment; filename="mine-topic-1-a-edition-1.csv"'
    assert client.get(older.replace("editions/1/", "editions/7/")).status_code == 404


def test_an_anonymous_run_is_called_by_its_code(client, scored):
    Task.objects.update(names_visible="never")

    page = read(client.get(address(scored)))

    assert "mine" not in page and "Lund" not in page
    assert scored.code in page


def test_a_document_known_only_by_its_length_has_strips_and_numbers(client, world):
    world.activate()
    Task.objects.update(runs_visible="at-once", assessments_visible="at-once", other_scores_visible="at-once")
    run = world.scored(RUN, name="mine")

    page = read(client.get(address(run)))

    assert "Only the id and the length of this document are known. Its text was not imported." in page
    assert 'class="hit"' in page and "overlay.js" not in page
