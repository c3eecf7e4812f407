"""Search over the site: whoever asks, it knows what any visitor may know, and counts nothing else."""

import unicodedata
from dataclasses import dataclass

from django.contrib.postgres.search import SearchQuery, SearchVector
from django.db import connection
from django.db.models import Case, Min, Q, When
from django.db.models.functions import Length
from django.urls import reverse

from campaign.models import Document, Team
from campaign.services.permissions.visitors import (
    open_collections,
    open_topics,
    public_campaigns,
)
from evaluation.services.participants import named_on_boards
from limelight.wording import one_line

LONGEST_QUERY = 200
MOST_WORDS = 8
HITS_SHOWN = 10
MOST_COUNTED = 1000
LANGUAGE = "english"
"""How PostgreSQL takes words apart; a migration of campaign makes an index of documents' titles for it."""


@dataclass(frozen=True, slots=True)
class Hit:
    """Something that was found: what it is called, where it is, and what it belongs to."""

    name: str
    path: str
    about: str = ""


@dataclass(frozen=True, slots=True)
class Hits:
    """What was found of one kind: the first of them, and how many there are; None where there are too many to count."""

    kind: str
    count: int | None
    shown: list


def words_of(query, most=MOST_WORDS):
    """Return the words of a query, at most eight and each once, without what no text holds.

    >>> words_of(" Lamp  lamp\\x00\\tWICK ")
    ['Lamp', 'WICK']
    """
    words = one_line(unicodedata.normalize("NFC", query)).split()
    first = {word.casefold(): word for word in reversed(words)}
    return [word for word in dict.fromkeys(words) if first[word.casefold()] == word][:most]


def found_for(query):
    """Return what is found for a query, by kind; kinds of which nothing is found are left out."""
    words = words_of(query)
    if not words:
        return []
    campaigns = list(public_campaigns().prefetch_related("tracks__tasks"))
    tasks = {}
    for campaign in campaigns:
        for track in campaign.tracks.all():
            track.campaign = campaign
            for task in track.tasks.all():
                task.track = track
                tasks[task.pk] = task
    on_boards = named_on_boards(tasks.values())
    groups = [
        *_by_name(campaigns, tasks.values(), words),
        _runs(on_boards, tasks, words),
        _teams(on_boards, tasks, words),
        _topics(words),
        _documents(words),
    ]
    return [hits for hits in groups if hits.shown]


def _by_name(campaigns, tasks, words):
    """Yield the campaigns, tracks and tasks that hold all words; they are few, and looked at one by one."""
    tracks = [track for campaign in campaigns for track in campaign.tracks.all()]
    kinds = (
        (
            "campaign",
            campaigns,
            lambda row: (row.name, row.summary, row.description, str(row.year)),
            lambda row: row.year,
        ),
        ("track", tracks, lambda row: (row.name, row.description), lambda row: row.campaign.name),
        (
            "task",
            tasks,
            lambda row: (row.name, row.description, row.get_kind_display()),
            lambda row: f"{row.track.campaign.name} › {row.track.name}",
        ),
    )
    for kind, rows, texts_of, about in kinds:
        found = [row for row in rows if _holds(texts_of(row), words)]
        shown = [Hit(row.name, row.get_absolute_url(), f"{about(row)}") for row in found[:HITS_SHOWN]]
        yield Hits(kind, len(found), shown)


def _holds(texts, words):
    """Return whether each word is in one of some texts."""
    said = "\n".join(texts).casefold()
    return all(word.casefold() in said for word in words)


def _runs(on_boards, tasks, words):
    """Return the runs that hold all words, in what they are called, of which team, and how they are described."""
    rows = _matching(on_boards, words, "run__name", "run__description", "run__team__name")
    rows = rows.select_related("run__team").order_by(Length("run__name"), "run__name", "run__code")
    return _hits("run", rows, lambda row: _run_hit(row.run, tasks[row.run.task_id]))


def _run_hit(run, task):
    path = reverse("public-run", args=[*task.address, run.code])
    return Hit(run.name, path, f"{run.team.name} · {task.name}, {task.track.campaign.name}")


def _teams(on_boards, tasks, words):
    """Return the teams whose names hold all words."""
    standing = Q(runs__evaluations__in=on_boards)
    rows = _matching(Team.objects.filter(pk__in=on_boards.values("run__team")), words, "name")
    rows = rows.annotate(on_task=Min("runs__task", filter=standing)).order_by(Length("name"), "name")
    return _hits("team", rows, lambda team: _team_hit(team, tasks[team.on_task]))


def _team_hit(team, task):
    return Hit(team.name, team.get_absolute_url(), f"{task.name}, {task.track.campaign.name}")


def _topics(words):
    """Return the topics that hold all words, or are called by the only one."""
    fields = ("title", "castitle", "phrasetitle", "description", "narrative", "number")
    rows = _matching(open_topics(), words, *fields).select_related("track__campaign")
    return _hits(
        "topic",
        rows.order_by(Case(When(_each_in(words, ["title"]), then=0), default=1), Length("title"), "track", "position"),
        lambda row: Hit(f"{row}", row.get_absolute_url(), f"{row.track.campaign.name} › {row.track.name}"),
    )


def _documents(words):
    """Return the documents whose titles hold all words, after those that are called by the only one."""
    documents = Document.objects.filter(collection__in=open_collections()).select_related("collection")
    called = list(documents.filter(identifier=words[0]).order_by("pk")[:HITS_SHOWN]) if len(words) == 1 else []
    titled = _matching(documents, words, "title", is_large=True).exclude(pk__in=[row.pk for row in called])
    found = _hits("document", titled.order_by(Length("title"), "identifier", "pk"), _document_hit)
    count = None if found.count is None else found.count + len(called)
    return Hits("document", count, [*map(_document_hit, called), *found.shown][:HITS_SHOWN])


def _document_hit(row):
    about = f"{row.collection.label} · {row.identifier}" if row.title else row.collection.label
    return Hit(row.title or row.identifier, row.get_absolute_url(), about)


def _matching(rows, words, *fields, is_large=False):
    """Return the rows that hold all words: by PostgreSQL's full text, or letter by letter.

    Names are made of odd signs, and people look for parts of them: letter by letter on PostgreSQL, too, where that does
    not pass over an index of many rows.
    """
    if connection.vendor != "postgresql":
        return rows.filter(_each_in(words, fields))
    query = SearchQuery(" ".join(words), search_type="websearch", config=LANGUAGE)
    rows = rows.annotate(text=SearchVector(*fields, config=LANGUAGE))
    return rows.filter(Q(text=query) if is_large else Q(text=query) | _each_in(words, fields))


def _each_in(words, fields):
    """Return the condition that each word is in one of some fields."""
    condition = Q()
    for word in words:
        one = Q()
        for field in fields:
            one |= Q(**{f"{field}__icontains": word})
        condition &= one
    return condition


def _hits(kind, rows, hit):
    """Return the first of some rows, and how many there are where they can be counted quickly."""
    shown = list(rows[:HITS_SHOWN])
    count = len(shown)
    if count == HITS_SHOWN:
        count = rows.order_by()[: MOST_COUNTED + 1].count()
    return Hits(kind, count if count <= MOST_COUNTED else None, [hit(row) for row in shown])
