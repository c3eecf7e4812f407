"""Every stored file that rows refer to: those that the apps before this one know, and what scoring found."""

from assessments.services import stored_files
from evaluation.models import Evaluation
from evaluation.services.late_findings import make_up

MADE_FROM_RUN = "--repair makes it again from the run's file and the assessments"


def references():
    """Return every stored file that a row refers to."""
    yield from stored_files.references()
    yield from _of_findings()


def _of_findings():
    scored = Evaluation.objects.exclude(findings_file="").select_related(
        "run__team", "edition__task__track__campaign", "edition__assessment_set", "edition__collection"
    )
    for evaluation in scored.order_by("pk").iterator():
        run, edition = evaluation.run, evaluation.edition
        of = f"run {run.name} of {run.team.name} in {'/'.join(edition.task.address)}, edition {edition.number}"
        mending = _findings_again(evaluation)
        yield stored_files.FileReference(
            evaluation.findings_file, f"what was found of {of}", MADE_FROM_RUN, make_again=mending
        )


def _findings_again(evaluation):
    return lambda: make_up(evaluation)
