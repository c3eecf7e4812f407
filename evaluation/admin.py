"""Editions and evaluations to look at; what is done about them is done on the desk, which asks and tells."""

from django.contrib import admin

from campaign.tables import LookOnly
from evaluation.models import Edition, Evaluation


@admin.register(Edition)
class EditionAdmin(LookOnly):
    kept_at = "Boards are built, paused and switched on the desk of their campaign, under Boards."
    list_display = [
        *("task", "number", "state", "assessment_set", "profile", "official_measure", "engine_version", "live_at")
    ]
    list_filter = ["state", "task__track__campaign"]


@admin.register(Evaluation)
class EvaluationAdmin(LookOnly):
    kept_at = "What failed is started again on the desk of its campaign, under Runs."
    list_display = ["run", "edition", "state", "state_since", "attempts", "seconds", "failure_reference"]
    list_filter = ["state", "edition__task__track__campaign"]
    search_fields = ["run__name", "failure_reference"]
    list_select_related = ["run", "edition__task__track__campaign"]
    readonly_fields = ["failure", "failure_reference", "attempts", "held_by", "held_until"]
