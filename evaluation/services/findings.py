"""What scoring found of a run, in a file beside its scores: kept when it is scored, read for one topic."""

from campaign.machinery.storage import open_stored, store_columns
from limelight.scoring.findings import Findings

FOLDER = "findings"


def kept(findings):
    """Store what was found of a run; returns the fields of its evaluation that tell of it."""
    return {"findings_file": store_columns(findings, FOLDER), "judged": findings.judged_share}


def findings_of(evaluation):
    """Return what was found when a run was scored, mapped from its file; None where it was not kept then."""
    if not evaluation.findings_file:
        return None
    with open_stored(evaluation.findings_file) as stream:
        return Findings.load(stream)
