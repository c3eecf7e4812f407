"""Assessment sets and judgements to look at; they are made by importing, never by hand."""

from django.contrib import admin

from assessments.models import AssessmentSet, Judgement


class LookOnly(admin.ModelAdmin):
    def has_add_permission(self, request):
        return False

    def has_change_permission(self, request, obj=None):
        return False

    def has_delete_permission(self, request, obj=None):
        return False


@admin.register(AssessmentSet)
class AssessmentSetAdmin(LookOnly):
    list_display = [
        "track",
        "version",
        "topic_count",
        "judgement_count",
        "relevant_count",
        "imported_by",
        "imported_at",
    ]
    list_filter = ["track"]


@admin.register(Judgement)
class JudgementAdmin(LookOnly):
    list_display = ["topic", "document", "highlighted", "entry_point", "assessment_set"]
    list_filter = ["assessment_set"]
    search_fields = ["document", "topic__number"]
    list_select_related = ["topic", "assessment_set__track__campaign"]
