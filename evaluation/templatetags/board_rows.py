"""The rows of a board, written in one go: of three hundred rows each tag of a template counts."""

from html import escape

from django import template
from django.urls import reverse
from django.utils.safestring import mark_safe

from evaluation.services.run_addresses import run_address
from evaluation.templatetags.boards import HEIGHT, RADIUS, WIDTH, percent, place_range
from limelight.figures import swatch_svg

register = template.Library()

MIDDLE = HEIGHT // 2
CODE = "--code--"
"""Stands for a run's code, or a team's slug, in an address that is made once."""


@register.simple_tag
def board_rows(board, task, figure, scale):
    """Write a row for each run that is shown: tick, rank, name, team, scores, and the official one as a dot."""
    write = _Writer(board, task, figure, scale)
    return mark_safe("\n".join(map(write.row, board.lines)))  # everything that people wrote is escaped below


class _Writer:
    """Writes rows with what they share made once."""

    def __init__(self, board, task, figure, scale):
        self.board, self.figure, self.scale = board, figure, scale
        self.drawn = set(figure.drawn) if figure else set()
        self.address = escape(run_address(task, CODE, board.edition))
        self.team_address = escape(reverse("team", args=[CODE]))
        self.against = escape(scale.address)
        self.is_complete, self.has_judged = board.is_complete, board.has_judged

    def row(self, line):
        classes = " ".join(name for name, has in (("own", line.is_own), ("leading", line.is_leading)) if has)
        parts = [f'<tr data-run="{line.code}" class="{classes}">']
        if self.figure:
            parts.append(self._tick(line))
        if self.is_complete:
            places = f'<span class="range">{place_range(line.range)}</span>' if line.range else ""
            parts.append(f'<td class="rank"><b>{line.place}</b>{places}</td>')
        parts += [self._name(line), f'<td class="roomy name">{self._team(line)}</td>', *self._scores(line)]
        if self.has_judged:
            parts.append(f'<td class="number">{"" if line.judged is None else percent(line.judged)}</td>')
        return "".join([*parts, "</tr>"])

    def _tick(self, line):
        style = self.figure.styles.get(line.code)
        checked = " checked" if line.code in self.drawn else ""
        label = f"Show {escape(line.name)} in the chart"
        swatch = swatch_svg(style) if style else ""
        sent = f'name="runs" value="{line.code}" form="compare"'
        box = f'<input type="checkbox" {sent} data-curve="{line.code}" aria-label="{label}"{checked}>'
        return f'<td class="tick">{box} {swatch}</td>'

    def _name(self, line):
        chips = [
            (line.is_official, "badge", "official"),
            (line.result_type == "element", "chip", "elements"),
            (line.query == "manual", "chip", "manual"),
            (line.is_after_scores, "chip", "after seeing scores"),
            (self.board.show == "best" and line.of_team > 1, "chip", f"best of {line.of_team}"),
            (line.moved_from, "chip", f"was {place_range(line.moved_from)}" if line.moved_from else ""),
        ]
        shown = "".join(f' <span class="{name}">{words}</span>' for has, name, words in chips if has)
        link = f'<a href="{self.address.replace(CODE, line.code)}">{escape(line.name)}</a>'
        team = f' <span class="tight quiet"><bdi>{escape(line.team)}</bdi></span>'
        return f'<th scope="row">{link}{shown}{team}</th>'

    def _team(self, line):
        name = f"<bdi>{escape(line.team)}</bdi>"
        return f'<a href="{self.team_address.replace(CODE, line.team_slug)}">{name}</a>' if line.team_slug else name

    def _scores(self, line):
        for place, cell in enumerate(line.cells):
            kind, best = "further" if place else "official", " best" if cell.is_best else ""
            yield f'<td class="number score {kind}{best}"><span>{cell.text}</span></td>'
            if not place and self.is_complete:
                yield f'<td class="whiskers">{self._whisker(line)}</td>'

    def _whisker(self, line):
        """Draw a score as a dot with its whiskers; a click holds the other runs against this one."""
        if line.value is None:
            return ""
        scale, value = self.scale, line.value - self.scale.reference
        drawn = [f'<path class="axis" d="M0 {MIDDLE}H{WIDTH}"/>']
        if scale.is_difference:
            drawn.append(f'<path class="zero" d="M{scale.at(0.0)} 0V{HEIGHT}"/>')
        if scale.whisker and line.range is not None:
            left, right = scale.at(value - scale.whisker), scale.at(value + scale.whisker)
            ends = f"M{left} {MIDDLE - 3}V{MIDDLE + 3}M{right} {MIDDLE - 3}V{MIDDLE + 3}"
            drawn.append(f'<path d="M{left} {MIDDLE}H{right}{ends}"/>')
        drawn.append(f'<circle cx="{scale.at(value)}" cy="{MIDDLE}" r="{RADIUS}"/>')
        told = f"{value:+.4f}".replace("-", "−") if scale.is_difference else ""
        label = f"Hold the others against {escape(line.name)}"
        svg = f'<svg width="{WIDTH}" height="{HEIGHT}" aria-hidden="true">{"".join(drawn)}</svg>'
        return f'<a class="dot" href="{self.against}{line.code}" aria-label="{label}">{svg}{told}</a>'
