"""How moments, scores and problems are written on pages."""

from django import template
from django.conf import settings
from django.template.defaultfilters import date
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import mark_safe

from campaign.markdown import as_html, as_plain_text
from campaign.services.people.registrations import standings_of, takes_registrations
from campaign.services.permissions.roles import organises
from campaign.services.telling.trail import in_words
from limelight import wording
from limelight.moments import ANYWHERE_ON_EARTH, day_and_time, distance
from limelight.rules.headings import grouped, heading

register = template.Library()

TONES = {"approved": "good", "ready": "good", "accepted": "good", "refused": "bad", "rejected": "bad", "failed": "bad"}


@register.simple_tag
def deadline(moment):
    """Write a deadline anywhere on earth and how far away it is; UTC, and by script the reader's own time, on hover."""
    return format_html(
        '<span class="deadline" data-moment="{}"><time datetime="{}" title="{}">{}</time> '
        '<span class="quiet">(<span class="countdown">{}</span>)</span></span>',
        moment.isoformat(),
        moment.isoformat(),
        day_and_time(moment),
        day_and_time(moment, ANYWHERE_ON_EARTH),
        distance(moment, timezone.now()),
    )


@register.simple_tag
def deadline_in_full(moment):
    """Write a deadline anywhere on earth and in UTC; a script adds the reader's own time and counts down."""
    return format_html(
        '<span class="deadline" data-moment="{}"><time datetime="{}">{}</time> · {}<span class="local"></span> '
        '<b class="countdown">{}</b></span>',
        moment.isoformat(),
        moment.isoformat(),
        day_and_time(moment, ANYWHERE_ON_EARTH),
        day_and_time(moment),
        distance(moment, timezone.now()),
    )


@register.simple_tag
def moment(moment):
    """Write a moment with its day, and with the second on hover."""
    if moment is None:
        return "–"
    return format_html(
        '<time datetime="{}" title="{}">{}</time>',
        moment.isoformat(),
        f"{moment:%Y-%m-%d %H:%M:%S} UTC",
        day_and_time(moment),
    )


@register.simple_tag
def task_state(task, now):
    """Say in a word or two whether a task takes runs and whether its results are out."""
    if now < task.opens_at:
        return f"opens {distance(task.opens_at, now)}"
    if task.is_open(now):
        return mark_safe('<span class="state open">open</span>')
    if task.is_published(now):
        return "closed, results published"
    return "closed"


@register.simple_tag
def distance_to(moment):
    """Write how far away a moment is."""
    return distance(moment, timezone.now())


@register.simple_tag
def bar(share, height):
    """Write where a bar of a given share (in percent) of a height stands in an SVG."""
    tall = height * share / 100
    return format_html('y="{}" height="{}"', f"{height - tall:.1f}", f"{tall:.1f}")


@register.simple_tag
def share_bar(share):
    """Draw a share (in percent) as a bar along the foot of a cell."""
    return format_html(
        '<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">'
        '<rect width="{}" height="1"/></svg>',
        share,
    )


@register.filter
def days_in_words(days):
    """Write how many runs came on which day, for those who do not see the bars.

    >>> from datetime import date
    >>> from types import SimpleNamespace
    >>> runs = {1: 0, 2: 3, 3: 1, 4: 0}
    >>> days_in_words([SimpleNamespace(date=date(2026, 5, day), runs=count) for day, count in runs.items()])
    'Runs a day: 2 May 3, 3 May 1, from 1 May to 4 May'
    """
    busy = [f"{date(day.date, 'j F')} {day.runs}" for day in days if day.runs]
    return f"Runs a day: {', '.join([*busy, ''])}from {date(days[0].date, 'j F')} to {date(days[-1].date, 'j F')}"


@register.filter
def tone(state):
    """Return the class that shows a state as good or bad news, where it is one of them.

    >>> tone("refused"), tone("pending")
    ('bad', '')
    """
    return TONES.get(state, "")


@register.simple_tag
def duration(seconds):
    """Write how long something takes, roughly."""
    if seconds < 1:
        return "less than a second"
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"


@register.simple_tag
def score(value):
    """Write a score with four decimals."""
    return f"{value:.4f}"


@register.inclusion_tag("campaign/_way_in.html", takes_context=True)
def way_in(context, campaign):
    """Show a person how to take part in a campaign, or how their teams stand in it."""
    user = context["request"].user
    standings = standings_of(user, campaign)
    takes_part = any(standing.stands for standing in standings)
    watches = organises(user, campaign) and not standings  # organisers without a team have no use for this
    return {
        "user": user,
        "campaign": campaign,
        "standings": standings,
        "takes_part": takes_part,
        "invites": takes_registrations(campaign) and not takes_part and not watches,
    }


@register.filter
def counted(count, noun):
    """Write how many there are of something: `{{ 1|counted:"topic" }}`."""
    return wording.counted(count, noun)


@register.filter(is_safe=True)
def without_bidi(text):
    """Leave out the marks that turn text round, in a sentence or a title, where no element keeps them in."""
    return wording.without_direction_marks(str(text))


@register.simple_block_tag
def in_one_line(content):
    """Keep what a block says as one line, without marks of direction: `{% in_one_line as title %}`."""
    return mark_safe(wording.one_line(content))


@register.simple_tag
def absolute(path):
    """Write an address of this site in full."""
    return f"{settings.SITE_URL}{path}"


@register.simple_tag(takes_context=True)
def canonical(context):
    """Write the address that a page is known by: without what only orders, filters or marks it."""
    request = context["request"]
    page = request.GET.get("page", "")
    is_later = page.isascii() and page.isdigit() and int(page[:9]) > 1
    return absolute(f"{request.path}?page={page}" if is_later else request.path)


@register.filter
def markdown(text, top_heading=3):
    """Write a description, whose highest headings are of the given level: `{{ task.description|markdown:2 }}`."""
    return mark_safe(as_html(text, top_heading))


@register.filter
def plain_text(text, longest=None):
    """Write a description in one line without its marks: `{{ task.description|plain_text:200 }}`."""
    return as_plain_text(text, longest)


@register.filter
def problems_by_rule(run):
    """Group the problems of a run, or of another file that was checked, by the rule they break."""
    if isinstance(run, dict):
        return grouped(run["problems"], run["problem_counts"])
    return grouped(run.problems, run.problem_counts)


@register.filter
def rule_heading(rule):
    """Write the heading of a rule's problems."""
    return heading(rule)


@register.filter
def detail_in_words(value):
    """Write a detail of the trail for people."""
    return in_words(value)
