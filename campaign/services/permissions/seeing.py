"""Who may see what: asked by every page, chart, download and answer of the API."""

from dataclasses import dataclass

from django.utils import timezone

from campaign.models import Campaign, Membership, Track, Visible
from campaign.services.permissions.roles import (
    assesses,
    assesses_track,
    is_member,
    organises,
    organises_or_assesses,
    reviews,
    takes_part,
)
from campaign.services.permissions.submitting import last_closings


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
    """What one person sees of a task's results.

    What is said about all runs (ranks, how many runs and teams there are, medians) needs all scores: a rank beside
    one's own score tells what others scored. What a team says about its run (name, description, official mark) needs
    names. What a run returned needs its score and runs; what that tells with the assessments needs these, too.
    """

    all_scores: bool
    own_scores: bool
    names: bool
    runs: bool
    assessments: bool
    own_teams: frozenset
    is_organiser: bool

    def shows(self, run):
        """Return whether this run's score is shown: its line, its page, its values by topic."""
        return self.all_scores or (self.own_scores and self._owns(run))

    def names_run(self, run):
        """Return whether this run's team, name, description and official mark are shown."""
        return self.names or self._owns(run)

    def shows_results_of(self, run):
        """Return whether what this run returned is shown, its ranked lists and passages: to its team always."""
        return self._owns(run) or (self.runs and self.shows(run))

    def shows_file_of(self, run):
        """Return whether this run's file is shown, which bears its name."""
        return self.shows_results_of(run) and self.names_run(run)

    def shows_steps_of(self, run):
        """Return whether it is shown which of this run's results are relevant, and their steps to its score."""
        return self.shows_results_of(run) and self.shows(run) and self.assessments

    @property
    def knows_judgements(self):
        """Return whether it is told what was judged: highlighted characters, relevant documents, shares judged."""
        return self.assessments

    @property
    def ranks(self):
        """Return whether what needs all scores is shown: ranks and ranges, and how many runs and teams there are."""
        return self.all_scores

    @property
    def visibility_class(self):
        """Return a short word that is the same for all who see the same of what is shared, for what is kept for them.

        What is one's own is not in it.
        """
        seen = {"s": self.all_scores, "n": self.names, "r": self.runs, "a": self.assessments}
        return "".join(letter if is_seen else "-" for letter, is_seen in seen.items())

    def summarises(self, team_count):
        """Return whether the lowest, middle and highest scores of the runs of so many teams are shown."""
        return self.all_scores and team_count >= FEWEST_TEAMS

    def _owns(self, run):
        return run.team_id in self.own_teams


def board_view(user, task, moment=None):
    """Decide what of a task's results a person may see; whether of the task at all is asked before."""
    person, has_key = _person(user, task.track)
    return _board_view(task, moment, sees_key=has_key or _key_is_out(task, moment), **person)


def board_views(user, track, moment=None):
    """Decide for each of a track's tasks what a person may see, with as many queries as for one task."""
    tasks, (person, has_key) = list(track.tasks.all()), _person(user, track)
    sees_key = has_key or not hiding_assessments(tasks, moment)
    return {task: _board_view(task, moment, sees_key=sees_key, **person) for task in tasks}


def board_view_of(team, task, moment=None):
    """Return what a member of a team, or without one a visitor, sees of a task's results at a moment."""
    return _board_view(task, moment, own_teams=[team.pk] if team else (), sees_key=_key_is_out(task, moment))


def _person(user, track):
    """Tell who somebody is to a track, as far as that shows them more than others, and whether they have its key."""
    campaign = track.campaign
    own_teams = Membership.objects.filter(user=user).values_list("team_id", flat=True) if user.is_authenticated else ()
    (organiser, assessor), reviewer = organises_or_assesses(user, track), reviews(user, campaign)
    person = {
        "own_teams": frozenset(own_teams),
        "is_organiser": organiser,
        "is_reviewer": reviewer,
        "reads_names": reviewer and user.reviewed_campaigns[campaign.pk],
    }
    return person, organiser or assessor


def _board_view(task, moment, *, own_teams, sees_key, is_organiser=False, is_reviewer=False, reads_names=False):
    """Open what the task's switches open, and what somebody sees before others do."""
    return BoardView(
        all_scores=is_organiser or is_reviewer or task.reveals(task.other_scores_visible, moment),
        own_scores=is_organiser or task.reveals(task.own_scores_visible, moment),
        names=is_organiser or reads_names or task.reveals(task.names_visible, moment),
        runs=is_organiser or task.reveals(task.runs_visible, moment),
        assessments=sees_key,
        own_teams=frozenset(own_teams),
        is_organiser=is_organiser,
    )


def named_boards(user, tasks, moment=None):
    """Return those of some tasks of which a person sees all scores and all names, in two queries for any number."""
    keys = {task.track.campaign_id for task in tasks}
    reviewed = getattr(user, "reviewed_campaigns", {})
    listed = {*Campaign.objects.listed_for(user).filter(pk__in=keys).values_list("pk", flat=True), *reviewed}
    organised = set(Campaign.objects.organised_by(user).filter(pk__in=keys).values_list("pk", flat=True))

    def is_named(task):
        key = task.track.campaign_id
        scores = key in organised or key in reviewed or task.reveals(task.other_scores_visible, moment)
        names = key in organised or reviewed.get(key) or task.reveals(task.names_visible, moment)
        return key in listed and scores and names

    return [task for task in tasks if is_named(task)]


def may_see_own_scores(user, task, moment=None):
    """Return whether a person may see the scores of their teams' runs."""
    return task.reveals(task.own_scores_visible, moment) or organises(user, task.track.campaign)


def _key_is_out(task, moment):
    """Return whether everybody may see the assessments of a task's track; the task counts as it is handed over."""
    if not task.reveals(task.assessments_visible, moment):
        return False
    return not hiding_assessments([task, *task.track.tasks.exclude(pk=task.pk)], moment)


def hiding_assessments(tasks, moment=None):
    """Return those of a track's tasks that keep its assessments hidden: its answer key, which all have to reveal."""
    moment, tasks = moment or timezone.now(), list(tasks)
    revealing = [task for task in tasks if task.reveals(task.assessments_visible, moment)]
    closings = last_closings([task for task in revealing if not _shows_them_while_open(task)])
    return [task for task in tasks if task not in revealing or closings.get(task.pk, moment) > moment]


def _shows_them_while_open(task):
    return task.assessments_visible == Visible.AT_ONCE or task.assessments_while_open


def shows_assessments(task, moment=None):
    """Return whether a task lets the assessments be seen.

    While somebody can still submit to it they are an open answer key: they stay hidden, unless the task shows them at
    once or they were published along with it by a tick of their own.
    """
    return not hiding_assessments([task], moment)


def may_see_assessments(user, track, moment=None):
    """Return whether a person may see a track's highlights and judgement files."""
    if organises(user, track.campaign) or assesses_track(user, track):
        return True
    tasks = list(track.tasks.all())
    return may_see_campaign(user, track.campaign) and bool(tasks) and not hiding_assessments(tasks, moment)
