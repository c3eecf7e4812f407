"""The page of a ranked list, and its file."""

import pytest
from django.urls import reverse

from campaign.models import Run, Task
from evaluation.models import Score
from evaluation.services import ranked_lists
from tests.world import score_all

RUN = b"1 Q0 b 1 9.5 mine 0 50\n1 Q0 a 2 8.0 mine 25 50\n1 Q0 d 3 7.0 mine 0 50\n2 Q0 c 1 7.0 mine 0 200\n"


@pytest.fixture
def scored(world):
    world.activate()
    Task.objects.update(
        runs_visible="at-once", assessments_visible="at-once", names_visible="at-once", other_scores_visible="at-once"
    )
    return world.scored(RUN, name="mine")


def address(run, topic="1", name="ranked-list", edition=None):
    number = [] if edition is None else [edition]
    return reverse(name, args=["small", "ad-hoc", "focused", *number, run.code, topic])


def text_of(response):
    return " ".join(response.content.decode().split())


def test_the_page_shows_each_result_its_step_and_the_sum(client, scored):
    page = client.get(address(scored)).content.decode()

    text = " ".join(page.split())
    assert "adds up to iAP" in text
    assert "judged, nothing relevant" in text and "unjudged" in text
    assert '<td class="number step" data-label="step">+0.1262</td>' in text
    assert "<mark>0.1262</mark>" in text
    assert "3 results · 1 relevant document with 50 highlighted characters" in text
    assert address(scored, "2") in text


def test_hidden_assessments_leave_documents_places_and_sizes(client, scored):
    Task.objects.update(assessments_visible="never")

    page = client.get(address(scored)).content.decode()

    assert "Documents, places and sizes only: the assessments are not open." in page
    for word in ("judged", "relevant", "highlighted", "step", "0.1262", 'class="hit"', 'class="beside"', "adds up"):
        assert word not in page, word


def test_lists_are_shown_by_pages_that_each_add_up(client, scored, monkeypatch):
    monkeypatch.setattr(ranked_lists, "LINES_A_PAGE", 1)

    text = " ".join(client.get(address(scored), {"page": 2}).content.decode().split())

    assert ">1 before these</a>" in text
    assert ">1 more</a>" in text
    assert "2 to 2 of 3" in text
    assert "<mark>0.1262</mark>" in text


@pytest.mark.parametrize("page", ["0", "99", "last", "-1"])
def test_a_page_that_is_not_there_is_answered_with_one_that_is(client, scored, page):
    assert client.get(address(scored), {"page": page}).status_code == 200


def test_the_file_is_named_by_run_and_topic_and_holds_all_lines(client, scored):
    response = client.get(address(scored, name="ranked-list-file"))

    assert response["Content-Disposition"] == 'attachment; filename="mine-topic-1.csv"'
    assert len(response.content.decode().splitlines()) == 4


def test_an_empty_list_says_so(client, scored):
    page = client.get(address(scored, "3")).content.decode()

    assert "This run returns nothing for topic 3, which therefore scores 0." in " ".join(page.split())


def test_runs_that_left_and_topics_that_are_none_are_not_there(client, scored):
    assert client.get(address(scored, "77")).status_code == 404
    Run.objects.update(withdrawn_at=scored.created_at)
    assert client.get(address(scored)).status_code == 404
    assert client.get(address(scored, name="ranked-list-file")).status_code == 404


@pytest.fixture
def rescored(world, scored):
    """Let a second edition go live, by whose assessments the run finds more."""
    world.activate(b"1 Q0 b 50 200 0 0:50\n2 Q0 c 100 200 0 0:100\n")
    score_all()
    return scored


def test_an_older_edition_has_the_account_that_adds_up_to_its_own_score(client, rescored):
    for number in (1, 2):
        stored = Score.objects.get(evaluation__edition__number=number, measure="iMAP").topic_values[0]
        page = text_of(client.get(address(rescored, name="edition-ranked-list", edition=number)))
        file = client.get(address(rescored, name="edition-ranked-list-file", edition=number)).content.decode()
        head, *rows = [line.split(",") for line in file.splitlines()]

        assert f"<mark>{stored:.4f}</mark>" in page
        assert sum(float(row[head.index("step")]) for row in rows) == pytest.approx(stored, abs=1e-12)
        assert f"edition {number}: assessments v{number}" in page
    assert "<mark>1.0000</mark>" in text_of(client.get(address(rescored)))


def test_an_older_list_says_so_and_leads_on_inside_its_edition(client, rescored):
    older = text_of(client.get(address(rescored, "2", "edition-ranked-list", 1)))

    assert 'This is how it stood in <a href="/campaigns/small/ad-hoc/focused/editions/1/">edition 1</a>' in older
    assert f'<a href="{address(rescored, "2")}">By the current board</a>' in older
    for one in ("1", "3"):
        assert f'href="{address(rescored, one, "edition-ranked-list", 1)}"' in older
    assert address(rescored, "2", "edition-ranked-list-file", 1) in older
    assert reverse("edition-run", args=["small", "ad-hoc", "focused", 1, rescored.code]) in older
    now = text_of(client.get(address(rescored, "2", "edition-ranked-list", 2)))
    assert "This is how it stood" not in now
    assert f'href="{address(rescored, "1")}"' in now
    named = client.get(address(rescored, "2", "edition-ranked-list-file", 1))["Content-Disposition"]
    assert named == 'attachment; filename="mine-topic-2-edition-1.csv"'


def test_an_edition_has_no_list_of_a_run_that_it_did_not_score(client, world, rescored):
    later = world.scored(RUN.replace(b"mine", b"later"), name="later")

    assert client.get(address(later, name="edition-ranked-list", edition=2)).status_code == 200
    for edition in (1, 7):
        assert client.get(address(later, name="edition-ranked-list", edition=edition)).status_code == 404
        assert client.get(address(later, name="edition-ranked-list-file", edition=edition)).status_code == 404
