"""Assessment sets and judgements to look at; they are made by importing, never by hand."""

from django.contrib import admin

from assessments.models import AssessmentSet, Judgement
from campaign.tables import LookOnly


@admin.register(AssessmentSet)
class AssessmentSetAdmin(LookOnly):
    kept_at = "Assessments are imported on the desk of their campaign, under Assessments."
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
    kept_at = "Assessments are imported on the desk of their campaign, under Assessments."
    list_display = ["topic", "document", "highlighted", "entry_point", "assessment_set"]
    list_filter = ["assessment_set"]
    search_fields = ["document", "topic__number"]
    list_select_related = ["topic", "assessment_set__track__campaign"]
