"""The pages of topics, as they are read: answers, marks, what is hidden, and every way on."""

import re

import pytest

from campaign.models import Campaign, Task, Topic
from campaign.services.generations import raise_generation
from campaign.shared_pages import forget_pages
from tests.evaluation.fared import give_values, with_fleet
from tests.pages import text

LIST, TOPIC = "/campaigns/small/ad-hoc/topics/", "/campaigns/small/ad-hoc/topics/2/"


@pytest.fixture
def told(world):
    """The world with five teams on its board, and everything open."""
    world.runs = with_fleet(world)
    Task.objects.update(assessments_visible="at-once", runs_visible="at-once")
    return world


def test_a_topic_tells_how_teams_and_runs_fared(client, told):
    page = client.get(TOPIC).content.decode()

    assert "<mark>Median 0.3000</mark> over 5 teams" in page
    assert "2 documents" in page and "120 highlighted characters" in page
    assert '<a href="/collections/letters/c/"><bdi>c</bdi></a>' in page
    riga = told.runs[-1]
    assert f'<a href="/campaigns/small/ad-hoc/focused/runs/{riga.code}/">run-of-Riga</a>' in page
    assert f'<a href="/campaigns/small/ad-hoc/focused/runs/{riga.code}/topics/2/">ranked list</a>' in page
    assert "best: run-of-Riga 0.6000" in text(client.get(TOPIC))
    assert "difficult" not in page and "hard" not in page.replace("hardly", "")


def test_every_link_of_the_pages_leads_somewhere(client, told):
    for path in (LIST, TOPIC, f"{TOPIC}?runs=focused&documents=all", f"{LIST}?task=focused&sort=-median"):
        page = client.get(path).content.decode().partition("<main")[2].partition("</main")[0]
        for link in {one.partition("#")[0].replace("&amp;", "&") for one in re.findall('href="([^"]+)"', page)}:
            address = link if link.startswith("/") else f"{path.partition('?')[0]}{link}"
            assert client.get(address).status_code == 200, address


def test_neighbours_and_the_list_are_a_click_away(client, world):
    page = client.get(TOPIC).content.decode()

    assert 'rel="prev" href="/campaigns/small/ad-hoc/topics/1/"' in page
    assert 'rel="next" href="/campaigns/small/ad-hoc/topics/3/"' in page
    assert f'<a href="{LIST}">all topics</a>' in page
    assert "No results yet." in page


def test_what_is_hidden_is_named_with_its_moment(client, told):
    Task.objects.update(other_scores_visible="at-deadline", assessments_visible="never", names_visible="never")

    page, listed = text(client.get(TOPIC)), text(client.get(LIST))

    assert "How all runs and teams fared: shown from the deadline on (" in page
    assert "Which runs and teams they are: shown to nobody." in page
    assert "once every task of this track shows its assessments: Focused shows them to nobody." in page
    assert "How all runs and teams fared: shown from the deadline on (" in listed
    assert "Focused shows them to nobody." in listed
    assert "run-of" not in page + listed


def test_a_topic_s_number_with_strange_characters_is_not_there(client, world):
    assert client.get("/campaigns/small/ad-hoc/topics/%00/").status_code == 404


def test_heads_sort_the_list_and_turn_it_round(client, told):
    for run, value in zip(told.runs, (0.1, 0.2, 0.3, 0.4, 0.5), strict=True):
        give_values(run, value, value / 2, 0.9)

    first, then = (
        client.get(f"{LIST}?sort=median").content.decode(),
        client.get(f"{LIST}?sort=-median").content.decode(),
    )

    assert (
        '<th scope="col" class="number" aria-sort="descending"><a href="?sort=-median">median over teams</a></th>'
        in first
    )
    assert (
        '<th scope="col" class="number" aria-sort="ascending"><a href="?sort=median">median over teams</a></th>' in then
    )
    assert first.index("topic 3") < first.index("topic 1") < first.index("topic 2")
    assert then.index("topic 2") < then.index("topic 1") < then.index("topic 3")


def test_unknown_words_answer_with_a_sentence(client, told):
    page = text(client.get(f"{LIST}?sort=hardest&task=<b>"))

    assert "Topics cannot be sorted by “hardest”" in page
    assert "There is no board of a task “&lt;b&gt;” here." in page
    assert "There is no board of the task whose runs were asked for in full." in text(client.get(f"{TOPIC}?runs=x"))


def test_names_are_written_letter_by_letter(client, told):
    Topic.objects.filter(number="2").update(title="<script>", castitle="//a[<b>]", narrative="<i>\nb")
    told.runs[0].name = '"><script>alert(1)</script>'
    told.runs[0].save()

    page = client.get(TOPIC).content.decode()

    assert "<script>alert" not in page and "<b>]" not in page and "<i>" not in page


def test_gated_topics_show_no_results_either(client, told):
    Campaign.objects.update(gates_topics=True)

    response = client.get(TOPIC)

    assert response.status_code == 403
    assert "run-of" not in response.content.decode()


def test_visitors_are_given_what_others_were_given_until_it_changes(client, told):
    first = client.get(TOPIC)

    assert client.get(TOPIC, headers={"If-None-Match": first["ETag"]}).status_code == 304
    raise_generation(told.task)
    forget_pages()
    give_values(told.runs[0], 0.95, 0.95, 0.95)
    assert client.get(TOPIC, headers={"If-None-Match": first["ETag"]}).status_code == 200
