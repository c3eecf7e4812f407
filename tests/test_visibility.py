"""Hidden things are in no representation: every open address, read by everybody in every state, before and after.

A page that is new is walked by itself. Give it what it needs here: queries to ask it with in VARIANTS, a place in
DOCUMENTS where it shows documents whatever runs returned; and what it shows first of all pages belongs to SHOWN.
"""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from campaign.models import SWITCHES, Document, Task
from campaign.services.generations import raise_generation
from evaluation.models import Score
from tests.needs import LETTERS, is_shown
from tests.stage import Stage, addresses, is_third_party
from tests.world import ASSESSMENTS

pytestmark = pytest.mark.slow

LOOKERS = {
    "visitor": "visitor",
    "account": "elsewhere",
    "own": "own",
    "other": "other",
    "assessor": "assessor",
    "reviewer": "reviewer",
}
"""Who looks: the name of a role in the table of needs, and on the stage."""

STATES = ("", "O", "A", "NR", "S", "SR", "SA", "SNR", "OSRA")
"""Which switches are open before publication; what is hidden then opens with it."""

RETURNED_ONLY, JUDGED_ONLY, BOTH = "zq-returned", "zq-judged", "zq-both"
LENGTH = 9_973
KEY = ASSESSMENTS + (f"3 Q0 {JUDGED_ONLY} 7919 {LENGTH} 0 0:7919\n3 Q0 {BOTH} 4000 {LENGTH} 1000 1000:4000\n".encode())
RETURNED = f"3 Q0 {RETURNED_ONLY} 2 5.0 secret-our-file 0 4211\n3 Q0 {BOTH} 3 4.0 secret-our-file 0 4217\n".encode()
DOCUMENTS = {"collection", "document", "example-run"}
"""Addresses that name documents because the collection has them."""

INVITING = {"team-join"}
"""Whoever has such a link reads whose it is."""

VARIANTS = {
    "board": ("?sort=iP[0.01]",),
    "comparisons": (
        *("measures.csv", "ranks.csv", "topics.svg", "measures.svg", "ranks.svg"),
        *("?measure=iP[0.01]&test=t-test&correction=holm&against=iP[0.00]", "?family=official"),
    ),
    "moved": ("?from=1&measure=iP[0.01]",),
    "topic": ("?runs=focused&documents=all",),
    "topics": ("?task=focused&sort=-relevant", "?sort=median"),
}
"""Further ways to ask an address, by its name."""

SHOWN = {"shows", "names_run", "knows_judgements"}
"""What some page shows to any visitor once everything is published: the words to look for are the right ones."""


def number(*numbers):
    """Return a pattern that finds numbers that stand by themselves, as people and as programs write them."""
    texts = [text for one in numbers for text in (str(one), f"{one:,}")]
    return rf"(?<![\d.,\w])(?:{'|'.join(texts)})(?![\d\w])"


class Walk(Stage):
    """The stage, with something to look for of each thing that a switch hides, all of the run of `own`."""

    def __init__(self):
        super().__init__()
        client = Client()
        client.post(reverse("review", args=[self.reviewer_link.token]))
        self.cookies["reviewer"] = {name: cookie.value for name, cookie in client.cookies.items()}
        self.headers["reviewer"], self.people["reviewer"] = {}, None
        self.traces = dict(self._traces())

    def _play(self):
        Task.objects.update(
            **dict.fromkeys(SWITCHES, "never")
        )  # or people were told of scores while they could see them
        self.task.refresh_from_db()
        Document.objects.bulk_create(
            Document(collection=self.collection, identifier=name, title=name, length=LENGTH)
            for name in (RETURNED_ONLY, JUDGED_ONLY, BOTH)
        )
        super()._play()

    def activate(self, content=KEY):
        return super().activate(content)

    def _scored(self, content, whose, **submission):
        return super()._scored(content + (RETURNED if whose == "our" else b""), whose, **submission)

    def _traces(self):
        """Yield a pattern for what each method of `BoardView` decides about."""
        scores = [word for word in self.secrets["our scores"] if len(word) > 5]
        by_topic = {f"{value:.4f}" for score in self._scores(self.run) for value in score.topic_values.tolist()}
        theirs = {f"{value:.4f}" for score in self._scores(self.their_run) for value in score.topic_values.tolist()}
        yield "shows", "|".join(map(re.escape, {*scores, *by_topic - theirs}))
        yield "names_run", "|".join(map(re.escape, (*self.secrets["our run"], self.run.sha256[:12])))
        yield "shows_results_of", f"{RETURNED_ONLY}|{number(4211, 4217)}"
        yield "shows_steps_of", number(3217)  # of the 4,000 that are highlighted, and of the 4,217 returned
        yield "knows_judgements", f"{JUDGED_ONLY}|{number(7919, 11959)}"

    def _scores(self, run):
        return Score.objects.filter(evaluation__run=run)

    def reveal(self, letters, published):
        """Open some switches at once and leave the others for publication, which is to come or was just now."""
        moment = timezone.now() + (timedelta(seconds=-2) if published else timedelta(days=1))
        opened = {LETTERS[letter] for letter in letters}
        values = {name: "at-once" if name in opened else "at-publication" for name in SWITCHES}
        Task.objects.filter(pk=self.task.pk).update(published_at=moment, assessments_while_open=True, **values)
        raise_generation(self.task)
        return set(SWITCHES) if published else opened

    def read(self, role, path):
        """Return what somebody is sent for an address, with its headers."""
        client, headers = Client(raise_request_exception=False), None
        if path.startswith("/api/v1/"):
            headers = self.headers[role]
        else:
            client.cookies.load(self.cookies[role])
        response = client.get(path, headers=headers)
        assert response.status_code < 500 or path in ("/readyz", "/status.json"), path
        told = [f"{name}: {value}" for name, value in response.headers.items() if name != "Content-Length"]
        return f"{told} {response.getvalue().decode(errors='replace')}".replace(path, "")

    def open_addresses(self):
        """Yield the addresses that are not the desk's, each with the ways to ask it: name, path."""
        for name, route, view in addresses():
            if is_third_party(name, route, view) or route.startswith("desk/") or name in INVITING:
                continue
            for query in ("", *VARIANTS.get(name, ())):
                yield name, self.path(name, route) + query

    def finds(self, role):
        """Yield what somebody finds: the method that decides about it, where, and what stands around it."""
        for name, path in self.open_addresses():
            text = self.read(role, path)
            for method, trace in self.traces.items():
                if name in DOCUMENTS and method in ("shows_results_of", "knows_judgements"):
                    continue
                if match := re.search(trace, text):
                    yield method, f"{path}: {text[max(0, match.start() - 60) : match.end() + 20]!r}"


@pytest.fixture
def walk(stage):
    return Walk()


@pytest.mark.parametrize("role", LOOKERS)
def test_nobody_finds_what_is_hidden_from_them_before_publication(walk, role):
    leaks = []

    for letters in STATES:
        revealed = walk.reveal(letters, published=False)
        for method, place in walk.finds(LOOKERS[role]):
            if not is_shown(method, role, revealed):
                leaks.append(f"With {letters or 'nothing'} open, {role} finds what {method} decides about at {place}")

    assert not leaks, "\n".join(leaks)


def test_everybody_finds_it_after_publication(walk):
    walk.reveal("", published=True)

    for role, on_stage in LOOKERS.items():
        missing = SHOWN - {method for method, _ in walk.finds(on_stage)}
        assert not missing, f"{role} finds none of it: {missing}"


def test_what_was_published_and_taken_back_is_hidden_again(walk):
    walk.reveal("", published=True)
    list(walk.finds("visitor"))

    walk.reveal("", published=False)

    assert [place for _, place in walk.finds("visitor")] == []
