"""The long document of the benchmark is what its tables say."""

import random
from io import BytesIO
from itertools import pairwise

from bench.long_document import RESULTS, SIZE, article, run_file, spans
from limelight.formats.runs.reading import read_run
from limelight.text.documents import read_document


def test_the_document_is_as_long_as_is_said_and_made_from_its_seed():
    source = article(random.Random(1))

    assert SIZE < len(read_document(BytesIO(source), "long")) < 1.1 * SIZE
    assert source == article(random.Random(1))


def test_spans_do_not_overlap():
    chosen = sorted(spans(random.Random(1), 10_000, 500))

    assert len(chosen) == 500
    assert all(offset + length < following for (offset, length), (following, _) in pairwise(chosen))


def test_the_run_has_as_many_results_as_a_topic_may_have():
    assert len(read_run(BytesIO(run_file(random.Random(1), SIZE, "mine")))[0]) == RESULTS
