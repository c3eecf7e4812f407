"""Atom feeds of results: of the site, a campaign and a task."""

from datetime import UTC, datetime

from django.http import HttpResponse
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape
from django.views.decorators.http import conditional_page, require_safe

from campaign.services.permissions.visitors import VISITOR, public_tasks
from campaign.views.finding import campaign_or_404, task_or_404
from evaluation.services.result_feeds import news_of
from evaluation.services.sharing import absolute
from limelight.wording import one_line

NEVER = datetime(1970, 1, 1, tzinfo=UTC)


@require_safe
@conditional_page
def site(request):
    """Tell the newest results of all campaigns."""
    return _feed(request, "Results on Limelight", "/", None)


@require_safe
@conditional_page
def campaign(request, campaign):
    """Tell the newest results of a campaign."""
    campaign = campaign_or_404(VISITOR, campaign)
    tasks = public_tasks().filter(track__campaign=campaign)
    return _feed(request, f"Results of {campaign.name}", campaign.get_absolute_url(), tasks)


@require_safe
@conditional_page
def task(request, campaign, track, task):
    """Tell the newest results of a task."""
    task = task_or_404(VISITOR, campaign, track, task)
    return _feed(request, f"Results of {task.name}, {task.track.campaign.name}", task.get_absolute_url(), [task])


class Feed(Atom1Feed):
    """A feed that is the same as long as its entries are, also without any."""

    def latest_post_date(self):
        """Return the moment of the newest entry; of an empty feed, one that never changes."""
        return super().latest_post_date() if self.items else NEVER


def _feed(request, title, path, tasks):
    """Write the news about some tasks, the same whoever asks."""
    feed = Feed(
        title=one_line(title),
        link=absolute(path),
        description="New boards and published results, with the first three of each.",
        feed_url=absolute(request.path),
        language="en",
        author_name="Limelight",
    )
    for entry in news_of(tasks):
        feed.add_item(
            title=entry.title,
            link=absolute(entry.path),
            description=escape(entry.summary),  # readers take a summary as HTML
            unique_id=absolute(entry.key),
            pubdate=entry.at,
            updateddate=entry.at,
        )
    return HttpResponse(feed.writeString("utf-8"), content_type=feed.content_type)
