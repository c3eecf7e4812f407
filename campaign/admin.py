"""Tables for superusers; organisers have the desk, and everybody else the pages of the site."""

from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin
from django.shortcuts import redirect

from campaign.models import (
    SWITCHES,
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
from campaign.services.people.accounts import erase
from campaign.services.people.tokens import revoke_token
from campaign.services.refusals import Refused
from campaign.services.telling import trail
from campaign.services.telling.mailing import send_again
from campaign.tables import LookOnly, LookOnlyInline, Trailed, asking


@admin.register(User)
class AccountAdmin(Trailed, UserAdmin):
    list_display = ["username", "email", "is_active", "is_staff", "is_demo", "last_login"]
    readonly_fields = ["is_demo"]
    fieldsets = (*UserAdmin.fieldsets, ("Demo", {"fields": ["is_demo"]}))

    def has_add_permission(self, request):
        """Leave signing up to whoever it is: an account stands on a confirmed address."""
        return False

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


class MembershipInline(LookOnlyInline):
    model = Membership


@admin.register(Team)
class TeamAdmin(LookOnly):
    kept_at = "A team is changed on its own page, by its leaders or by you."
    list_display = ["name", "affiliation", "participant_number", "created_at"]
    search_fields = ["name", "affiliation"]
    inlines = [MembershipInline]

    def view_on_site(self, team):
        """Lead to the page where superusers do what leaders do."""
        return team.get_absolute_url()


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
        ("Measures", {"fields": ["profile", "parameters", "official_measure"]}),
        (
            "Who sees what",
            {"fields": ["published_at", *SWITCHES]},
        ),
    )


@admin.register(Topic)
class TopicAdmin(LookOnly):
    kept_at = "Topics are imported on the desk of their campaign, under Topics and collection."
    list_display = ["number", "title", "track"]
    list_filter = ["track"]
    search_fields = ["number", "title"]


@admin.register(Collection)
class CollectionAdmin(LookOnly):
    kept_at = "Collections are imported on the desk of a campaign, under Topics and collection."
    list_display = ["name", "has_text", "created_at"]
    search_fields = ["name"]


@admin.register(Document)
class DocumentAdmin(LookOnly):
    kept_at = "Documents are imported on the desk of a campaign, under Topics and collection."
    list_display = ["identifier", "title", "length", "collection"]
    list_filter = ["collection"]
    search_fields = ["identifier", "title"]


@admin.register(Run)
class RunAdmin(Trailed):
    list_display = ["name", "team", "task", "state", "state_since", "error_count", "withdrawn_at", "failure_reference"]
    list_filter = ["state", "task__track__campaign", "task"]
    search_fields = ["name", "code", "team__name", "sha256", "failure_reference"]
    list_select_related = ["team", "task__track__campaign"]
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
        "code",
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

    def get_readonly_fields(self, request, obj=None):
        return [name for name in self.fields if name not in ("description", "quota_waived")]

    def has_add_permission(self, request):
        """Leave submitting to the task's submit page, which offers organisers every team."""
        return False

    def has_delete_permission(self, request, obj=None):
        return False


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
    @asking("Revoke {count} tokens? What uses them is refused from then on, and they do not come back.")
    def revoke(self, request, tokens):
        for token in tokens:
            revoke_token(token)
        self.message_user(request, f"{len(tokens)} tokens are revoked.")


@admin.register(Heartbeat)
class HeartbeatAdmin(LookOnly):
    kept_at = ""
    list_display = ["name", "at"]


@admin.register(Notification)
class NotificationAdmin(LookOnly):
    kept_at = ""
    list_display = ["text", "user", "kind", "created_at", "read_at", "mail_state", "mail_attempts", "mail_error"]
    list_filter = ["mail_state", "kind"]
    search_fields = ["text", "user__username", "user__email"]
    list_select_related = ["user"]
    actions = ["mail_again"]

    @admin.action(description="Send mail that was given up once more", permissions=["view"])
    @asking("Of these {count} notifications, send the mail that was given up once more?")
    def mail_again(self, request, notifications):
        self.message_user(request, f"{send_again(notifications)} mails wait to be sent again.")


@admin.register(TrailEntry)
class TrailEntryAdmin(LookOnly):
    kept_at = ""
    list_display = ["at", "deed", "subject", "actor", "through", "campaign_name"]
    list_filter = ["deed", "through", "campaign"]
    search_fields = ["subject", "actor__username", "campaign_name"]
    list_select_related = ["actor"]
