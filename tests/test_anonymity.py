"""Anonymous boards stay anonymous: every address is searched for whatever leads from a line to its team."""

import json
import re
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from campaign.models import Membership, Notification, Pseudonym, Registration, ReviewerLink, Run, Task, Team, User
from campaign.services.runs.renaming import make_official
from campaign.services.visibility.pseudonyms import give_pseudonym
from evaluation.models import Curve, Evaluation, Score
from tests.stage import Stage, addresses, is_third_party
from tests.world import GOOD_RUN

pytestmark = pytest.mark.slow

FIRST_KEYS = {
    Run: 7_318_201,
    Evaluation: 8_264_401,
    Score: 93_517_001,
    Curve: 64_820_001,
    Team: 5_193_701,
    User: 4_827_301,
    Membership: 6_038_501,
    Registration: 9_471_601,
    Pseudonym: 3_906_201,
    Notification: 2_859_101,
}
"""Keys that nothing else on a page looks like."""
LONG_AGO = datetime(2019, 2, 3, 4, 5, tzinfo=UTC)
ANONYMOUS = {"names_visible": "at-publication", "other_scores_visible": "at-once"}
LOOKERS = ("visitor", "other", "reviewer")
BOARD = "/campaigns/small/ad-hoc/focused/"
PAGES = (
    BOARD,
    f"{BOARD}?sort=iP[0.01]",
    f"{BOARD}editions/1/",
    f"{BOARD}comparisons/",
    f"{BOARD}editions/2/moved/",
    f"{BOARD}editions/2/moved/?from=1&measure=iP[0.01]",
)
ANSWERS = (f"/api/v1{BOARD}board", f"/api/v1{BOARD}editions/1")


def count_from(model, first):
    """Let the keys of a table go on from a number."""
    table = model._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM sqlite_sequence WHERE name = '{table}'")
        cursor.execute(f"INSERT INTO sqlite_sequence (name, seq) VALUES ('{table}', {first - 1})")


class AnonymousStage(Stage):
    """The small campaign with an anonymous board of four teams; whatever could lead to one of them can be looked for.

    Three of them have a run with the same scores, and one has marked its run as the official one.
    """

    def __init__(self):
        for model, first in FIRST_KEYS.items():
            count_from(model, first)
        super().__init__(task=ANONYMOUS)
        client = Client()
        client.post(reverse("review", args=[self.reviewer_link.token]))
        self.cookies["reviewer"] = {name: cookie.value for name, cookie in client.cookies.items()}
        self.headers["reviewer"], self.people["reviewer"] = {}, None
        self.traces = {role: list(traces_of(self.bobs if role == "other" else None)) for role in LOOKERS}
        self.leaks = []

    def _play(self):
        self.further = [self._team(name) for name in ("dora", "erik")]
        super()._play()
        Run.objects.update(query="manual", topic_fields=["castitle"])
        make_official(Run.objects.get(name="secret-dora-run"))
        self._date_back()

    def _team(self, username):
        user, team = self.team_of(username, f"{username}s-people")
        Team.objects.filter(pk=team.pk).update(
            name=f"secret-{username}-team", affiliation="secret-affiliation", participant_number="86420"
        )
        User.objects.filter(pk=user.pk).update(first_name=f"secret-{username}")
        return username, user, team

    def _scored(self, content, whose, **submission):
        """Score a run in a file whose size is nobody else's; those of the further teams come with ours."""
        padding = b"# secret-file\n" * (9_000 + 7 * Run.objects.count())
        run = super()._scored(content + padding, whose, **submission)
        if whose == "our":
            for name, user, team in self.further:
                self._scored(GOOD_RUN, name, user=user, team=team)
            self._scored(GOOD_RUN, "tied")
        return run

    def _date_back(self):
        """Let everything that the other teams did have happened long ago."""
        for number, run in enumerate(Run.objects.exclude(team=self.bobs)):
            Run.objects.filter(pk=run.pk).update(created_at=LONG_AGO + timedelta(seconds=number))
        Evaluation.objects.exclude(run__team=self.bobs).update(created_at=LONG_AGO)
        Team.objects.exclude(pk=self.bobs.pk).update(created_at=LONG_AGO)
        Membership.objects.exclude(team=self.bobs).update(joined_at=LONG_AGO)
        Registration.objects.exclude(team=self.bobs).update(accepted_at=LONG_AGO)

    def read(self, role, path):
        """Return what somebody reads at an address of a board."""
        response, _ = self.ask(role, "GET", path, path)
        assert response.status_code == 200, (role, path)
        return response.getvalue().decode()

    def _search(self, response, role, place):
        text = f"{response.headers} {response.getvalue().decode(errors='replace')}"
        text = text.replace(response.request["PATH_INFO"], "")  # what was asked for may be said again
        text = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", text)  # random, and so at times any number
        for what, trace in self.traces.get(role, ()):
            if found := re.search(trace, text):
                around = text[max(0, found.start() - 60) : found.end() + 20]
                self.leaks.append(f"{role} finds {what} at {place}: {around}")


def traces_of(own):
    """Yield what leads to another team, or to the order in which runs came: a word for it, and a pattern."""
    teams = Team.objects.filter(runs__isnull=False).exclude(pk=own and own.pk).distinct()
    others = {
        Run: Run.objects.filter(team__in=teams),
        Evaluation: Evaluation.objects.filter(run__team__in=teams),
        Score: Score.objects.filter(evaluation__run__team__in=teams),
        Curve: Curve.objects.filter(evaluation__run__team__in=teams),
        Team: teams,
        User: User.objects.filter(teams__in=teams),
        Membership: Membership.objects.filter(team__in=teams),
        Registration: Registration.objects.filter(team__in=teams),
        Pseudonym: Pseudonym.objects.filter(team__in=teams),
        Notification: Notification.objects.filter(user__teams__in=teams),
    }
    for model, rows in others.items():
        keys = {str(key) for key in rows.values_list("pk", flat=True)}
        assert keys, model
        yield f"the number of a {model.__name__}", number(keys)
    for run in others[Run]:
        yield "a run", "|".join(map(re.escape, filter(None, (run.name, run.description, run.file_name))))
        yield "a hash", run.sha256[:12]
        yield "a size", number({str(run.size), f"{run.size:,}"})
        yield "when a run came", number({str(int(run.created_at.timestamp()))})
    for team in teams:
        yield "a team", rf"{re.escape(team.name)}|\b{team.slug}\b"
    for person in others[User]:
        yield "a person", rf"{re.escape(person.email)}|\b{person.username}\b"
    yield "a moment", r"2019-02-03|3 Feb|Feb\S* 3"
    yield "what a team or a file says about itself", r"secret-affiliation|86420|secret-(dora|erik)|secret-file"


def number(texts):
    """Return a pattern that finds numbers that stand by themselves, not within others."""
    return rf"(?<![\d.,])(?:{'|'.join(map(re.escape, sorted(texts)))})(?!\d)"


@pytest.fixture
def anonymous(stage):
    return AnonymousStage()


def test_nothing_anywhere_leads_from_an_anonymous_line_to_its_team(anonymous):
    for name, route, view in addresses():
        if not is_third_party(name, route, view):
            for role in LOOKERS:
                for method in ("GET", "POST"):
                    anonymous.ask(role, method, name, anonymous.path(name, route))
    for path in (*PAGES, *ANSWERS):
        for role in LOOKERS:
            anonymous.read(role, path)

    assert not anonymous.leaks, "\n".join(anonymous.leaks)


def test_what_a_team_says_about_its_runs_is_not_on_an_anonymous_board(anonymous):
    for role in LOOKERS:
        for path in PAGES:
            assert not re.search(r"manual|castitle|badge", anonymous.read(role, path)), (role, path)
        for path in ANSWERS:
            lines = json.loads(anonymous.read(role, path))["lines"]
            others = [line for line in lines if not line["is_own"]]
            assert {line["is_official"] for line in others} == {None}
            assert {line["description"] for line in others} == {""}
            assert all(line["name"] == line["code"] and line["run"] is None for line in others)


@pytest.mark.parametrize("turned", [False, True])
def test_equals_stand_in_the_order_of_their_codes(anonymous, turned):
    """Both when runs were submitted in this order and when they were in the other."""
    keys = sorted(Run.objects.values_list("pk", flat=True), reverse=turned)
    for place, key in enumerate(keys):
        Run.objects.filter(pk=key).update(code=f"k{place}")
    best = Score.objects.filter(measure="iMAP", mean__gt=0.6, evaluation__edition__number=1)
    tied = list(best.values_list("evaluation__run__code", flat=True))
    assert len(tied) == 3

    for path in PAGES:
        page = anonymous.read("visitor", path)
        table = page[page.rindex("<table") :]
        assert [
            code for code in re.findall(r'<th scope="row">\s*(?:<a [^>]*>)?(k\d)', table) if code in tied
        ] == sorted(tied), path
    for path in (BOARD, f"{BOARD}editions/1/"):
        figure = json.loads(anonymous.read("visitor", f"{path}figure.json?curves={','.join(reversed(tied))}"))
        assert [run["code"] for run in figure["runs"]] == sorted(tied)
    for path in ANSWERS:
        lines = json.loads(anonymous.read("visitor", path))["lines"]
        assert [line["code"] for line in lines if line["code"] in tied] == sorted(tied)


def test_pseudonyms_are_drawn_anew_for_each_task_and_follow_no_order(world):
    teams = [world.team_of(f"p{place}", f"Team-{place}")[1] for place in range(12)]
    other = world.new_task("thorough", closes_at=world.task.closes_at)

    drawn = [[give_pseudonym(task, team) for team in teams] for task in (world.task, other)]

    assert drawn[0] != drawn[1]
    assert all(names not in (sorted(names), sorted(names, reverse=True)) for names in drawn)


@pytest.mark.parametrize("shows_names", [False, True])
def test_a_reviewer_sees_scores_ranks_and_the_names_that_the_link_shows(anonymous, shows_names):
    """The link lets in before the scores of others are visible to anybody."""
    Task.objects.update(own_scores_visible="at-publication", other_scores_visible="at-publication")
    ReviewerLink.objects.update(shows_names=shows_names)

    page = anonymous.read("reviewer", BOARD)

    assert "equal scores share a rank" in page and "5 runs · 4 teams" in page
    assert ("secret-dora-run" in page) == ("official</span>" in page) == shows_names
    assert "5 runs" not in anonymous.read("visitor", BOARD)


def test_no_number_is_on_a_board_with_names_either(anonymous):
    """Or it would tell what comes before and after it on the boards without."""
    Task.objects.update(names_visible="at-once")

    for path in (*PAGES, *ANSWERS):
        for role in LOOKERS:
            assert "secret-dora-run" in anonymous.read(role, path)

    assert not [leak for leak in anonymous.leaks if "finds the number of" in leak]
