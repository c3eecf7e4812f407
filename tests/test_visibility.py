"""Hidden things are in no representation: every open address, read by everybody in every state, before and after.

A page that is new is walked by itself. Give it what it needs here: queries to ask it with in VARIANTS, a place in
DOCUMENTS where it shows documents whatever runs returned; and what it shows first of all pages belongs to SHOWN. What
hidden things change without being written anywhere, `test_hidden_facts.py` looks for.
"""

import logging
import re

import pytest

from campaign.models import Document
from evaluation.models import Score
from tests.needs import is_shown
from tests.walk import Walk, standing
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

STATES = {
    "visitor": ("NRA", "SRA", "SNA", "SNR"),
    "account": ("SRA", "SNR"),
    "own": ("O", "NRA", "OSNR"),
    "other": ("ONRA", "OSRA", "OSNA", "OSNR"),
    "assessor": ("NRA", "SRA", "SNA"),
    "reviewer": ("SRA", "SNA", "SNR"),
}
"""Which switches are open before publication, besides none: all but one that makes a difference to somebody.

What is shown too early, by a page that asks for too few, is shown when everything else is open.
"""

RETURNED_ONLY, JUDGED_ONLY, BOTH = "zq-returned", "zq-judged", "zq-both"
LENGTH = 9_973
KEY = ASSESSMENTS + (f"3 Q0 {JUDGED_ONLY} 7919 {LENGTH} 0 0:7919\n3 Q0 {BOTH} 4000 {LENGTH} 1000 1000:4000\n".encode())
RETURNED = f"3 Q0 {RETURNED_ONLY} 2 5.0 secret-our-file 0 4211\n3 Q0 {BOTH} 3 4.0 secret-our-file 0 4217\n".encode()
DOCUMENTS = {"collection", "document", "example-run"}
"""Addresses that name documents because the collection has them."""

PICTURES = {"card"}
"""Addresses whose words cannot be searched for."""

VARIANTS = {
    "board": ("?sort=iP[0.01]",),
    "comparisons": (
        *("measures.csv", "ranks.csv", "topics.svg", "measures.svg", "ranks.svg"),
        *("?measure=iP[0.01]&test=t-test&correction=holm&against=iP[0.00]", "?family=official"),
    ),
    "compare": ("?topic=3&test=bootstrap",),
    "moved": ("?from=1&measure=iP[0.01]",),
    "topic": ("?runs=focused&documents=all",),
    "topics": ("?task=focused&sort=-relevant", "?sort=median"),
}
"""Further ways to ask an address, by its name."""

SHOWN = {"shows", "names_run", "knows_judgements"}
"""What some page shows to any visitor once everything is published: the words to look for are the right ones."""

TOKENS = re.compile(r'name="csrfmiddlewaretoken" value="\w+"|ETag: \S+')


def number(*numbers):
    """Return a pattern that finds numbers that stand by themselves, as people and as programs write them."""
    texts = [text for one in numbers for text in (str(one), f"{one:,}")]
    return rf"(?<![\d.,\w])(?:{'|'.join(texts)})(?![\d\w])"


class Traces(Walk):
    """A walk with something to look for of each thing that a switch hides, all of the run of `own`."""

    def __init__(self):
        super().__init__()
        self.traces = dict(self._traces())
        laid = {"number": 3, "identifier": BOTH}
        overlays = ("overlay", "overlay-file", "edition-overlay", "edition-overlay-file")
        self.parameters_at |= dict.fromkeys(overlays, laid)
        variants = VARIANTS | dict.fromkeys(overlays, (f"?with={self.their_run.code}",))
        self.addresses = [pair for pair in self.open_addresses(variants) if pair[0] not in PICTURES]

    def _play(self):
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
        # Of the 4,000 that are highlighted, and of the 4,217 returned; and highlights as they are drawn and listed.
        yield "shows_steps_of", rf'{number(3217)}|<path class="(?:hit|miss|waste|lit)" stroke|end,highlighted'
        yield "knows_judgements", f"{JUDGED_ONLY}|{number(7919, 11959)}"

    def _scores(self, run):
        return Score.objects.filter(evaluation__run=run)

    def read(self, role, addresses=None):
        """Return what somebody is sent at some addresses, or all: by name and path, with its headers."""
        return {pair: self._read(role, pair[1]) for pair in addresses or self.addresses}

    def _read(self, role, path):
        response = self.answer(role, path)
        told = [f"{name}: {value}" for name, value in response.headers.items() if name != "Content-Length"]
        return f"{told} {response.getvalue().decode(errors='replace')}".replace(path, "")

    def finds(self, read):
        """Yield what is found in what somebody read: the method that decides about it, where, and what is around it."""
        for (name, path), text in read.items():
            for method, trace in self.traces.items():
                if name in DOCUMENTS and method in ("shows_results_of", "knows_judgements"):
                    continue
                if match := re.search(trace, text):
                    yield method, f"{path}: {text[max(0, match.start() - 60) : match.end() + 20]!r}"

    def leaks(self, role, letters, read):
        """Yield a sentence for each thing that somebody finds before publication and should not."""
        revealed = self.reveal(letters, published=False)
        for method, place in self.finds(read()):
            if not is_shown(method, role, revealed):
                yield f"With {letters or 'nothing'} open, {role} finds what {method} decides about at {place}"


@pytest.fixture(scope="module")
def traces(django_db_setup, django_db_blocker, tmp_path_factory):
    with standing(Traces, django_db_blocker, tmp_path_factory.mktemp("walk")) as made:
        yield made


@pytest.fixture
def walk(traces, db, caplog):
    caplog.set_level(logging.CRITICAL, "django.request")
    return traces


@pytest.mark.parametrize("role", LOOKERS)
def test_what_is_hidden_is_nowhere_before_publication_and_there_afterwards(walk, role):
    """What is the same with everything hidden and with everything published hangs on no switch, and is read twice."""
    who, leaks = LOOKERS[role], []

    walk.reveal("", published=True)
    published = walk.read(who)
    missing = SHOWN - {method for method, _ in walk.finds(published)}
    assert not missing, f"{role} finds none of it: {missing}"

    hidden = {}
    leaks += walk.leaks(role, "", lambda: hidden.update(walk.read(who)) or hidden)
    moving = [pair for pair in hidden if TOKENS.sub("", hidden[pair]) != TOKENS.sub("", published[pair])]
    assert len(moving) > len(hidden) / 4
    for letters in STATES[role]:
        leaks += walk.leaks(role, letters, lambda: walk.read(who, moving))

    assert not leaks, "\n".join(leaks)
