"""Editions and evaluations to look at, with the organiser's two decisions: try again, and go live anyway."""

from django.contrib import admin

from campaign.admin import LookOnly
from campaign.models import Run
from evaluation.models import Edition, Evaluation
from evaluation.services.editions import finish_building
from evaluation.services.reruns import retry


@admin.register(Edition)
class EditionAdmin(LookOnly):
    list_display = ["task", "number", "state", "assessment_set", "profile", "engine_version", "live_at"]
    list_filter = ["state", "task__track__campaign"]
    actions = ["go_live_despite_failures"]

    @admin.action(description="Go live in spite of failed evaluations")
    def go_live_despite_failures(self, request, editions):
        building = editions.building().select_related("task__track")
        tracks = {edition.task.track for edition in building}
        switched = sum(finish_building(track, despite_failures=True, user=request.user) for track in tracks)
        self.message_user(request, f"{switched} of {len(tracks)} tracks switched to their new editions.")


@admin.register(Evaluation)
class EvaluationAdmin(LookOnly):
    list_display = ["run", "edition", "state", "state_since", "attempts", "seconds", "failure_reference"]
    list_filter = ["state", "edition__task__track__campaign"]
    search_fields = ["run__name", "failure_reference"]
    list_select_related = ["run", "edition__task__track__campaign"]
    readonly_fields = ["failure", "failure_reference", "attempts", "held_by", "held_until"]
    actions = ["score_again"]

    @admin.action(description="Score failed evaluations again")
    def score_again(self, request, evaluations):
        failed = evaluations.filter(state=Evaluation.State.FAILED)
        count = retry(Run.objects.for_lists().filter(evaluations__in=failed).distinct(), request.user)
        self.message_user(request, f"{count} failed evaluations are being scored again.")
