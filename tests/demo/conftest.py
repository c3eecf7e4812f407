"""What tests of the demo's runs stand on."""

from io import BytesIO

import pytest

from evaluation.demo.passages import highlight_lines
from limelight.formats.assessments.reading import read_assessments
from limelight.formats.topics.inex import read_topics
from limelight.scoring.evaluators import compiled
from limelight.text.documents import read_document
from tests.folders import ROOT

DEMO = ROOT / "demo"

pytest.register_assert_rewrite("tests.demo.recomputing")


@pytest.fixture(scope="module")
def ground():
    """The demo's documents and assessments, as the check and the measures want them."""
    documents = {
        path.stem: read_document(BytesIO(path.read_bytes()), path.stem) for path in (DEMO / "collection").glob("*.xml")
    }
    texts = {name: document.text for name, document in documents.items()}
    lines = [line for file in sorted((DEMO / "assessments").glob("*.toml")) for line in highlight_lines(file, texts)]
    topics = read_topics(BytesIO((DEMO / "topics.xml").read_bytes()))
    known = {
        "topics": [topic.identifier for topic in topics],
        "document_lengths": {name: len(document) for name, document in documents.items()},
        "element_spans": {name: document.places for name, document in documents.items()}.get,
    }
    judgements = read_assessments(BytesIO("\n".join(lines).encode()))[0].judgements
    return known, compiled(judgements)
