"""What any visitor may know: asked of many rows at once by search, feeds, calendars, cards and the sitemap.

Each answer is the one that `seeing` gives for somebody who is not signed in; a test holds the two against each other.
"""

from django.contrib.auth.models import AnonymousUser

from campaign.models import Campaign, Collection, Task, Topic, Track, Visible

VISITOR = AnonymousUser()


def public_campaigns():
    """Return the campaigns that everybody finds."""
    return Campaign.objects.filter(is_public=True)


def public_tasks():
    """Return the tasks whose pages everybody may open."""
    return Task.objects.filter(track__campaign__is_public=True).for_board()


def open_topics():
    """Return the topics that everybody may read."""
    return Topic.objects.filter(track__campaign__is_public=True, track__campaign__gates_topics=False)


def open_collections():
    """Return the collections whose documents everybody may read, in the version that is in use."""
    tracks = Track.objects.filter(campaign__is_public=True, campaign__gates_collection=False)
    return Collection.objects.in_use().filter(line__in=tracks.values("collection__line"), version__isnull=False)


def shows_scores(task, moment=None):
    """Return whether everybody sees all scores of a task, and with them the ranks."""
    return task.reveals(task.other_scores_visible, moment)


def names_runs(task, moment=None):
    """Return whether everybody sees the names of a task's runs and teams."""
    return task.reveals(task.names_visible, moment)


def scores_opened_at(task):
    """Return since when everybody sees all scores of a task, if they do."""
    return {
        Visible.AT_ONCE: task.opens_at,
        Visible.AT_DEADLINE: task.closes_at,
        Visible.AT_PUBLICATION: task.published_at,
        Visible.NEVER: None,
    }[task.other_scores_visible]
