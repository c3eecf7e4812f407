"""A real passage for the front page: highlighted text with what a run returned laid over it.

It is taken from the board that was published last of those of which any visitor may read everything: scores, names,
runs, assessments, topics and documents. A worker makes it once a board; a page shows what was made.
"""

from itertools import pairwise

from django.urls import reverse

from campaign.machinery.cached import answered, compute_for, key_of
from campaign.models import Topic
from campaign.services.documents.files import load_document
from campaign.services.permissions.seeing import board_view_of
from campaign.services.permissions.visitors import public_tasks
from evaluation.models import Edition, Score
from evaluation.services.material import compiled_judgements
from evaluation.services.ranked_lists import ranked_list
from evaluation.services.run_addresses import overlay_address
from limelight.formats.assessments.columns import CHARACTERS
from limelight.kinds import KINDS

TASK = "evaluation.tasks.excerpt"
VERSION = 2
MOST_TASKS, CANDIDATES, TOPICS_TRIED, LINES_TRIED = 30, 3, 6, 6
LONGEST, BEFORE = 720, 90
ENOUGH = 60
"""Characters of each kind that make a passage worth looking at."""

HIT, MISS, WASTE, PLAIN = "hit", "miss", "waste", "plain"


def excerpt():
    """Return the passage of the front page, or None where there is none, or none yet."""
    edition = _edition_to_show()
    if edition is None:
        return None
    found = answered(_key(edition), lambda: _made(edition) or {}, task=TASK, order=f"{edition.pk}")
    return found.value or None


def make_excerpt(order):
    """Make the passage that a front page waits for, of the edition that an order names."""
    edition = Edition.objects.for_board().filter(pk=order).first()
    if edition is not None and _is_open(edition.task):
        compute_for(_key(edition), lambda: _made(edition) or {})


def _key(edition):
    origin = [VERSION, edition.pk, edition.created_at.isoformat(), edition.task.generation]
    return key_of("excerpt", origin)


def _edition_to_show():
    """Return the live edition that was published last of those that hide nothing."""
    tasks = public_tasks().filter(
        track__campaign__gates_topics=False,
        track__campaign__gates_collection=False,
        track__collection__isnull=False,
        published_at__isnull=False,
        kind__in=[kind.name for kind in KINDS if kind.needs_text],
    )
    hiding = set()
    for task in tasks.order_by("-published_at", "pk")[:MOST_TASKS]:
        if task.track_id in hiding:
            continue
        if _is_open(task):
            edition = Edition.objects.live_for(task)
            if edition is not None and edition.axis == CHARACTERS:
                edition.task = task
                return edition
        hiding.add(task.track_id)  # what one task of a track keeps for itself, the others mostly do
        if len(hiding) == CANDIDATES:
            break
    return None


def _is_open(task):
    """Return whether any visitor sees everything of a task's results."""
    view = board_view_of(None, task)
    return task.is_published() and view.all_scores and view.names and view.runs and view.assessments


def _made(edition):
    """Return the passage that shows most of all there is to see, of the best run and its best topics; or None."""
    best = (
        Score.objects.filter(evaluation__in=edition.evaluations.on_board(), measure=edition.official_measure)
        .select_related("evaluation__run__team", "evaluation__run__task__track__campaign")
        .order_by("-mean", "evaluation__run__code")
        .first()
    )
    if best is None:
        return None
    run, view = best.evaluation.run, board_view_of(None, edition.task)
    by_value = sorted(zip(best.topic_values.tolist(), edition.topic_numbers, strict=True), reverse=True)
    passages = (
        passage
        for value, number in by_value[:TOPICS_TRIED]
        if value > 0
        for passage in _passages(edition, ranked_list(run, number, view, edition), number)
    )
    return max(passages, key=lambda passage: passage["worth"], default=None)


def _passages(edition, ranked, number):
    """Yield the passages of the first lines of a ranked list."""
    if ranked is None or ranked.account is None:
        return
    assessment_set = edition.assessment_set
    highlights = compiled_judgements(assessment_set.columns_file, assessment_set.content)
    lines = [line for line in ranked.lines[:LINES_TRIED] if line.places and line.places[0].offset is not None]
    names = {line.document for line in lines}
    rows = {row.identifier: row for row in edition.collection.documents.filter(identifier__in=names)}
    topic = Topic.objects.filter(track=edition.task.track, number=number).first()
    for line in lines:
        row = rows.get(line.document)
        if row is None or topic is None or not row.text_file:
            continue
        returned = [(place.offset, place.offset + place.length) for place in line.places if place.offset is not None]
        marked = [
            (offset, offset + length)
            for offset, length in highlights.passages(highlights.topics.index(number), line.document)
        ]
        pieces, worth = laid_over(load_document(row.text_file).text, returned, marked)
        if worth:
            yield {
                "pieces": pieces,
                "worth": worth,
                "topic": topic.title or topic.number,
                "topic_path": topic.get_absolute_url(),
                "document": row.title or row.identifier,
                "document_path": overlay_address(edition.task, ranked.run.code, number, row.identifier),
                "run": ranked.name,
                "team": ranked.team,
                "rank": line.rank,
                "list_path": reverse("ranked-list", args=[*edition.task.address, ranked.run.code, number]),
                "task": edition.task.name,
                "task_path": edition.task.get_absolute_url(),
            }


def laid_over(text, returned, marked):
    """Return a piece of a text, cut where what was returned or highlighted begins or ends, and how much it shows.

    >>> pieces, worth = laid_over("a" * 100 + "b" * 100 + "c" * 100, [(100, 300)], [(0, 200)])
    >>> [(kind, len(piece)) for kind, piece in pieces], worth
    ([('miss', 100), ('hit', 100), ('waste', 100)], 180)
    """
    if not returned:
        return [], 0
    first = max(0, min(start for start, _ in [*returned, *_near(marked, returned)]) - BEFORE)
    begin = 0 if first == 0 else text.find(" ", first) + 1
    end = min(len(text), begin + LONGEST)
    if end < len(text):
        end = max(text.rfind(" ", begin, end), begin)
    cuts = {begin, end, *(edge for span in (*returned, *marked) for edge in span if begin < edge < end)}
    pieces, seen = [(PLAIN, "… ")] if begin else [], dict.fromkeys((HIT, MISS, WASTE, PLAIN), 0)
    for start, stop in pairwise(sorted(cuts)):
        is_returned, is_marked = (any(a <= start < b for a, b in spans) for spans in (returned, marked))
        kind = (HIT if is_marked else WASTE) if is_returned else MISS if is_marked else PLAIN
        seen[kind] += stop - start
        pieces.append((kind, text[start:stop]))
    if end < len(text):
        pieces.append((PLAIN, " …"))
    worth = sum(min(seen[kind], ENOUGH) for kind in (HIT, MISS, WASTE)) if seen[HIT] >= ENOUGH else 0
    return pieces, worth


def _near(marked, returned):
    """Return the highlighted passages that begin at most as far before a returned one as a piece of text is long."""
    start = min(start for start, _ in returned)
    return [span for span in marked if start - LONGEST / 2 < span[0] < start + LONGEST]
