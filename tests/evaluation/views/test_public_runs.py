"""A run's page for everyone who may see its score, and the tombstone of one that left."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from campaign.models import Run, Task, Topic
from campaign.services.acting import By
from campaign.services.runs.rejections import reject
from campaign.services.runs.renaming import make_official
from campaign.services.runs.submissions import withdraw_run
from evaluation.models import Evaluation
from evaluation.services.analyses import analyse, refresh_analyses
from evaluation.services.scoring import evaluate
from tests.pages import source_of
from tests.world import GOOD_RUN

HALF = b"1 Q0 a 1 9.5 half 0 25\n2 Q0 c 1 7.0 half 0 200\n"


@pytest.fixture
def run(world):
    world.activate()
    world.scored(HALF, "half", user=world.bob, team=world.bobs)
    return world.scored(GOOD_RUN, "good", query="automatic", topic_fields=["title"], description="By *BM25*.")


@pytest.fixture
def page_of(world, client):
    def page(run, user=None, name="public-run", *rest):
        if user:
            client.force_login(user)
        else:
            client.logout()
        return client.get(reverse(name, args=[*world.task.address, *rest, run.code]))

    return page


def score_all():
    for evaluation in Evaluation.objects.claimable():
        evaluate(evaluation.pk)


def test_a_visitor_reads_score_rank_interval_topics_and_neighbours(run, page_of):
    page = source_of(page_of(run))

    assert "<mark>0.6053</mark>" in page
    assert "Rank <b>1</b> of 2" in page
    assert "Too few topics to tell runs apart." in page
    assert "By <em>BM25</em>." in page
    assert "automatic queries" in page
    assert "95 % interval" in page
    assert "On other topics like these the mean would lie here 95 times in 100" in page
    assert "Topic 1: " in page
    assert "too few teams to compare with" in page
    assert ">half</a>" in page
    assert run.sha256 in page
    assert "the team’s page of this run" not in page


def test_the_team_finds_its_tools_and_the_way_back(world, run, page_of, client):
    assert f'href="{run.get_absolute_url()}"' in source_of(page_of(run, world.alice))
    own = source_of(client.get(run.get_absolute_url()))
    assert reverse("public-run", args=[*world.task.address, run.code]) in own


def test_the_board_leads_to_every_run(world, client, run):
    page = source_of(client.get(reverse("board", args=world.task.address)))

    for one in world.task.runs.all():
        assert reverse("public-run", args=[*world.task.address, one.code]) in page


def test_before_all_scores_are_visible_only_its_team_reads_it_and_without_a_rank(world, run, page_of):
    world.task.other_scores_visible = "at-publication"
    world.task.save()

    assert page_of(run).status_code == 404
    assert page_of(run, world.bob).status_code == 404
    own = source_of(page_of(run, world.alice))
    assert "<mark>0.6053</mark>" in own
    assert "Rank <b>" not in own
    assert "half" not in own
    assert "Its rank, and how others fare: shown once the results are published." in own


def test_an_anonymous_board_leads_to_pages_without_names(world, run, page_of):
    world.task.names_visible = "at-publication"
    world.task.save()

    page = source_of(page_of(run))

    for hidden in ("good", "Lund", "BM25", run.sha256, "automatic", f"/runs/{run.pk}/"):
        assert hidden not in page, hidden
    assert run.code in page
    assert "Its name and team: shown once the results are published." in page


def test_an_older_edition_has_the_run_as_it_stood(world, run, page_of):
    world.activate(b"1 Q0 a 50 200 0 0:50\n")
    score_all()

    assert "This is how it stands in edition 1." in source_of(page_of(run, None, "edition-run", 1))
    assert page_of(run, None, "edition-run", 9).status_code == 404


def test_all_measures_are_handed_out_topic_by_topic(run, page_of):
    response = page_of(run, None, "public-scores")

    head, first, *_ = response.content.decode().splitlines()
    assert response["Content-Disposition"] == 'attachment; filename="good-focused-scores.csv"'
    assert head == "run,edition,assessments,profile,engine,measure,mean,1,2,3"
    assert first.startswith("good,1,1,inex-2007,")


@pytest.mark.parametrize("leaves", [withdraw_run, lambda run: reject([run], by=By(run.submitted_by), reason="A copy.")])
def test_a_run_that_left_in_sight_has_a_tombstone_without_reason_or_score(world, run, page_of, leaves):
    leaves(run)

    left = page_of(run)

    assert left.status_code == 410
    page = source_of(left)
    assert "good is no longer on the board" in page
    assert "0.6053" not in page
    assert "A copy" not in page
    assert page_of(run, None, "public-scores").status_code == 404


def test_a_run_that_left_unseen_was_never_there(world, run, page_of):
    world.task.other_scores_visible = "at-publication"
    world.task.save()
    withdraw_run(run)
    assert page_of(run).status_code == 404

    world.task.published_at = timezone.now() + timedelta(seconds=0)
    world.task.save()

    assert page_of(run).status_code == 404  # what left before the publication is not told of after it


def test_an_unknown_code_leads_nowhere(world, client, run):
    assert client.get(reverse("public-run", args=[*world.task.address, "nobody"])).status_code == 404


def test_with_four_other_teams_the_strip_shows_the_field(world, run, page_of):
    for number in range(4):
        user, team = world.team_of(f"person-{number}", f"Team-{number}")
        world.scored(HALF, f"run-{number}", user=user, team=team)

    page = source_of(page_of(run))

    assert "median of 5 other teams" in page
    assert 'class="quartile"' in page


def test_the_field_of_an_anonymous_board_does_not_tell_which_runs_are_official(world, run, page_of):
    for number in range(4):
        user, team = world.team_of(f"person-{number}", f"Team-{number}")
        whose = {"user": user, "team": team}
        world.scored(HALF, f"half-{number}", **whose)
        make_official(world.scored(GOOD_RUN, f"good-{number}", **whose))
    world.task.names_visible = "never"
    world.task.save()

    def strip():
        return re.findall(r"Topic \d+: [^<\"]+", source_of(page_of(run)))

    marked = strip()
    Run.objects.update(is_official=False)

    assert marked == strip()


def test_ranges_stand_beside_the_rank(world, run, page_of):
    numbers = range(4, 13)
    Topic.objects.bulk_create(
        Topic(track=world.track, number=str(number), position=number, title=f"topic {number}") for number in numbers
    )
    world.activate(b"".join(b"%d Q0 a 50 200 0 0:50\n" % number for number in range(1, 13)))
    world.scored(b"".join(b"%d Q0 a 1 1.0 far 49 50\n" % number for number in range(1, 13)), "far")
    score_all()
    refresh_analyses()
    while analyse():
        pass

    page = source_of(page_of(run))

    assert "truly anywhere" in page


def test_the_number_of_a_run_leads_others_to_its_public_page_where_names_are_shown(world, run, client):
    public = reverse("public-run", args=[*world.task.address, run.code])
    for user in (None, world.bob):
        if user:
            client.force_login(user)
        assert client.get(run.get_absolute_url()).headers.get("Location") == public
    client.force_login(world.alice)
    assert client.get(run.get_absolute_url()).status_code == 200

    for change in ({"names_visible": "never"}, {"names_visible": "at-once", "other_scores_visible": "never"}):
        Task.objects.update(**change)
        client.force_login(world.bob)
        assert client.get(run.get_absolute_url()).status_code == 404, change
        client.logout()
        assert client.get(run.get_absolute_url()).url.startswith(reverse("account_login")), change
