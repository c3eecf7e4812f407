"""Who may see what: asked by every page, chart, download and answer of the API."""

from dataclasses import dataclass

from django.utils import timezone

from campaign.models import Membership, Track, Visible
from campaign.services.permissions.roles import (
    assesses,
    assesses_track,
    is_member,
    organises,
    reviews,
    takes_part,
)
from campaign.services.permissions.submitting import last_closing


def may_see_campaign(user, campaign):
    """Return whether a person may open a campaign's pages."""
    return (
        campaign.is_public
        or organises(user, campaign)
        or takes_part(user, campaign)
        or assesses(user, campaign)
        or reviews(user, campaign)
    )


def may_see_topics(user, track):
    """Return whether a person may read a track's topics; reviewers do, who could not read its boards without them."""
    campaign = track.campaign
    return may_see_campaign(user, campaign) and (
        not campaign.gates_topics or _is_let_in(user, track) or reviews(user, campaign)
    )


def _is_let_in(user, track):
    """Return whether what a campaign keeps for those who take part in a track is for this person."""
    return organises(user, track.campaign) or takes_part(user, track.campaign) or assesses_track(user, track)


def may_see_collection(user, collection):
    """Return whether a person may read a collection's documents: through any track that uses it, in whichever version.

    What is prepared and not accepted yet is for organisers. A link for reviewers opens no documents that are kept for
    teams: nobody accepted an agreement for whoever has it.
    """
    for track in Track.objects.filter(collection__line=collection.line).select_related("campaign"):
        campaign = track.campaign
        if collection.version is None and not organises(user, campaign):
            continue
        if may_see_campaign(user, campaign) and (not campaign.gates_collection or _is_let_in(user, track)):
            return True
    return user.is_superuser


def may_see_run(user, run):
    """Return whether a person may open a run's own page, with its file and report."""
    return organises(user, run.task.track.campaign) or is_member(user, run.team)


def may_see_team(user, team):
    """Return whether a person may open a team's page."""
    return user.is_superuser or is_member(user, team)


def may_see_site_trail(user):
    """Return whether a person may read what was done to the site itself, to accounts and teams."""
    return user.is_superuser


FEWEST_TEAMS = 3
"""With fewer teams, a minimum or a median would tell what one other team scored."""


@dataclass(frozen=True, slots=True)
class BoardView:
    """What one person sees of a task's board.

    What is said about all runs (ranks, how many runs and teams there are, medians) needs all scores: a rank beside
    one's own score tells what others scored. What a team says about its run (name, description, official mark) needs
    names.
    """

    all_scores: bool
    own_scores: bool
    names: bool
    own_teams: frozenset
    is_organiser: bool

    def shows(self, run):
        """Return whether this run's line is shown."""
        return self.all_scores or (self.own_scores and run.team_id in self.own_teams)

    def names_run(self, run):
        """Return whether this run's team, name, description and official mark are shown."""
        return self.names or run.team_id in self.own_teams

    @property
    def ranks(self):
        """Return whether ranks, and how many runs and teams there are, are shown."""
        return self.all_scores

    def summarises(self, team_count):
        """Return whether the lowest, middle and highest scores of the runs of so many teams are shown."""
        return self.all_scores and team_count >= FEWEST_TEAMS


def board_view(user, task, moment=None):
    """Decide what of a task's board a person may see."""
    campaign = task.track.campaign
    own_teams = Membership.objects.filter(user=user).values_list("team_id", flat=True) if user.is_authenticated else ()
    organiser, reviewer = organises(user, campaign), reviews(user, campaign)
    return _board_view(
        task,
        own_teams,
        moment,
        is_organiser=organiser,
        all_scores=organiser or reviewer,
        names=organiser or (reviewer and user.reviewed_campaigns[campaign.pk]),
    )


def board_view_of(team, task, moment=None):
    """Return what a member of a team, or without one a visitor, sees of a task's board at a moment."""
    return _board_view(task, [team.pk] if team else (), moment)


def _board_view(task, own_teams, moment, *, is_organiser=False, all_scores=False, names=False):
    """Open what the task's switches open, and what somebody sees before others do."""
    return BoardView(
        all_scores=all_scores or task.reveals(task.other_scores_visible, moment),
        own_scores=is_organiser or task.reveals(task.own_scores_visible, moment),
        names=names or task.reveals(task.names_visible, moment),
        own_teams=frozenset(own_teams),
        is_organiser=is_organiser,
    )


def hiding_assessments(tasks, moment=None):
    """Return those of a track's tasks that keep its assessments hidden: its answer key, which all have to reveal."""
    return [task for task in tasks if not shows_assessments(task, moment)]


def shows_assessments(task, moment=None):
    """Return whether a task lets the assessments be seen.

    While somebody can still submit to it they are an open answer key: they stay hidden, unless the task shows them at
    once or they were published along with it by a tick of their own.
    """
    if not task.reveals(task.assessments_visible, moment):
        return False
    if task.assessments_visible == Visible.AT_ONCE or task.assessments_while_open:
        return True
    return last_closing(task) <= (moment or timezone.now())


def may_see_assessments(user, track, moment=None):
    """Return whether a person may see a track's highlights and judgement files."""
    if organises(user, track.campaign) or assesses_track(user, track):
        return True
    tasks = list(track.tasks.all())
    return may_see_campaign(user, track.campaign) and bool(tasks) and not hiding_assessments(tasks, moment)
