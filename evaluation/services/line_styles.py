"""Which colour and dash each run of a task has on the pages that one person sees."""

from campaign.models import Pseudonym, Run
from limelight.figures import code_styles, team_styles


def line_styles(task, view):
    """Return the line of each run that was ever scored in a task, by its code.

    Where all scores and names may be seen: hue by team, the same in all tasks of the campaign, and dash by run, in the
    order in which they came (a team bears pseudonyms from its first valid run on). Else by code alone: any order would
    tell of runs and teams that nobody may know of.
    """
    scored = Run.objects.filter(task=task, evaluations__isnull=False).distinct().order_by("pk")
    if not (view.ranks and view.names):
        return code_styles(scored.values_list("code", flat=True))
    in_order = Pseudonym.objects.filter(task__track__campaign=task.track.campaign_id).order_by("pk")
    return team_styles(in_order.values_list("team_id", flat=True), dict(scored.values_list("code", "team_id")))
