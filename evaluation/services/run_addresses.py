"""Where the pages of a run are: on the live board, or in another edition by its number."""

from django.urls import reverse

from campaign.addresses import leads_there
from evaluation.models import Edition


def run_address(task, code, edition=None):
    """Return where a run's page is as it stands in an edition; without one, on the live board."""
    return _address("public-run", "edition-run", task, edition, code)


def ranked_list_address(task, code, topic, edition=None):
    """Return where it is told what a run returned for a topic."""
    return _address("ranked-list", "edition-ranked-list", task, edition, code, topic)


def account_address(task, code, topic, edition=None):
    """Return where the same is as a file."""
    return _address("ranked-list-file", "edition-ranked-list-file", task, edition, code, topic)


def overlay_address(task, code, topic, document, edition=None):
    """Return where a document is shown as a run returns it; nothing where its names cannot stand in an address."""
    parts = (code, topic, document)
    return _address("overlay", "edition-overlay", task, edition, *parts) if leads_there(topic, document) else ""


def segments_address(task, code, topic, document, edition=None):
    """Return where the same is as a file."""
    return _address("overlay-file", "edition-overlay-file", task, edition, code, topic, document)


def scores_address(task, code, edition=None, file_format="csv"):
    """Return where all scores of a run are as a file."""
    if file_format != "csv":
        return _address("public-scores-as", "edition-scores-as", task, edition, code, file_format)
    return _address("public-scores", "edition-scores", task, edition, code)


def scored_address(task, code, edition=None):
    """Return where a run is as it was scored."""
    return _address("scored-file", "edition-scored-file", task, edition, code)


def comparisons_address(task, edition=None):
    """Return where it is told what all runs of a board say together."""
    return _address("comparisons", "edition-comparisons", task, edition)


def compare_address(task, edition=None):
    """Return where some runs of a board are compared."""
    return _address("compare", "edition-compare", task, edition)


def _address(on_live_board, elsewhere, task, edition, *parts):
    """Return an address: of a live edition the one without its number, which stays when another goes live."""
    if edition is None or edition.state == Edition.State.LIVE:
        return reverse(on_live_board, args=[*task.address, *parts])
    return reverse(elsewhere, args=[*task.address, edition.number, *parts])
