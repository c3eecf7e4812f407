"""Runs and assessments that count text differently: found before anything is scored."""

from campaign.models import Run
from campaign.services.runs.check_results import load_columns
from limelight.formats.assessments.columns import SIZES
from limelight.text.placing import MAY_GIVE_OFFSETS, is_apart


def runs_apart(tasks, axis):
    """Return the valid runs of tasks that cannot be laid on the axis of some assessments.

    Passages are looked into: given by paths they lie on either axis.
    """
    if axis != SIZES:
        return []
    about_places = [task for task in tasks if task.traits.has_places]
    runs = Run.objects.valid().filter(task__in=about_places, result_type__in=MAY_GIVE_OFFSETS)
    runs = runs.select_related("task").order_by("task__position", "pk")
    return [run for run in runs if is_apart(load_columns(run), axis=axis, kind=run.task.kind)]
