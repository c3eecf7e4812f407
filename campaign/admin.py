"""Tables for organisers and superusers; the pages of the site are for everybody else."""

from django import forms
from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin
from django.shortcuts import redirect

from campaign.models import (
    ApiToken,
    Campaign,
    Collection,
    Document,
    Heartbeat,
    Membership,
    Notification,
    Registration,
    Run,
    Task,
    Team,
    Topic,
    Track,
    TrailEntry,
    User,
)
from campaign.services import trail
from campaign.services.accounts import erase
from campaign.services.mailing import send_again
from campaign.services.refusals import Refused
from campaign.services.submissions import CHECK_TASK, submit_run
from campaign.services.tokens import revoke_token
from campaign.wake import wake


class LookOnly(admin.ModelAdmin):
    """A table to search and read. What is in it is changed on the desk, which keeps the rules and the trail."""

    def has_add_permission(self, request):
        return False

    def has_change_permission(self, request, obj=None):
        return False

    def has_delete_permission(self, request, obj=None):
        return False


class Trailed(admin.ModelAdmin):
    """A table that can be changed; the trail gets a line for each change, as for every deed on the site."""

    def _record(self, request, deed, row, **details):
        campaign = row.task.track.campaign if isinstance(row, Run) else None
        # People are named by their number, so that deleting an account erases the person here, too.
        subject = f"account {row.pk}" if isinstance(row, User) else f"{self.opts.verbose_name} {row}"
        trail.record(campaign, deed, subject, actor=request.user, through=trail.Through.ADMIN, **details)

    def log_addition(self, request, row, message):
        """Write both histories."""
        self._record(request, trail.CREATED, row)
        return super().log_addition(request, row, message)

    def log_change(self, request, row, message):
        """Write both histories."""
        self._record(request, trail.CHANGED, row, fields=_fields_in(message))
        return super().log_change(request, row, message)

    def log_deletions(self, request, rows):
        """Write both histories, while the rows are still there."""
        for row in rows:
            self._record(request, trail.DELETED, row)
        return super().log_deletions(request, rows)


def _fields_in(message):
    """Return the names of the fields in a message of the administration's own history."""
    parts = message if isinstance(message, list) else []
    return [str(field) for part in parts for deed in part.values() for field in deed.get("fields", ())]


@admin.register(User)
class AccountAdmin(Trailed, UserAdmin):
    list_display = ["username", "email", "is_active", "is_staff", "is_demo", "last_login"]
    readonly_fields = ["is_demo"]
    fieldsets = (*UserAdmin.fieldsets, ("Demo", {"fields": ["is_demo"]}))

    def get_actions(self, request):
        """Leave out deleting many at once: each account is erased by itself, under its rules."""
        return {name: action for name, action in super().get_actions(request).items() if name != "delete_selected"}

    def get_deleted_objects(self, people, request):
        """Say what goes: the account and what is the person's alone."""
        return [str(person) for person in people], {}, set(), []

    def log_deletions(self, request, people):
        """Leave no name behind: the trail tells the number."""
        for person in people:
            self._record(request, trail.DELETED, person)

    def delete_view(self, request, object_id, extra_context=None):
        """Erase an account, or say why it has to stay."""
        try:
            return super().delete_view(request, object_id, extra_context)
        except Refused as refusal:
            self.message_user(request, refusal.reason, level=messages.ERROR)
            return redirect("admin:campaign_user_change", object_id)

    def delete_model(self, request, person):
        """Erase an account as its owner would."""
        erase(person)


class MembershipInline(admin.TabularInline):
    model = Membership
    autocomplete_fields = ["user"]
    extra = 0


@admin.register(Team)
class TeamAdmin(Trailed):
    list_display = ["name", "affiliation", "participant_number", "created_at"]
    search_fields = ["name", "affiliation"]
    prepopulated_fields = {"slug": ["name"]}
    inlines = [MembershipInline]


@admin.register(Registration)
class RegistrationAdmin(LookOnly):
    list_display = ["team", "campaign", "state", "agreement_version", "accepted_by", "accepted_at"]
    list_filter = ["campaign", "state"]


@admin.register(Campaign)
class CampaignAdmin(LookOnly):
    list_display = ["name", "year", "is_public", "needs_approval"]
    search_fields = ["name"]


@admin.register(Track)
class TrackAdmin(LookOnly):
    list_display = ["name", "campaign", "collection"]
    list_filter = ["campaign"]
    search_fields = ["name", "campaign__name"]


@admin.register(Task)
class TaskAdmin(LookOnly):
    list_display = ["name", "track", "kind", "opens_at", "closes_at", "published_at", "quota"]
    list_filter = ["track__campaign", "kind"]
    search_fields = ["name"]
    fieldsets = (
        (None, {"fields": ["track", "name", "slug", "kind", "description", "position"]}),
        ("Rules", {"fields": ["result_limit", "topic_budget", "article_budget", "quota", "opens_at", "closes_at"]}),
        ("Measures", {"fields": ["profile", "parameters"]}),
        (
            "Who sees what",
            {
                "fields": [
                    "published_at",
                    "own_scores_visible",
                    "other_scores_visible",
                    "names_visible",
                    "assessments_visible",
                ]
            },
        ),
    )


@admin.register(Topic)
class TopicAdmin(LookOnly):
    list_display = ["number", "title", "track"]
    list_filter = ["track"]
    search_fields = ["number", "title"]


@admin.register(Collection)
class CollectionAdmin(LookOnly):
    list_display = ["name", "has_text", "created_at"]
    search_fields = ["name"]


@admin.register(Document)
class DocumentAdmin(LookOnly):
    list_display = ["identifier", "title", "length", "collection"]
    list_filter = ["collection"]
    search_fields = ["identifier", "title"]


class SubmissionForm(forms.ModelForm):
    """A run file that an organiser submits for a team."""

    file = forms.FileField(label="Run file")

    class Meta:
        model = Run
        fields = ["task", "team", "name", "description"]

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.fields["name"].required = False
        self.fields["name"].help_text = "Left empty, it is the run id in the file."


@admin.register(Run)
class RunAdmin(Trailed):
    list_display = ["name", "team", "task", "state", "state_since", "error_count", "withdrawn_at", "failure_reference"]
    list_filter = ["state", "task__track__campaign", "task"]
    search_fields = ["name", "team__name", "sha256", "failure_reference"]
    list_select_related = ["team", "task__track__campaign"]
    actions = ["check_again"]
    fields = [
        "name",
        "description",
        "task",
        "team",
        "submitted_by",
        "query",
        "topic_fields",
        "result_type",
        "is_official",
        "file_name",
        "sha256",
        "size",
        "state",
        "state_since",
        "attempts",
        "held_by",
        "result_count",
        "answered_topics",
        "error_count",
        "warning_count",
        "quota_waived",
        "withdrawn_at",
        "rejected_by",
        "rejection_reason",
        "failure_reference",
        "failure",
    ]

    autocomplete_fields = ["task", "team"]

    def get_fields(self, request, obj=None):
        return self.fields if obj else ["task", "team", "file", "name", "description"]

    def get_readonly_fields(self, request, obj=None):
        return [name for name in self.fields if name not in ("description", "quota_waived")] if obj else []

    def get_form(self, request, obj=None, **kwargs):
        return super().get_form(request, obj, **(kwargs if obj else kwargs | {"form": SubmissionForm}))

    def has_delete_permission(self, request, obj=None):
        return False

    def add_view(self, request, form_url="", extra_context=None):
        """Submit a run for a team that cannot do it itself, under the same rules as everybody's."""
        try:
            return super().add_view(request, form_url, extra_context)
        except Refused as refusal:
            self.message_user(request, refusal.reason, level=messages.ERROR)
            return redirect(request.get_full_path())

    def save_model(self, request, obj, form, change):
        if change:
            super().save_model(request, obj, form, change)
            return
        answers = {name: form.cleaned_data[name] for name in ("task", "team", "name", "description")}
        file = form.cleaned_data["file"]
        obj.pk = submit_run(user=request.user, upload=file, file_name=file.name, **answers).pk
        obj.refresh_from_db()

    @admin.action(description="Check failed runs again")
    def check_again(self, request, runs):
        keys = runs.start_again()
        for key in keys:
            wake(CHECK_TASK, key)
        self.message_user(request, f"{len(keys)} failed runs are being checked again.")


@admin.register(ApiToken)
class ApiTokenAdmin(admin.ModelAdmin):
    list_display = ["name", "user", "beginning", "created_at", "last_used_at", "revoked_at"]
    search_fields = ["name", "user__username", "beginning"]
    list_select_related = ["user"]
    actions = ["revoke"]

    def has_add_permission(self, request):
        return False

    def has_change_permission(self, request, obj=None):
        return False

    @admin.action(description="Revoke tokens", permissions=["delete"])
    def revoke(self, request, tokens):
        for token in tokens:
            revoke_token(token)
        self.message_user(request, f"{len(tokens)} tokens are revoked.")


@admin.register(Heartbeat)
class HeartbeatAdmin(LookOnly):
    list_display = ["name", "at"]


@admin.register(Notification)
class NotificationAdmin(LookOnly):
    list_display = ["text", "user", "kind", "created_at", "read_at", "mail_state", "mail_attempts", "mail_error"]
    list_filter = ["mail_state", "kind"]
    search_fields = ["text", "user__username", "user__email"]
    list_select_related = ["user"]
    actions = ["mail_again"]

    @admin.action(description="Send mail that was given up once more", permissions=["view"])
    def mail_again(self, request, notifications):
        self.message_user(request, f"{send_again(notifications)} mails wait to be sent again.")


@admin.register(TrailEntry)
class TrailEntryAdmin(LookOnly):
    list_display = ["at", "deed", "subject", "actor", "through", "campaign_name"]
    list_filter = ["deed", "through", "campaign"]
    search_fields = ["subject", "actor__username", "campaign_name"]
    list_select_related = ["actor"]
