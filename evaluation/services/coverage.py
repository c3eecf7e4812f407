"""How much of the text that each run of a board returns nobody has judged under a version of the assessments."""

from dataclasses import dataclass, replace

import numpy as np

from assessments.services.judged import judged_columns
from campaign.models import Run
from campaign.services.documents.collections import document_lengths, element_spans
from campaign.services.runs.check_results import load_ranked
from evaluation.services.material import is_of_documents
from limelight.analysis.coverage import JudgedDocuments, cover
from limelight.analysis.pooling import top_results
from limelight.formats.columns import COLUMNS
from limelight.text.placing import placed


@dataclass(frozen=True, slots=True)
class CoverageLine:
    """One run: how many of its top results' documents and characters are unjudged; shares in percent, or None."""

    run: Run
    results: int
    documents: int
    document_share: float | None
    characters: int
    character_share: float | None


def runs_on_board(edition):
    """Return the runs that an edition's board shows, in the order of their codes."""
    scored = edition.evaluations.on_board().values("run")
    return list(Run.objects.filter(pk__in=scored).select_related("team", "task").order_by("code"))


def coverage_counts(edition, assessment_set, depth):
    """Count for each run of a board what is unjudged among its first results of each topic; plain numbers."""
    judged, collection = judged_documents(assessment_set), edition.collection
    counts = []
    for run in runs_on_board(edition):
        found = cover(_top(run, depth, collection), judged, depth)
        counts.append(
            [run.pk, found.results, found.documents, found.document_share, found.characters, found.character_share]
        )
    return counts


def coverage_lines(edition, counts):
    """Lay out counted runs for a page, those with the most unjudged text first."""
    runs = {run.pk: run for run in runs_on_board(edition)}
    lines = [
        CoverageLine(runs[pk], results, documents, _percent(document_share), characters, _percent(character_share))
        for pk, results, documents, document_share, characters, character_share in counts
        if pk in runs
    ]
    return sorted(lines, key=lambda line: (-(line.character_share or 0), -(line.document_share or 0), line.run.code))


def judged_documents(assessment_set):
    """Return which documents a version of the assessments judged for which topics."""
    return JudgedDocuments(*judged_columns(assessment_set))


def _top(run, depth, collection):
    """Return the first results of a run with their characters: paths mapped and documents measured where possible."""
    columns = load_ranked(run)
    places, _ = top_results(columns, depth)
    columns = replace(columns, **{name: getattr(columns, name)[places] for name in COLUMNS})
    if is_of_documents(columns):
        used = {columns.documents[number] for number in np.unique(columns.document).tolist()}
        known = document_lengths(collection, used) or {}
        lengths = np.array([known.get(name, 0) for name in columns.documents], dtype=np.int64)
        return columns.mapped(np.zeros(len(columns), dtype=np.int64), lengths[columns.document])
    columns, _ = placed(columns, element_spans(collection))
    return columns


def _percent(share):
    return None if share is None else round(100 * share, 1)
