"""What a site can only be asked from inside (python -m bench.inside PATH): statements a page, and how long ranges take.

Prints JSON: for visitors and for somebody signed in the statements of a first and of a second request, a cookie of that
person, and the seconds that telling the runs of the largest board apart takes.
"""

# ruff: noqa: T201, E402

import json
import os
import sys
import time

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

import numpy as np
from django.conf import settings
from django.db import connection
from django.db.models import Count
from django.test import Client
from django.test.utils import CaptureQueriesContext

from campaign.models import Run, User
from evaluation.models import Edition, Score
from limelight.analysis.statistics.telling_apart import tell_apart


def statements(client, path):
    """Count the statements of two requests, one after the other."""
    counts = []
    for _ in range(2):
        with CaptureQueriesContext(connection) as captured:
            response = client.get(path, headers={"host": "127.0.0.1"})
        if response.status_code != 200:
            raise RuntimeError(f"{path} answers {response.status_code}.")
        counts.append(len(captured))
    return counts


def largest_edition():
    """Return the live edition with the most runs."""
    return Edition.objects.live().annotate(size=Count("evaluations")).order_by("-size", "pk").first()


def seconds_for_ranges():
    """Return how large the largest board is, and how long its ranges take without reading its scores."""
    edition = largest_edition()
    scores = Score.objects.filter(
        evaluation__edition=edition, evaluation__run__in=Run.objects.valid(), measure=edition.official_measure
    )
    matrix = np.array(list(scores.values_list("topic_values", flat=True)))
    started, begun = time.perf_counter(), time.process_time()
    told = tell_apart(matrix)
    ranges, leading = told.ranges(), told.leading()
    seconds, processor = time.perf_counter() - started, time.process_time() - begun
    widest = max(last - first + 1 for first, last in ranges)
    return {
        "shape": matrix.shape,
        "seconds": seconds,
        "processor": processor,
        "leading": sum(leading),
        "widest": widest,
    }


def main():
    """Say what there is to say about one address."""
    path = sys.argv[1]
    person, _ = User.objects.get_or_create(username="bench-visitor")
    signed_in = Client()
    signed_in.force_login(person)
    cookie = f"{settings.SESSION_COOKIE_NAME}={signed_in.cookies[settings.SESSION_COOKIE_NAME].value}"
    found = {
        "visitor": statements(Client(), path),
        "signed in": statements(signed_in, path),
        "cookie": cookie,
        "ranges": seconds_for_ranges(),
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main()
