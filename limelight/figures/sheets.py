"""What grids and plots are drawn on: the box in a page, or a file that stands for itself.

In a page colours are classes of its stylesheet, light and dark. A file has none: the same elements bear attributes as
well, which the stylesheet of a page overrides. There are no style attributes, which the site's policy forbids.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from limelight.wording import one_line, shortened

WIDTH, TOP, FOOT = 1000, 56, 44
"""Units of a file: its width, and the room above and below what is drawn."""
KEY_ROW = 26
INK, QUIET, RULE, WASH, PAPER = "#1c1a15", "#625d51", "#e4decf", "#f7f3e8", "#fffdf8"
BLUE, RED, LINK, MARKER = "#1746d1", "#de3341", "#0a4f73", "#ffe14d"
NO_CHARACTERS = dict.fromkeys([0xFFFE, 0xFFFF])

OPACITIES = {f"shade-{number}": share for number, share in enumerate((0.08, 0.2, 0.33, 0.46, 0.6, 0.74, 0.87, 1), 1)}
OPACITIES |= {"better": 0.85, "worse": 0.3}
LOOKS = {name: f'stroke="{LINK}" stroke-opacity="{share:g}"' for name, share in OPACITIES.items()} | {
    "rule": f'stroke="{RULE}"',
    "curve": f'stroke="{BLUE}" stroke-width="2.2"',
    "here": f'stroke="{INK}" stroke-width="1.5" fill="{MARKER}"',
    "one": f'fill="{BLUE}" fill-opacity=".6"',
    "end": f'fill="{INK}"',
}
LINES = {
    "other": f'stroke="{QUIET}" stroke-opacity=".28"',
    "leads": f'stroke="{BLUE}" stroke-width="2"',
    "own": f'stroke="{RED}" stroke-width="2"',
}
DOTS = {"own": f'fill="{RED}"', "leads": f'fill="{MARKER}" stroke="{BLUE}"'}
"""What classes look like in a file; some mean one thing on lines and another on dots."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A drawing's title and what it tells in words, how high it is, the room beside it, and its key by class."""

    kind: str
    title: str
    told: str
    height: int
    left: int = 60
    right: int = 24
    key: Sequence[tuple[str, str]] = ()


def look(name: str, *, is_line: bool = False, is_dot: bool = False) -> str:
    """Return a class with what it looks like where there is no stylesheet.

    >>> look("rule"), look("leads", is_dot=True), look("column")
    ('class="rule" stroke="#e4decf"', 'class="leads" fill="#ffe14d" stroke="#1746d1"', 'class="column"')
    """
    looks = LOOKS | (LINES if is_line else {}) | (DOTS if is_dot else {})
    return f'class="{name}" {looks[name]}' if name in looks else f'class="{name}"'


def words(text: str, longest: int = 1_000) -> str:
    r"""Write somebody's text into XML: one line, and nothing that isn't a character there.

    >>> words("R&D\ufffe\n<b>"), words("Drummond", 5)
    ('R&amp;D &lt;b&gt;', 'Drum…')
    """
    return escape(shortened(one_line(text.translate(NO_CHARACTERS)), longest))


def drawn_on(sheet: Sheet, body: str, *, as_file: bool = False) -> str:
    """Return a drawing for a page, as wide as that, or as a file with its title, on paper."""
    told = f"<desc>{words(sheet.told)}</desc>"
    if not as_file:
        label = quoteattr(one_line(sheet.title.translate(NO_CHARACTERS)))
        return (
            f'<svg class="{sheet.kind}" role="img" aria-label={label} width="100%" height="{sheet.height}" '
            f'overflow="visible" font-size="12">{told}\n{body}\n</svg>'
        )
    height = TOP + sheet.height + FOOT + (KEY_ROW if sheet.key else 0)
    title = words(sheet.title)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{WIDTH}" height="{height}" '
        f'viewBox="0 0 {WIDTH} {height}" font-family="system-ui, sans-serif" font-size="12" fill="{QUIET}">'
        f"<title>{title}</title>{told}\n"
        f'<rect width="{WIDTH}" height="{height}" fill="{PAPER}"/>\n'
        f'<text x="16" y="24" font-size="15" font-weight="600" fill="{INK}">{title}</text>\n'
        f'<svg x="{sheet.left}" y="{TOP}" width="{WIDTH - sheet.left - sheet.right}" height="{sheet.height}" '
        f'overflow="visible">\n{body}\n</svg>\n{_key(sheet, height - 16)}</svg>\n'
    )


def _key(sheet: Sheet, y: int) -> str:
    """Draw a piece of each shade with what it stands for, in a row."""
    drawn, x = [], float(sheet.left)
    for name, label in sheet.key:
        drawn.append(f'<path {look(name)} d="M{x:g} {y - 4}h14" stroke-width="12"/>')
        drawn.append(f'<text x="{x + 20:g}" y="{y}">{words(label)}</text>')
        x += 34 + 6.5 * len(label)
    return "\n".join([*drawn, ""]) if drawn else ""
