"""What a person was told, and what of it they want by mail."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from campaign.forms.participants import NotificationSettingsForm
from campaign.models import Notification
from campaign.services.telling.notifications import mark_read
from limelight.formats.fields import whole_number

PAGE_LENGTH = 30


@login_required
@require_safe
def notification_list(request):
    """List what the person was told, newest first."""
    told = request.user.notifications.all()
    page = Paginator(told, PAGE_LENGTH).get_page(request.GET.get("page"))
    newest = told.order_by("-pk").values_list("pk", flat=True).first()
    return render(request, "campaign/notification_list.html", {"page": page, "newest": newest})


@login_required
@require_safe
def notification(request, pk):
    """Note that one notification was read, and lead to what it is about."""
    notification = get_object_or_404(Notification, pk=pk, user=request.user)
    mark_read(request.user.notifications.filter(pk=notification.pk))
    return redirect(notification.address or "notifications")


@login_required
@require_POST
def read(request):
    """Note that everything on the person's page was read; what came in since then stays unread."""
    newest = whole_number(request.POST.get("newest", ""))
    if newest is not None:
        mark_read(request.user.notifications.filter(pk__lte=newest))
    return redirect("notifications")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def notification_settings(request):
    """Let a person choose what they want by mail."""
    form = NotificationSettingsForm(request.POST if request.method == "POST" else None, user=request.user)
    if form.is_valid():
        form.save()
        messages.success(request, "Saved. On the site you are told of everything all the same.")
        return redirect("notification-settings")
    status = 422 if form.is_bound else 200
    return render(request, "campaign/notification_settings.html", {"form": form}, status=status)
