"""Boards: ranks, order, and who sees what, in every representation."""

import re
from datetime import timedelta

import pytest
from django.http import QueryDict
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode

from campaign.models import Pseudonym
from campaign.services.permissions.seeing import board_view
from campaign.services.runs.checks import check_run
from campaign.services.runs.renaming import make_official
from campaign.services.runs.submissions import withdraw_run
from evaluation.models import Evaluation
from evaluation.services.board_asked import asked_of
from evaluation.services.boards import build_board
from evaluation.services.scoring import evaluate
from tests.pages import source_of
from tests.world import GOOD_RUN, score_run

WORSE = b"1 Q0 b 1 9.0 worse 0 100\n1 Q0 a 2 8.0 worse 0 50\n"


@pytest.fixture
def scored(world):
    world.activate()

    def score(content, name, user=None, team=None):
        run = world.submit(content, name=name, user=user, team=team, description=f"recounts {name}")
        check_run(run.pk)
        score_run(run.pk)
        return run

    return score


@pytest.fixture
def board_url(world):
    return reverse("board", args=world.task.address)


def board_of(world, user, sort=""):
    edition = world.task.editions.live().get()
    return build_board(edition, board_view(user, world.task), asked_of(QueryDict(urlencode({"sort": sort})), edition))


def test_runs_are_ranked_by_the_official_measure_and_ties_share_a_rank(world, scored):
    scored(WORSE, "worse")
    scored(GOOD_RUN, "good")
    scored(GOOD_RUN + b"# the same answers\n", "tied", world.bob, world.bobs)

    lines = board_of(world, world.visitor_with_account).lines

    assert sorted((line.rank, line.name) for line in lines) == [(1, "good"), (1, "tied"), (3, "worse")]
    assert [line.rank for line in lines] == [1, 1, 3]
    assert lines[0].code < lines[1].code


def test_another_order_keeps_the_ranks(world, scored):
    scored(b"1 Q0 b 1 9.0 early 0 100\n1 Q0 a 2 8.0 early 0 50\n2 Q0 c 1 1.0 early 0 100\n", "early")
    scored(GOOD_RUN, "good")

    board = board_of(world, world.bob, sort="iP[0.00]")
    unknown = board_of(world, world.bob, sort="'; drop table")

    assert board.sorted_by == "iP[0.00]"
    assert {line.name: line.rank for line in board.lines} == {"good": 1, "early": 2}
    assert unknown.sorted_by == "iMAP"


def test_the_official_measure_is_the_first_column_and_scores_have_four_decimals(client, scored, board_url):
    scored(GOOD_RUN, "good")

    page = source_of(client.get(board_url))

    headings = re.findall(r'title="[^"]+">([^<]+)</a></th>', page)
    assert headings == ["iMAP", "iP[0.00]", "iP[0.01]", "iP[0.05]", "iP[0.10]"]
    assert re.findall(r"<span>(\d\.\d+)</span>", page)[0] == "0.6053"


def test_a_withdrawn_run_is_on_no_board(client, scored, board_url):
    withdraw_run(scored(GOOD_RUN, "good"))

    assert "good" not in source_of(client.get(board_url))


def test_scores_of_others_are_hidden_until_they_become_visible(world, client, scored, board_url):
    scored(GOOD_RUN, "of-alice")
    scored(WORSE, "of-bob", world.bob, world.bobs)
    world.task.other_scores_visible = "at-publication"
    world.task.save()

    by_a_visitor = source_of(client.get(board_url))
    assert "Runs are scored as they arrive. The scores become visible at publication." in by_a_visitor
    client.force_login(world.alice)
    own = source_of(client.get(board_url))
    assert "of-alice" in own
    assert "of-bob" not in own
    client.force_login(world.organiser)
    assert "of-bob" in source_of(client.get(board_url))

    world.task.published_at = timezone.now() - timedelta(minutes=1)
    world.task.save()
    client.logout()
    published = source_of(client.get(board_url))
    assert "of-alice" in published
    assert "of-bob" in published


def test_own_scores_can_be_kept_until_the_deadline(world, client, scored, board_url):
    run = scored(GOOD_RUN, "of-alice")
    world.task.own_scores_visible = world.task.other_scores_visible = "at-deadline"
    world.task.save()
    client.force_login(world.alice)

    assert "of-alice" not in source_of(client.get(board_url))
    page = source_of(client.get(run.get_absolute_url()))
    assert "scored" in page
    assert "0.6053" not in page


def test_an_anonymous_board_tells_no_names_anywhere(world, client, scored, board_url):
    scored(GOOD_RUN, "of-alice")
    scored(WORSE, "of-bob", world.bob, world.bobs)
    world.task.names_visible = "at-publication"
    world.task.save()

    seen_by_a_visitor = source_of(client.get(board_url))
    figure = source_of(client.get(f"{board_url}figure.json"))
    for name in ("of-alice", "of-bob", "Lund", "Delft", "recounts"):
        assert name not in re.sub(r"<p class=\"prose\">.*?</p>", "", seen_by_a_visitor)
        assert name not in figure
    pseudonyms = set(Pseudonym.objects.values_list("name", flat=True))
    assert len(pseudonyms) == 2
    assert all(pseudonym in seen_by_a_visitor for pseudonym in pseudonyms)
    assert source_of(client.get(board_url)).count("Team ") == seen_by_a_visitor.count("Team ")  # they stay

    client.force_login(world.alice)
    seen_by_alice = source_of(client.get(board_url))
    assert "of-alice" in seen_by_alice
    assert "of-bob" not in seen_by_alice


def test_ranks_and_numbers_of_runs_and_teams_are_hidden_where_not_all_scores_are_seen(world, client, scored, board_url):
    for number in range(4):
        scored(GOOD_RUN + b"# %d\n" % number, f"better-{number}", world.bob, world.bobs)
    scored(WORSE, "of-alice")
    world.task.other_scores_visible = "at-publication"
    world.task.save()

    board = board_of(world, world.alice)
    client.force_login(world.alice)
    own = source_of(client.get(board_url))
    client.logout()
    by_a_visitor = source_of(client.get(board_url))

    assert [(line.name, line.rank) for line in board.lines] == [("of-alice", None)]
    assert (board.team_count, board.is_complete) == (None, False)
    assert "1 run of your own · 3 topics" in own
    assert "Those of others, and the ranks, become visible at publication." in own
    assert "ties share a rank" not in own
    for page in (own, by_a_visitor):
        assert not re.search(r"\b[45] runs?|\b2 teams|(of 5)", page)
    assert [line.rank for line in board_of(world, world.organiser).lines] == [1, 1, 1, 1, 5]


def test_a_task_that_never_shows_other_teams_scores_says_so(world, client, scored, board_url):
    scored(GOOD_RUN, "of-alice")
    world.task.other_scores_visible = "never"
    world.task.save()

    assert "This task shows nobody the scores of other teams." in source_of(client.get(board_url))
    client.force_login(world.alice)
    assert "This task shows nobody the scores of other teams, nor ranks." in source_of(client.get(board_url))


def test_the_official_run_bears_its_badge_where_its_name_is_shown(world, client, scored, board_url):
    badge = re.compile(r'<th scope="row"[^>]*>(?:<a[^>]*>)?([\w-]+)(?:</a>)? <span class="badge"[^>]*>official</span>')
    scored(WORSE, "draft")
    make_official(scored(GOOD_RUN, "final"))
    world.activate()
    for evaluation in Evaluation.objects.claimable():
        evaluate(evaluation.pk)
    moved_url = reverse("moved", args=[*world.task.address, 2])

    def badges(*addresses):
        return [badge.findall(source_of(client.get(address))) for address in addresses]

    assert badges(board_url, moved_url) == [["final"], ["final"]]
    world.task.names_visible = "at-publication"
    world.task.save()
    assert badges(board_url, moved_url) == [[], []]
    assert {line.is_official for line in board_of(world, world.bob).lines} == {None}
    client.force_login(world.alice)
    assert badges(board_url, moved_url) == [["final"], ["final"]]  # one's own


def test_a_row_has_the_same_piece_of_line_however_the_board_is_sorted(world, client, scored, board_url):
    for place, start in enumerate((0, 10, 20, 30)):
        scored(b"1 Q0 a 1 9 r %d 20\n2 Q0 c 1 9 r %d 30\n" % (start, 90 - start), f"run-{place}")

    def swatches(sort):
        page = source_of(client.get(board_url, {"sort": sort}))
        table = page[page.index('<table class="board') :]
        return dict(re.findall(r'<tr data-run="(\w+)".*?(<svg class="swatch.*?</svg>)', table))

    assert len(set(swatches("iMAP").values())) == 4
    assert swatches("iMAP") == swatches("-iP[0.00]")


def test_an_old_edition_stays_at_its_address(world, client, scored, board_url):
    run = scored(GOOD_RUN, "good")
    world.activate(b"1 Q0 b 50 200 0 0:50\n")
    score_run(run.pk)

    old = source_of(client.get(reverse("edition", args=[*world.task.address, 1])))
    new = source_of(client.get(board_url))
    assert "This is edition 1, which was superseded" in old
    assert "0.6053" in old
    assert "Edition 2 · assessments v2" in new
    assert "0.6053" not in new
    assert client.get(reverse("edition", args=[*world.task.address, 3])).status_code == 404


def test_the_curve_of_each_line_is_tied_to_it(world, client, scored, board_url):
    scored(GOOD_RUN, "good")
    scored(WORSE, "worse", world.bob, world.bobs)

    page = source_of(client.get(board_url))
    figure = client.get(f"{board_url}figure.json").json()

    codes = [line.code for line in board_of(world, world.bob).lines]
    assert [run["code"] for run in figure["runs"]] == codes
    assert [(run["name"], run["team"], len(run["values"])) for run in figure["runs"]] == [
        ("good", "Lund", 101),
        ("worse", "Delft", 101),
    ]
    for code in codes:
        assert f'<tr data-run="{code}"' in page
        assert re.search(rf'<path class="run hue-\d" data-run="{code}"', page)
        assert re.search(rf'data-curve="{code}" aria-label="Show \w+ in the chart" checked', page)


def test_empty_boards_say_what_will_appear(world, client, board_url):
    assert "scored as soon as the organisers activate assessments" in source_of(client.get(board_url))
    world.activate()
    assert "The first valid one opens it." in source_of(client.get(board_url))
