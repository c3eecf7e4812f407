"""Templates can be read: an element a line, no line too long, indented by djhtml."""

import re
from pathlib import Path

import pytest
from djhtml.modes import DjHTML

FOLDER = Path(__file__).parents[1] / "templates"
TEMPLATES = sorted(FOLDER.rglob("*.html"))
LONGEST_LINE = 140
BLOCK = re.compile(
    r"<(html|head|title|meta|link|script|noscript|body|header|footer|main|nav|section|article|aside|div|p|pre|blockquote|"
    r"h[1-6]|ul|ol|li|dl|dt|dd|table|caption|thead|tbody|tfoot|tr|th|td|form|fieldset|legend|option|optgroup|details|summary|"
    r"figure|figcaption|hr)\b"
)
INLINE = '<details class="more"><summary>'  # a fold in the middle of a sentence


def lines_of(template):
    return enumerate(template.read_text().splitlines(), 1)


def places(template, is_wrong):
    return [f"{template.relative_to(FOLDER)}:{number}" for number, line in lines_of(template) if is_wrong(line)]


def test_there_are_templates_to_look_at():
    assert len(TEMPLATES) > 120


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: str(template.relative_to(FOLDER)))
def test_a_template_has_short_lines_an_element_each_and_is_indented(template):
    source = template.read_text()

    assert places(template, lambda line: len(line) > LONGEST_LINE) == []
    assert places(template, lambda line: len(BLOCK.findall(line.replace(INLINE, ""))) > 1) == []
    assert DjHTML(source).indent(2) == source
