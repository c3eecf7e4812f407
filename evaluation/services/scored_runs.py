"""A run as it was scored: laid on the text of its edition, as a file that is scored the same without that text."""

from io import BytesIO

from evaluation.services.material import placed_run
from limelight.formats.assessments.columns import CHARACTERS
from limelight.formats.runs.writing import write_fol


def scored_run(run, edition):
    """Return a run as the bytes of a FOL file; elements are spans, but where assessments only tell sizes stay paths."""
    target = BytesIO()
    write_fol(placed_run(run, edition), target, spans=edition.axis == CHARACTERS)
    return target.getvalue()
