"""Teams: the people in them, the link that lets others in, and what they say about themselves."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.html import format_html
from django.views.decorators.http import require_POST, require_safe

from campaign.forms.attempting import attempted
from campaign.forms.participants import TeamForm
from campaign.machinery.limits import NEW_TEAMS
from campaign.models import Membership, Team, User
from campaign.services.acting import By
from campaign.services.people import teams
from campaign.services.permissions.managing import may_manage_team
from campaign.services.permissions.seeing import may_see_campaign
from campaign.services.refusals import Refused
from campaign.services.telling.audit import fingerprint, stale_sentence
from campaign.views.buttons import pressed
from campaign.views.finding import team_or_404, way_back
from limelight.formats.fields import whole_number


@login_required
@require_safe
def team_list(request):
    """List a person's teams."""
    memberships = Membership.objects.filter(user=request.user).select_related("team").order_by("team__name", "pk")
    return render(
        request,
        "campaign/team_list.html",
        {"memberships": memberships.prefetch_related("team__memberships", "team__registrations__campaign")},
    )


@login_required
def new(request):
    """Make a team, and lead back to where one was needed."""
    form = TeamForm(request.POST if request.method == "POST" else None)
    wait = NEW_TEAMS.seconds_to_wait(request.user.pk) if form.is_valid() else 0
    if wait:
        form.add_error(None, f"You have made many teams in a short time. Come back in {wait // 60 + 1} minutes.")
    if made := attempted(form, teams.create_team, by=By(request.user)):
        messages.success(request, format_html("The team <bdi>{}</bdi> is made, and you lead it.", made.name))
        return redirect(way_back(request) or made)
    status = 429 if wait else 422 if form.is_bound and form.errors else 200
    return render(request, "campaign/team_new.html", {"form": form, "next": way_back(request)}, status=status)


def members_page(request, team, template="campaign/team_detail.html", **further):
    """Show a team to its members; leaders change what it says about itself here."""
    entered = {"name": team.name, "affiliation": team.affiliation, "participant_number": team.participant_number}
    sent = request.method == "POST"
    form, seen = TeamForm(request.POST if sent else None, initial=entered), request.POST.get("seen", "")
    if sent and (told := stale_sentence("this team", teams.shown_team(team), seen)):
        form.add_error(None, told)
    if attempted(form, teams.edit_team, team, by=By(request.user), seen=seen):
        messages.success(request, "The changes are saved.")
        return redirect(team)
    memberships = list(team.memberships.select_related("user").order_by("joined_at", "pk"))
    invitation = team.invitations.open().first()
    registrations = team.registrations.select_related("campaign", "accepted_by").order_by("-campaign__year", "pk")
    return render(
        request,
        template,
        {
            **further,
            "team": team,
            "form": form,
            "seen": fingerprint(teams.shown_team(team)),
            "memberships": memberships,
            "own": next((entry for entry in memberships if entry.user_id == request.user.pk), None),
            "leaders": [entry.user for entry in memberships if entry.role == Membership.Role.LEADER],
            "manages": may_manage_team(request.user, team),
            "invitation": invitation,
            "link": request.build_absolute_uri(_join_address(invitation)) if invitation else "",
            "registrations": [(entry, may_see_campaign(request.user, entry.campaign)) for entry in registrations],
            "run_count": team.runs.count(),
        },
        status=422 if form.is_bound and form.errors else 200,
    )


def _join_address(invitation):
    return reverse("team-join", args=[invitation.token])


@login_required
@require_POST
def invite(request, team):
    """Make a link for inviting people; an older one stops working."""
    team = team_or_404(request.user, team)
    seen = whole_number(request.POST.get("seen", ""))
    shown = {} if seen is None else {"seen": seen}
    sentence = "The link below lets people join for two weeks. Older links are void."
    pressed(request, teams.invite, team, by=By(request.user), told=sentence, **shown)
    return redirect(team)


@login_required
@require_POST
def revoke(request, team):
    """Let the link work no longer."""
    team = team_or_404(request.user, team)
    sentence = "The link is revoked. Nobody can join by it any more."
    pressed(request, teams.revoke_invitation, team, by=By(request.user), told=sentence)
    return redirect(team)


@login_required
def join(request, token):
    """Show whose invitation this is; joining takes a second click, because mail scanners follow links."""
    invitation = teams.find_invitation(token)
    if invitation is None:
        response = render(request, "campaign/team_join.html", {"invitation": None}, status=404)
        response.says_why = True
        return response
    invited_to = invitation.team
    if request.user.memberships.filter(team=invited_to).exists():
        messages.info(request, format_html("You are already in <bdi>{}</bdi>.", invited_to.name))
        return redirect(invited_to)
    closed = teams.why_closed(invitation)
    if request.method == "POST" and not closed:
        try:
            teams.join(invitation, by=By(request.user))
        except Refused as refusal:
            closed = refusal.reason
        else:
            messages.success(request, format_html("You are in <bdi>{}</bdi> now.", invited_to.name))
            return redirect(invited_to)
    context = {"invitation": invitation, "team": invited_to, "closed": closed}
    return render(request, "campaign/team_join.html", context, status=410 if closed else 200)


@login_required
@require_POST
def leave(request, team):
    """End one's own membership."""
    team = team_or_404(request.user, team)

    def told(is_gone):
        end = " Nobody else was in it and it had no history, so it is gone." if is_gone else ""
        return format_html("You have left <bdi>{}</bdi>.{}", team.name, end)

    has_left = pressed(request, teams.leave, team, by=By(request.user), told=told)
    return redirect("teams" if has_left else team)


@login_required
@require_POST
def role(request, team, person):
    """Make somebody leader or member."""
    found, person = team_or_404(request.user, team), get_object_or_404(User, memberships__team__slug=team, pk=person)
    chosen = request.POST.get("role", "")
    sentence = format_html("<bdi>{}</bdi> is a {} now.", person.display_name, chosen)
    pressed(request, teams.change_role, found, by=By(request.user), person=person, role=chosen, told=sentence)
    return redirect(found)


@login_required
@require_POST
def remove(request, team, person):
    """End somebody's membership."""
    found, person = team_or_404(request.user, team), get_object_or_404(User, memberships__team__slug=team, pk=person)
    sentence = format_html(
        "<bdi>{}</bdi> is no longer in the team. The invitation link is void, too: make a new one to invite others.",
        person.display_name,
    )
    pressed(request, teams.remove_member, found, by=By(request.user), person=person, told=sentence)
    return redirect(found if Team.objects.filter(pk=found.pk).exists() else "teams")
