"""Whatever is hidden from somebody can change without their noticing: no answer differs, however it is asked for.

What a page does not write it may still tell: by how many rows a filter leaves, by their order, by a family that was
chosen, by a status or a length. So facts are changed in the tables, and every address is read before and after, with
all the queries that somebody could ask with who knows, or guesses, a hidden name.
"""

import logging
import re
from datetime import timedelta
from difflib import unified_diff
from typing import ClassVar

import pytest
from django.core.handlers.wsgi import WSGIRequest
from django.db import transaction
from django.db.models import F, Value
from django.db.models.functions import Concat
from django.http import QueryDict
from django.utils import timezone

from assessments.models import AssessmentSet, Judgement
from campaign.models import Run, Task, Team, Topic, User
from campaign.services.generations import raise_generation
from campaign.services.runs.renaming import make_official
from evaluation.models import Curve, Edition, Evaluation, Score
from evaluation.services.analyses import refresh_analyses
from tests.asked import ASKED, GUESSED
from tests.twelve_topics import TOPICS, compute_all
from tests.walk import Walk, standing

pytestmark = pytest.mark.slow

KEY = b"".join(b"%d Q0 a 50 200 0 0:50\n%d Q0 b 0 200\n" % (number, number) for number in TOPICS)
EVERYWHERE = {"next", "page"}
"""What pages read of their address to lead back after a form, and to say which address they are known by."""

TOKEN = re.compile(rb'(name="csrfmiddlewaretoken" value=")\w+')


class Board(Walk):
    """A board of four teams with eight runs over twelve topics: enough for ranges, fields and families of runs."""

    def __init__(self):
        super().__init__()
        now = timezone.now()
        Run.objects.update(created_at=now - timedelta(days=20))
        Evaluation.objects.update(state_since=now - timedelta(days=10))
        Edition.objects.update(live_at=now - timedelta(days=10))
        self.generation = 1000
        self.guessed = GUESSED | {"code": self.their_run.code, "run": self.run.pk}
        self.queries = {name: [f"?{query.format(**self.guessed)}" for query in asked] for name, asked in ASKED.items()}

    def _play(self):
        Topic.objects.bulk_create(
            Topic(track=self.track, number=str(number), position=number, title=f"topic {number}")
            for number in TOPICS
            if number > 3
        )
        self.further = [self.team_of(name, f"{name}s-people") for name in ("dora", "erik")]
        super()._play()

    def activate(self, content=KEY):
        return super().activate(content)

    def _scored(self, content, whose, **submission):
        """Score two runs for each team; those of the further teams come with ours."""
        if whose == "our":
            for place, (user, team) in enumerate(self.further, start=1):
                self._two(f"further{place}", 40 - 3 * place, user=user, team=team)
        return self._two(whose, 45 if whose == "our" else 44, **submission)

    def _two(self, whose, quality, **submission):
        second = super()._scored(_run(quality - 30, 3), f"{whose}-second", **submission)
        first = super()._scored(_run(quality, 7), whose, **submission)
        make_official(second if whose == "their" else first)
        return first

    def read_all(self, role, addresses):
        """Return what is sent at each address: status, headers and body, without what is random in it."""
        return {path: told(self.answer(role, path)) for path in addresses}

    def settle(self):
        """Let everything be computed that the site computes after a change, in a generation that never was before."""
        self.generation += 1000
        Task.objects.filter(pk=self.task.pk).update(generation=self.generation)
        raise_generation(self.task)
        compute_all()
        refresh_analyses()


def _run(quality, turn):
    return b"".join(
        b"%d Q0 a 1 1.0 secret-file %d 50\n" % (number, 50 - quality + (number * turn) % 5) for number in TOPICS
    )


def told(response):
    """Return an answer as text, without the clock's time; a mark of a body with a token is as random as the token."""
    body, tokens = TOKEN.subn(rb"\1", response.getvalue())
    random = {"Expires", *(["ETag"] if tokens else [])}
    headers = {name: value for name, value in response.headers.items() if name not in random}
    return f"{response.status_code} {headers}\n{body.decode(errors='replace')}"


def names(runs, teams):
    """Change what teams say of their runs and of themselves, and when it was said."""
    for team in teams:
        make_official(runs.valid().filter(team=team, is_official=False).order_by("code").first())
    runs.update(
        name=Concat(Value("other-"), F("code")),
        description="Something else.",
        query=Run.Query.MANUAL,
        topic_fields=["castitle", "narrative"],
        result_type="element",
        file_name="other.xml",
        sha256=64 * "f",
        size=F("size") + 4711,
        submitted_by=None,
        submission_key="",
        created_at=timezone.now() - timedelta(days=2),  # and so after scores could be seen
    )
    Evaluation.objects.filter(run__in=runs).update(run_sha256=64 * "f")
    User.objects.filter(teams__in=teams).update(username=Concat(Value("other-"), F("username")), first_name="Other")
    Team.objects.filter(pk__in=[team.pk for team in teams]).update(
        slug=Concat(Value("other-"), F("slug")),
        name=Concat(Value("Other "), F("slug")),
        affiliation="Elsewhere",
        participant_number="99",
        created_at=timezone.now() - timedelta(days=900),
    )


def scores(runs, teams):
    """Change how good runs are, and how many stand on the board."""
    for score in Score.objects.filter(evaluation__run__in=runs):
        score.topic_values, score.mean = 1 - score.topic_values, 1 - score.mean
        score.save()
    for curve in Curve.objects.filter(evaluation__run__in=runs):
        curve.values = 1 - curve.values
        curve.save()
    runs.filter(team__in=[teams[0], teams[-1]]).update(withdrawn_at=timezone.now())


def returned(runs, teams):
    """Change what runs returned."""
    keys = list(runs.order_by("code").values_list("pk", "columns_file", "stored_file"))
    for (key, *_), (_, columns, stored) in zip(keys, [*keys[1:], keys[0]], strict=True):
        Run.objects.filter(pk=key).update(columns_file=columns, stored_file=stored)
    runs.update(result_count=4711, answered_topics=7, warning_count=3, report_file="")


def judgements(runs, teams):
    """Change what assessors highlighted, and what is known of runs by that."""
    for one in AssessmentSet.objects.all():
        one.topic_counts = {topic: [17 for _ in counts] for topic, counts in one.topic_counts.items()}
        one.save()
    AssessmentSet.objects.update(
        judgement_count=4711, relevant_count=4177, highlighted_characters=471_711, notes="Others.", file_name="other"
    )
    Judgement.objects.update(highlighted=17, spans=[[3, 17]], entry_point=3)
    Evaluation.objects.filter(run__in=runs).update(judged=0.4711, findings_file="")


STATES = {
    "": (names, scores, returned, judgements),
    "O": (names, scores, returned, judgements),
    "NRA": (scores,),
    "SRA": (names,),
    "SNA": (returned,),
    "SNR": (judgements,),
}
"""Which switches are open, and which facts may change then: what is told too early is told with all others open."""

ANONYMOUS = "SRA"
LOOKERS = {"O": ("other",), ANONYMOUS: ("visitor", "other", "reviewer")}
"""Who looks, by what is open, where it is not the visitor alone."""

NOTICED = {names: "board", scores: "board", returned: "ranked-list", judgements: "topic"}
"""Where everybody notices a change once everything is open."""


@pytest.fixture(scope="module")
def made(django_db_setup, django_db_blocker, tmp_path_factory):
    with standing(Board, django_db_blocker, tmp_path_factory.mktemp("walk")) as board:
        yield board


@pytest.fixture
def board(made, db, caplog, monkeypatch):
    caplog.set_level(logging.CRITICAL, "django.request")
    moment = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: moment)  # pages say how far away deadlines are
    return made


def before_and_after(board, role, paths, changes):
    """Return what somebody is sent at some addresses before and after others' facts change, which is taken back."""
    teams = [team for team in Team.objects.order_by("pk") if team.runs.exists() and team != board.bobs]
    before = board.read_all(role, paths)
    with transaction.atomic():
        for change in changes:
            change(Run.objects.exclude(team=board.bobs), teams)
        board.settle()
        after = board.read_all(role, paths)
        transaction.set_rollback(True)
    return before, after


@pytest.mark.parametrize("letters", STATES)
def test_what_is_hidden_changes_no_answer(board, letters):
    board.reveal(letters, published=False)
    board.settle()
    differing = []
    for role in LOOKERS.get(letters, ("visitor",)):
        everything = letters == ANONYMOUS and role == "visitor"
        queries = board.queries if everything else {"search": board.queries["search"]}
        paths = [path for _, path in board.open_addresses(queries)]
        before, after = before_and_after(board, role, paths, STATES[letters])
        differing += [
            f"{role} at {path}:\n{_first(before[path], after[path])}" for path in paths if before[path] != after[path]
        ]

    assert not differing, "\n\n".join(differing)


def _first(before, after):
    lines = unified_diff(before.splitlines(), after.splitlines(), "before", "after", lineterm="", n=0)
    return "\n".join(line[:300] for line in list(lines)[:12])


@pytest.mark.parametrize("change", NOTICED, ids=lambda change: change.__name__)
def test_what_is_open_does(board, change):
    """Or the changes would change nothing."""
    board.reveal("", published=True)
    board.settle()
    [path] = [path for name, path in board.open_addresses() if name == NOTICED[change]]

    before, after = before_and_after(board, "visitor", [path], [change])

    assert before != after


class Recording(QueryDict):
    """What an address asks with, noting which words a view looks for."""

    read: ClassVar = set()

    def get(self, key, *otherwise):
        self.read.add(key)
        return super().get(key, *otherwise)

    def getlist(self, key, *otherwise):
        self.read.add(key)
        return super().getlist(key, *otherwise)

    def __contains__(self, key):
        self.read.add(key)
        return super().__contains__(key)


def test_everything_that_a_page_reads_of_its_address_is_tried(board, monkeypatch):
    monkeypatch.setattr(WSGIRequest, "GET", property(lambda request: Recording(request.META.get("QUERY_STRING", ""))))
    board.reveal("OSNRA", published=True)
    untried = {}
    for name, path in board.open_addresses():
        Recording.read.clear()
        board.answer("own", path)
        tried = {pair.partition("=")[0] for query in ASKED.get(name, ()) for pair in query.split("&")}
        if left := Recording.read - tried - EVERYWHERE:
            untried[name] = left

    assert untried == {}
