"""Campaigns, their tasks and topics, for everybody who may open the pages."""

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from ninja import Query, Router

from campaign.api.authentication import ANYONE
from campaign.api.pagination import PageQuery, paginated
from campaign.api.schemas import CampaignDetail, CampaignPage, TaskDetail, Topic, TopicPage
from campaign.models import Campaign, Team
from campaign.services.permissions.seeing import may_see_topics
from campaign.services.permissions.submitting import may_submit, quota_left
from campaign.views.finding import campaign_or_404, task_or_404, track_or_404

router = Router(auth=ANYONE, tags=["campaigns"])


@router.get("/campaigns", response=CampaignPage, summary="List the campaigns")
def list_campaigns(request, asked: Query[PageQuery]):
    """List the campaigns that this person finds on the home page, the newest first."""
    campaigns = Campaign.objects.listed_for(request.user)
    return paginated(request, campaigns, asked, lambda rows: [_campaign_line(request, row) for row in rows])


@router.get("/campaigns/{slug:campaign}", response=CampaignDetail, summary="One campaign with its tracks and tasks")
def show_campaign(request, campaign: str):
    """Tell a campaign's tracks and tasks, with their deadlines."""
    campaign = campaign_or_404(request.user, campaign)
    return _campaign_line(request, campaign) | {
        "description": campaign.description,
        "tracks": [
            {
                "slug": track.slug,
                "name": track.name,
                "description": track.description,
                "topic_count": track.topics.count(),
                "topics_visible": may_see_topics(request.user, track),
                "tasks": [_task_line(request, task) for task in track.tasks.all()],
            }
            for track in campaign.tracks.all()
        ],
    }


@router.get("/campaigns/{slug:campaign}/{slug:track}/topics", response=TopicPage, summary="The topics of a track")
def list_topics(request, campaign: str, track: str, asked: Query[PageQuery]):
    """List a track's topics in full, to those who may read them."""
    return paginated(request, track_or_404(request.user, campaign, track).topics.all(), asked, list)


@router.get("/campaigns/{slug:campaign}/{slug:track}/topics/{path:number}", response=Topic, summary="One topic")
def show_topic(request, campaign: str, track: str, number: str):
    """Tell one topic, to those who may read it."""
    if not number.isprintable():  # PostgreSQL refuses NUL
        raise Http404
    return get_object_or_404(track_or_404(request.user, campaign, track).topics, number=number)


@router.get(
    "/campaigns/{slug:campaign}/{slug:track}/{slug:task}",
    response=TaskDetail,
    summary="One task with its rules, and where my teams stand",
)
def show_task(request, campaign: str, track: str, task: str):
    """Tell a task's rules and deadline and, with a token, whether each of my teams may submit and how often."""
    task = task_or_404(request.user, campaign, track, task)
    return _task_line(request, task) | {
        "description": task.description,
        "result_limit": task.result_limit,
        "topic_budget": task.topic_budget,
        "article_budget": task.article_budget,
        "is_published": task.is_published(),
        "own_scores_visible": task.own_scores_visible,
        "other_scores_visible": task.other_scores_visible,
        "names_visible": task.names_visible,
        "runs_visible": task.runs_visible,
        "assessments_visible": task.assessments_visible,
        "my_teams": [_standing(request.user, team, task) for team in Team.objects.of(request.user)],
    }


def _standing(user, team, task):
    permission = may_submit(user, team, task)
    return {
        "team": team.slug,
        "name": team.name,
        "may_submit": permission.allowed,
        "reason": permission.reason,
        "quota_left": quota_left(team, task),
    }


def _campaign_line(request, campaign):
    return {
        "slug": campaign.slug,
        "name": campaign.name,
        "year": campaign.year,
        "summary": campaign.summary,
        "page": request.build_absolute_uri(campaign.get_absolute_url()),
    }


def _task_line(request, task):
    return {
        "address": "/".join(task.address),
        "name": task.name,
        "kind": task.kind,
        "opens_at": task.opens_at,
        "closes_at": task.closes_at,
        "is_open": task.is_open(timezone.now()),
        "quota": task.quota,
        "page": request.build_absolute_uri(task.get_absolute_url()),
    }
