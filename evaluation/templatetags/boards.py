"""How the lines of a board are written on pages."""

from dataclasses import dataclass

from django import template
from django.urls import reverse
from django.utils.html import format_html

from campaign.services.permissions.visitors import names_runs, shows_scores
from evaluation.services.board_words import account, answer
from evaluation.services.run_addresses import run_address

register = template.Library()

WIDTH, HEIGHT, RADIUS = 200, 14, 4.5
"""Size of a dot with its whiskers, in pixels."""


@dataclass(frozen=True, slots=True)
class Scale:
    """The common scale of a board's dots: its ends, how long a whisker is, and what is taken off every score."""

    low: float
    high: float
    whisker: float
    reference: float
    is_difference: bool
    address: str

    def at(self, value):
        """Return how far from the left a value lies."""
        inside = WIDTH - 2 * RADIUS
        share = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.5
        return round(RADIUS + inside * min(max(share, 0.0), 1.0), 1)


@register.simple_tag
def board_answer(board):
    """Return the sentence above a board: what is marked, and the rest."""
    return answer(board)


@register.simple_tag
def told_to_others(board):
    """Return the sentence above a board for other sites' previews: nothing where it says more than visitors know."""
    task = board.edition.task
    is_anonymous = all(line.name == line.code for line in board.all_lines)
    if not shows_scores(task) or not (names_runs(task) or is_anonymous):
        return ""
    found = answer(board)
    return f"{found[0]}{after_mark(found[1])}" if found else ""


@register.simple_tag
def board_account(board):
    """Return the sentences under a board."""
    return account(board)


@register.filter
def after_mark(text):
    """Put a blank before what follows the marked words, unless it goes on with a colon."""
    return text if text.startswith(":") else f" {text}"


@register.simple_tag
def place_range(places):
    """Write which places a run may hold: `1–5`, or one alone."""
    first, last = places
    return f"{first}" if first == last else f"{first}–{last}"


@register.filter
def percent(share):
    """Write a share in whole per cent.

    >>> percent(0.984), percent(1.0)
    ('98 %', '100 %')
    """
    return f"{100 * share:.0f} %"


@register.filter
def unbroken(text):
    """Keep the shares of a sentence from being torn apart at the end of a line.

    >>> unbroken("in < 1 % of the draws").replace("\\u00a0", "_")
    'in <_1_% of the draws'
    """
    for sign in (("< ", "<\u00a0"), ("> ", ">\u00a0"), (" %", "\u00a0%")):
        text = text.replace(*sign)
    return text


@register.simple_tag(takes_context=True)
def sortable(context, board, name, label, classes=""):
    """Write the head of a column that rows can be sorted by."""
    return _head(context, board, name, label, classes, first_turned=False)


@register.simple_tag(takes_context=True)
def measure_head(context, board, measure, official):
    """Write the head of a measure's column: sorts by it, the other way round on a second click, and explains it."""
    classes = "number official" if measure.name == official else "number further"
    return _head(context, board, measure.name, measure.name, classes, title=measure.explanation)


def _head(context, board, name, label, classes, title="", first_turned=None):
    is_sorted = name == (board.asked.sort or board.sorted_by)
    turned = board.asked.is_turned
    asked = f"-{name}" if is_sorted and not turned else name
    by_name = first_turned is not None
    rising = (turned if not by_name else not turned) if is_sorted else None
    state = "" if rising is None else format_html(' aria-sort="{}"', "ascending" if rising else "descending")
    explained = format_html(' title="{}"', title) if title else ""
    address = _address(context, sort=asked)
    return format_html(
        '<th scope="col" class="{}"{}><a href="{}"{}>{}</a></th>', classes, state, address, explained, label
    )


def _address(context, **changes):
    """Return the address of this page with other words in it."""
    parameters = context["request"].GET.copy()
    for name, value in changes.items():
        parameters[name] = value
    return f"?{parameters.urlencode()}"


@register.simple_tag(takes_context=True)
def whisker_scale(context, board):
    """Return the scale that all dots of a board share."""
    values = [line.value for line in board.all_lines if line.value is not None] or [0.0]
    critical = board.ranges.critical if board.ranges and board.ranges.are_told else 0.0
    address = _address(context, against="")
    if board.against is not None and board.against.value is not None:
        reference = board.against.value
        ends = [value - reference for value in values]
        return Scale(min(ends) - critical, max(ends) + critical, critical, reference, True, address)
    return Scale(0.0, max(values) + critical / 2, critical / 2, 0.0, False, address)


@register.simple_tag
def board_run(line, task, edition=None):
    """Write a run's name, with the way to its page as it stands in an edition; without one, on the live board."""
    return format_html('<a href="{}">{}</a>', run_address(task, line.code, edition), line.name)


@register.simple_tag
def board_team(line):
    """Write the name of a run's team, with the way to its page where names are visible."""
    if not line.team_slug:
        return format_html("<bdi>{}</bdi>", line.team)
    return format_html('<a href="{}"><bdi>{}</bdi></a>', reverse("team", args=[line.team_slug]), line.team)
