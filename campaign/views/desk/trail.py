"""The trail: who did what and when, to read and to take away."""

import json

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from campaign.services.permissions.seeing import may_see_site_trail
from campaign.services.telling import trail
from campaign.views.desk.frame import desk_page, render_desk
from campaign.views.sending import attachment
from limelight.spreadsheets import as_csv

PAGE = 50


def _asked(request):
    return {"deed": request.GET.get("deed", ""), "person": request.GET.get("person", "")}


def _context(request, campaign):
    asked, all_entries = _asked(request), trail.entries(request.user, campaign).order_by()
    page = Paginator(trail.entries(request.user, campaign, **asked), PAGE).get_page(request.GET.get("page"))
    page.object_list = trail.name_subjects(list(page.object_list))
    people = all_entries.exclude(actor=None).values_list("actor__username", flat=True).distinct()
    return {
        "page": page,
        "asked": asked,
        "deeds": sorted(all_entries.values_list("deed", flat=True).distinct()),
        "people": sorted(people),
        "nobody": trail.NOBODY,
        "narrowed": _query(asked),
    }


def _query(asked):
    return {name: value for name, value in asked.items() if value}


@desk_page
@require_safe
def of_campaign(request, campaign):
    """Show a campaign's trail."""
    return render_desk(request, "desk/trail.html", campaign, _context(request, campaign), tab="desk-trail")


@desk_page
@require_safe
def file_of_campaign(request, campaign, file_format):
    """Send a campaign's trail as a table or as JSON, narrowed as the page is."""
    return _file(request, campaign, file_format)


def _file(request, campaign, file_format):
    rows = [trail.as_row(entry) for entry in trail.entries(request.user, campaign, **_asked(request))]
    whose = campaign.slug if campaign else "site"
    if file_format == "csv":
        table = [[*row[:-1], json.dumps(row[-1], ensure_ascii=False)] for row in rows]
        return attachment(as_csv([trail.COLUMNS, *table]), f"{whose}-trail.csv")
    if file_format == "json":
        entries = [dict(zip(trail.COLUMNS, row, strict=True)) for row in rows]
        response = JsonResponse({"campaign": campaign and whose, "entries": entries}, json_dumps_params={"indent": 2})
        response["Content-Disposition"] = f'attachment; filename="{whose}-trail.json"'
        return response
    raise Http404


@login_required
@require_safe
def of_site(request):
    """Show superusers what was done outside of all campaigns, or in campaigns that are gone."""
    if not may_see_site_trail(request.user):
        raise Http404
    return render(request, "desk/site_trail.html", _context(request, None))


@login_required
@require_safe
def file_of_site(request, file_format):
    """Send superusers the site's own trail as a table or as JSON, narrowed as the page is."""
    if not may_see_site_trail(request.user):
        raise Http404
    return _file(request, None, file_format)
