"""Kinds of tables in the administration: to look things up, changed under the eyes of the trail, asking first."""

from functools import wraps

from django.contrib import admin
from django.template.response import TemplateResponse

from campaign.models import Run, User
from campaign.services.acting import By, Through
from campaign.services.telling import trail
from campaign.services.telling.audit import fingerprint

SHOWN = 20


class LookOnly(admin.ModelAdmin):
    """A table to search and read. What is in it is changed on the desk, which keeps the rules and the trail."""

    kept_at = "It is changed on the desk of its campaign."
    """Says above the table where what is in it comes from; empty where nobody makes it."""

    def has_add_permission(self, request):
        return False

    def has_change_permission(self, request, obj=None):
        return False

    def has_delete_permission(self, request, obj=None):
        return False

    def changelist_view(self, request, extra_context=None):
        """Say where what is in the table comes from."""
        return super().changelist_view(request, {"kept_at": self.kept_at} | (extra_context or {}))


class LookOnlyInline(admin.TabularInline):
    """Rows that belong to another one, to read."""

    extra = 0

    def has_add_permission(self, request, obj=None):
        return False

    def has_change_permission(self, request, obj=None):
        return False

    def has_delete_permission(self, request, obj=None):
        return False


def asking(sentence):
    """Let an action ask before it is done, with the number and the rows."""

    def decorated(action):
        @wraps(action)
        def ask_first(model_admin, request, rows):
            about = fingerprint({"rows": sorted(rows.values_list("pk", flat=True))})
            if request.POST.get("sure") == about:
                return action(model_admin, request, rows)
            count = rows.count()
            context = {
                "title": "Should this be?",
                "sentence": sentence.format(count=count),
                "rows": rows[:SHOWN],
                "more": count - SHOWN,
                "changed": "sure" in request.POST,
                "selected": request.POST.getlist("_selected_action"),
                "across": request.POST.get("select_across", "0"),
                "action": action.__name__,
                "about": about,
            }
            return TemplateResponse(request, "admin/ask.html", model_admin.admin_site.each_context(request) | context)

        return ask_first

    return decorated


class Trailed(admin.ModelAdmin):
    """A table that can be changed; the trail gets a line for each change, as for every deed on the site."""

    def _record(self, request, deed, row, **details):
        campaign = row.task.track.campaign if isinstance(row, Run) else None
        # People are named by their number, so that deleting an account erases the person here, too.
        subject = f"account {row.pk}" if isinstance(row, User) else f"{self.opts.verbose_name} {row}"
        trail.record(campaign, deed, subject, by=By(request.user, Through.ADMIN), **details)

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
