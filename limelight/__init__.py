"""Focused retrieval, evaluated: files, text, rules, measures and statistics as plain Python on arrays.

The names in `__all__` are the library's public face; docs/library.md explains each of them.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from limelight.analysis.statistics.correlation import Correlation as Correlation
    from limelight.face.checks import check as check
    from limelight.face.collection import Collection as Collection
    from limelight.face.collection import read_collection as read_collection
    from limelight.face.comparing import Comparison as Comparison
    from limelight.face.comparing import Pair as Pair
    from limelight.face.comparing import compare as compare
    from limelight.face.correlating import correlate as correlate
    from limelight.face.files import read_assessments as read_assessments
    from limelight.face.files import read_document as read_document
    from limelight.face.files import read_run as read_run
    from limelight.face.files import read_topics as read_topics
    from limelight.face.pools import read_pools as read_pools
    from limelight.face.refusals import Refusal as Refusal
    from limelight.face.scores import Scores as Scores
    from limelight.face.scores import score as score
    from limelight.formats.assessments.reading import Assessments as Assessments
    from limelight.formats.columns import RunColumns as RunColumns
    from limelight.formats.pools import PooledDocument as PooledDocument
    from limelight.formats.problems import Problem as Problem
    from limelight.formats.topics.inex import TopicRecord as TopicRecord
    from limelight.text.documents import DocumentText as DocumentText

__version__ = "0.1.0"

_HOMES = {
    "score": "face.scores",
    "check": "face.checks",
    "compare": "face.comparing",
    "correlate": "face.correlating",
    "read_run": "face.files",
    "read_assessments": "face.files",
    "read_topics": "face.files",
    "read_pools": "face.pools",
    "read_collection": "face.collection",
    "read_document": "face.files",
    "Scores": "face.scores",
    "Comparison": "face.comparing",
    "Pair": "face.comparing",
    "Correlation": "analysis.statistics.correlation",
    "Problem": "formats.problems",
    "Refusal": "face.refusals",
    "RunColumns": "formats.columns",
    "Assessments": "formats.assessments.reading",
    "TopicRecord": "formats.topics.inex",
    "PooledDocument": "formats.pools",
    "Collection": "face.collection",
    "DocumentText": "text.documents",
}
"""Where each public name lives; it is imported when first asked for, since numpy takes longer than --help may take."""

__all__ = list(_HOMES)

if not TYPE_CHECKING:  # type checkers read the imports above, and find names that do not exist

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        found = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
        globals()[name] = found
        return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
