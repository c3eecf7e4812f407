"""A run's page for everyone who may see its score, and the tombstone of one that left."""

import html
import re
from datetime import timedelta

import numpy as np
import pytest
from django.urls import reverse
from django.utils import timezone

from campaign.models import Run, Task
from campaign.services.acting import By
from campaign.services.runs.rejections import reject
from campaign.services.runs.renaming import make_official
from campaign.services.runs.submissions import withdraw_run
from evaluation.models import Analysis, Evaluation, Score
from evaluation.services.scoring import evaluate
from limelight.analysis.statistics.redrawing import redraw, topic_weights
from limelight.analysis.statistics.sentences import redrawn_sentence
from tests.pages import source_of
from tests.twelve_topics import compute_all, give_twelve_topics, scored_run
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

    Task.objects.update(runs_visible="at-once")

    page = source_of(page_of(run, None, "edition-run", 1))

    assert re.search(r'This is how it stands in <a href="[^"]+/editions/1/">edition 1</a>.', page)
    assert "<mark>0.6053</mark>" in page
    for name, *rest in (("edition-ranked-list", "1"), ("edition-scores",)):
        assert f'href="{reverse(name, args=[*world.task.address, 1, run.code, *rest])}"' in page, name
    half = world.task.runs.get(name="half")
    assert f'href="{reverse("edition-run", args=[*world.task.address, 1, half.code])}"' in page
    assert "This is how it stands" not in source_of(page_of(run, None, "edition-run", 2))
    assert page_of(run, None, "edition-run", 9).status_code == 404


def test_the_scores_of_an_older_edition_are_its_own(world, run, page_of):
    world.activate(b"1 Q0 a 50 200 0 0:50\n")
    score_all()

    head, first, *_ = page_of(run, None, "edition-scores", 1).content.decode().splitlines()
    assert head.endswith(",1,2,3")
    assert first.startswith("good,1,1,")
    assert page_of(run, None, "public-scores").content.decode().splitlines()[0].endswith("mean,1")
    assert page_of(run, None, "edition-scores", 9).status_code == 404


def test_the_board_of_an_older_edition_leads_to_runs_as_they_stood(world, client, run):
    world.activate(b"1 Q0 a 50 200 0 0:50\n")
    score_all()

    page = source_of(client.get(reverse("edition", args=[*world.task.address, 1])))

    assert reverse("edition-run", args=[*world.task.address, 1, run.code]) in page


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


@pytest.fixture
def board(world):
    """Score three runs on twelve topics."""
    give_twelve_topics(world)
    scored_run(world, "good", 45)
    scored_run(world, "near", 44, turn=3, user=world.bob, team=world.bobs)
    return scored_run(world, "far", 6)


def test_the_range_of_a_rank_is_told_with_how_it_was_found(world, board, page_of):
    good, far = (world.task.runs.get(name=name) for name in ("good", "far"))
    assert "Rank <b>1</b> of 3. Ranges are being computed." in source_of(page_of(good))
    compute_all()

    leads, last = source_of(page_of(good)), source_of(page_of(far))

    assert "Rank <b>1</b> of 3. Its true rank may be anywhere from 1 to 2: it is in the leading group." in leads
    assert "Tukey HSD, 5 %, tested among 3 runs." in leads
    assert "Rank <b>3</b> of 3. The topics tell it apart from every other run." in last


def test_it_is_told_how_often_a_run_would_come_first_where_ranks_are_shown(world, board, page_of):
    good = world.task.runs.get(name="good")
    computing = "How often it would come first if the topics were drawn again is being computed."
    assert computing in source_of(page_of(good))
    compute_all()
    values = {score.evaluation.run.name: score.topic_values for score in Score.objects.filter(measure="iMAP")}
    library = redraw([values[name] for name in ("good", "near", "far")], topic_weights(12))

    page = source_of(page_of(good))

    assert redrawn_sentence(library.first[0], library.top3[0]) in html.unescape(page)
    assert "would come first in < 1 % of the draws" in html.unescape(source_of(page_of(board)))
    Task.objects.update(other_scores_visible="never")
    assert "drawn again" not in source_of(page_of(good, world.alice))


def test_nothing_is_said_of_redrawn_topics_where_there_are_too_few_or_it_failed(world, run, page_of):
    assert "drawn again" not in source_of(page_of(run))

    give_twelve_topics(world)
    good = scored_run(world, "good-too", 45)
    compute_all()
    Analysis.objects.filter(test="redrawn").update(state=Analysis.State.FAILED, failure_reference="ABC123")

    assert "drawn again" not in source_of(page_of(good))


def test_a_run_that_came_after_scores_could_be_seen_is_not_tested_among_clean_ones(world, board, page_of):
    for name in ("good", "near"):
        make_official(world.task.runs.get(name=name))
    Run.objects.exclude(pk=board.pk).update(created_at=board.created_at - timedelta(days=2))
    compute_all()

    clean, late = source_of(page_of(world.task.runs.get(name="good"))), source_of(page_of(board))

    assert "from 1 to 2 among the two runs submitted before their teams could see scores" in clean
    assert "It was submitted after its team could see scores: it is not tested among the others." in late


def test_the_page_leads_on(world, board, page_of):
    Task.objects.update(runs_visible="at-once")
    page = source_of(page_of(board))

    assert f'href="{reverse("team", args=[world.alices.slug])}"' in page
    assert f'href="{reverse("board", args=world.task.address)}?against={board.code}"' in page
    assert f'href="{reverse("comparisons", args=world.task.address)}#pairs"' in page
    values = Score.objects.get(evaluation__run=board, measure="iMAP").topic_values
    worst, *_, best = 1 + np.argsort(values, kind="stable")
    for word, number in (("Worst", worst), ("best", best)):
        address = reverse("ranked-list", args=[*world.task.address, board.code, number])
        assert re.search(rf'{word}: *<a href="{address}">{number} ', page), word


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
