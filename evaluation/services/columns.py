"""Which measures an edition has, and in which order boards, tables, files and the API show them."""

from evaluation.services.board_memory import kept
from limelight.scoring.evaluators import EVALUATORS


def measures_of(edition):
    """Return the measures of an edition's board, the official one first."""
    evaluator = EVALUATORS[edition.task.kind]
    asked = edition.profile, edition.parameters, edition.official_measure
    return kept(edition, "columns", lambda: evaluator.columns(*asked))


def all_measures_of(edition):
    """Return every measure of an edition: the official one, the others of its board, and the rest."""
    evaluator = EVALUATORS[edition.task.kind]
    asked = edition.profile, edition.parameters, edition.official_measure
    return kept(edition, "measures", lambda: evaluator.ordered(*asked))
