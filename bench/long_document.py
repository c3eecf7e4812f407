"""A campaign about one long document (python -m bench.long_document): two thousand spans lie on it.

Prints JSON: the addresses of the document alone, of a run laid over it, and of two runs. Everything is open to
visitors, and made from a seed.
"""

# ruff: noqa: T201, E402

import json
import os
import random
from datetime import timedelta
from io import BytesIO

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.utils import timezone

from assessments.services.imports import import_assessments
from campaign.models import (
    SWITCHES,
    Campaign,
    Collection,
    Document,
    Registration,
    Task,
    TaskKind,
    Team,
    Topic,
    Track,
    User,
    Visible,
)
from campaign.services.acting import By
from campaign.services.documents.collections import import_collection
from campaign.services.documents.files import load_document
from campaign.services.runs.checks import check_run
from campaign.services.runs.submissions import submit_run
from evaluation.models import Evaluation
from evaluation.services.decisions import activate
from evaluation.services.run_addresses import overlay_address
from evaluation.services.scoring import evaluate

SEED = 2007
SIZE = 300_000
RESULTS, HIGHLIGHTS = 1_500, 500
"""As many results as a topic may have, and what is highlighted: 2,000 spans."""
NAME = "the-long-one"
SYLLABLES = "lo mi ra ten bar sul vin ko the ar en is ge lamp light wick".split()  # noqa: SIM905


def words(source, length):
    """Return made-up words of so many characters."""
    text = ""
    while len(text) < length:
        text += "".join(source.choices(SYLLABLES, k=source.randint(1, 4))) + " "
    return text[: length - 1] + "."


def article(source):
    """Return an article in sections and paragraphs with marked-up words, about SIZE characters long."""
    sections, size = [], 0
    while size < SIZE:
        paragraphs = []
        for _ in range(source.randint(4, 12)):
            text = words(source, source.randint(120, 520))
            paragraphs.append(f"<p>{text[:40]}<emph>{text[40:60]}</emph>{text[60:]}</p>\n")
            size += len(text)
        sections.append(f"<section><title>{words(source, 30)}</title>\n{''.join(paragraphs)}</section>\n")
    return f"<article><title>The long one</title>\n{''.join(sections)}</article>".encode()


def spans(source, length, count):
    """Return so many spans that do not overlap, in any order."""
    edges = sorted(source.sample(range(length), 2 * count))
    chosen = [(begin, end - begin) for begin, end in zip(edges[::2], edges[1::2], strict=True)]
    source.shuffle(chosen)
    return chosen


def run_file(source, length, name):
    """Return a run that answers one topic with RESULTS passages of the document."""
    lines = enumerate(spans(source, length, RESULTS), start=1)
    return "".join(
        f"1 Q0 {NAME} {rank} {RESULTS - rank}.5 {name} {offset} {size}\n" for rank, (offset, size) in lines
    ).encode()


def task_of(collection, person):
    """Make a campaign that hides nothing, with one open task and one topic."""
    now = timezone.now()
    campaign = Campaign.objects.create(slug="long", name="Long", year=now.year, is_public=True)
    campaign.organisers.add(person)
    track = Track.objects.create(campaign=campaign, slug="ad-hoc", name="Ad hoc", collection=collection)
    Topic.objects.create(track=track, number="1", position=1, title="what is long")
    return Task.objects.create(
        track=track,
        slug=TaskKind.FOCUSED.value,
        name=TaskKind.FOCUSED.label,
        kind=TaskKind.FOCUSED,
        opens_at=now - timedelta(days=1),
        closes_at=now + timedelta(days=1),
        **dict.fromkeys(SWITCHES, Visible.AT_ONCE),
    )


def team_of(campaign, person):
    """Make a team that takes part."""
    team = Team.objects.create(slug="long", name="Long")
    team.memberships.create(user=person, role="leader")
    Registration.objects.create(
        campaign=campaign,
        team=team,
        state=Registration.State.APPROVED,
        agreement_version=1,
        accepted_by=person,
        accepted_at=timezone.now(),
    )
    return team


def main():
    """Make everything and say where it is."""
    source = random.Random(SEED)
    person = User.objects.create_user("bench-organiser", "bench@example.org")
    collection = Collection.objects.create(slug="long", name="Long")
    import_collection(collection, [(NAME, BytesIO(article(source)))])
    document = Document.objects.get(collection=collection)
    length = len(load_document(document.text_file))
    task = task_of(collection, person)
    marked = sorted(spans(source, length, HIGHLIGHTS))
    total = sum(size for _, size in marked)
    key = f"1 Q0 {NAME} {total} {length} {marked[0][0]} {' '.join(f'{offset}:{size}' for offset, size in marked)}\n"
    activate(import_assessments(task.track, by=By(person), stream=BytesIO(key.encode()), file_name="long.qrels"))
    team, codes = team_of(task.track.campaign, person), []
    for name in ("first", "second"):
        content = run_file(source, length, name)
        run = submit_run(
            task, by=By(person), team=team, upload=BytesIO(content), file_name=f"{name}.fol", name=name
        ).run
        check_run(run.pk)
        codes.append(run.code)
    for evaluation in Evaluation.objects.claimable():
        evaluate(evaluation.pk)
    laid = overlay_address(task, codes[0], "1", NAME)
    print(
        json.dumps(
            {
                "document": document.get_absolute_url(),
                "overlay": laid,
                "two": f"{laid}?with={codes[1]}",
                "length": length,
                "spans": RESULTS + HIGHLIGHTS,
            }
        )
    )


if __name__ == "__main__":
    main()
