"""How a campaign stands, for organisers with five minutes: teams, runs by day, who is late, what is missing."""

from collections import Counter
from dataclasses import dataclass
from datetime import timedelta

from django.utils import timezone

from assessments.models import AssessmentImport
from campaign.models import Registration, Run, Task, Team
from campaign.services.setup.checklist import missing_of
from evaluation.services.status import status

DAYS_SHOWN = 14
DEADLINE_NEARS = timedelta(days=7)
MOST_NAMED = 12


@dataclass(frozen=True, slots=True)
class Day:
    """The runs that came in on one day; `share` is the height of its bar in percent."""

    date: object
    runs: int
    share: float


@dataclass(frozen=True, slots=True)
class TaskStanding:
    """One task: runs by day, teams without a valid run while there is still time, and runs that skip topics."""

    task: Task
    runs: int
    days: list
    late_teams: list
    skipping_runs: list

    @property
    def most(self):
        """Return the day on which most runs came, or None where none came."""
        busiest = max(self.days, key=lambda day: day.runs)
        return busiest if busiest.runs else None


@dataclass(frozen=True, slots=True)
class Dashboard:
    """What the overview of a campaign's desk shows."""

    registrations: dict
    tasks: list
    unjudged: list
    imports: list
    missing: list
    status: object


def dashboard(campaign, moment=None):
    """Look at a campaign."""
    moment = moment or timezone.now()
    states = Counter(Registration.objects.filter(campaign=campaign).values_list("state", flat=True))
    tasks = Task.objects.filter(track__campaign=campaign).for_board().order_by("track__position", "position")
    return Dashboard(
        registrations={state.label: states[state.value] for state in Registration.State if states[state.value]},
        tasks=[standing_of_task(task, moment) for task in tasks],
        unjudged=[found for track in campaign.tracks.all() if (found := unjudged_topics(track))],
        imports=list(AssessmentImport.objects.open().filter(track__campaign=campaign).select_related("track")),
        missing=missing_of(campaign, moment),
        status=status(moment),
    )


def standing_of_task(task, moment):
    """Look at one task."""
    topics = task.track.topics.count()
    skipping = task.runs.valid().filter(answered_topics__lt=topics).select_related("team").order_by("answered_topics")
    return TaskStanding(
        task=task,
        runs=task.runs.count(),
        days=runs_by_day(task, _last_day(task, moment)),
        late_teams=late_teams(task, moment),
        skipping_runs=[(run, topics - run.answered_topics) for run in skipping[:MOST_NAMED]],
    )


def _last_day(task, moment):
    """Return now, or the deadline once it has passed; a run that came later still is shown."""
    newest = task.runs.order_by("-created_at").values_list("created_at", flat=True).first()
    return min(moment, max(filter(None, [task.closes_at, newest])))


def runs_by_day(task, until):
    """Count the runs that came in on each of the last days up to a moment, in UTC."""
    last = until.astimezone(tz=timezone.get_default_timezone()).date()
    first = last - timedelta(days=DAYS_SHOWN - 1)
    came = Run.objects.filter(task=task, created_at__date__gte=first, created_at__date__lte=last)
    counts = Counter(moment.date() for moment in came.values_list("created_at", flat=True))
    most = max(counts.values(), default=0)
    days = [first + timedelta(days=number) for number in range(DAYS_SHOWN)]
    return [Day(day, counts[day], round(100 * counts[day] / most, 1) if most else 0.0) for day in days]


def late_teams(task, moment):
    """Return the admitted teams that have no valid run yet, from a week before the deadline on."""
    if not (task.is_open(moment) and task.closes_at - moment <= DEADLINE_NEARS):
        return []
    with_run = task.runs.valid().values("team")
    return list(Team.objects.admitted_to(task.track.campaign).exclude(pk__in=with_run).order_by("name"))


def unjudged_topics(track):
    """Return a track and its topics that the newest assessments say nothing about, or nothing where all are judged."""
    newest = track.assessment_sets.order_by("-version").first()
    if newest is None:
        return None
    judged = set(newest.judgements.values_list("topic", flat=True)) | set(
        newest.graded_judgements.values_list("topic", flat=True)
    )
    missing = list(track.topics.exclude(pk__in=judged))
    return (track, newest, missing) if missing else None
