"""Markdown in descriptions: what is understood, what stays text, and how long hostile texts take."""

import time

import pytest
from django.urls import reverse

from campaign.forms.fields import MAY_HOLD_MARKDOWN
from campaign.markdown import LONGEST, as_html, as_plain_text
from campaign.models import Campaign, Collection, Task, Track
from tests.pages import source_of

LINK = 'rel="nofollow noopener ugc"'


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("one\ntwo\n\nthree", '<p dir="auto">one<br>\ntwo</p>\n<p dir="auto">three</p>'),
        ("*a* **b** `c`", '<p dir="auto"><em>a</em> <strong>b</strong> <code>c</code></p>'),
        ("[a](https://b.org 'c')", f'<p dir="auto"><a href="https://b.org" {LINK}><bdi>a</bdi></a></p>'),
        ("<a@b.org>", f'<p dir="auto"><a href="mailto:a@b.org" {LINK}><bdi>a@b.org</bdi></a></p>'),
        (
            "(see http://b.org/x_y.)",
            f'<p dir="auto">(see <a href="http://b.org/x_y" {LINK}><bdi>http://b.org/x_y</bdi></a>.)</p>',
        ),
        ("```\n<b>\n```", "<pre><code>&lt;b&gt;\n</code></pre>"),
        ("- a", '<ul>\n<li dir="auto">a</li>\n</ul>'),
        ("7. a", '<ol start="7">\n<li dir="auto">a</li>\n</ol>'),
        ("", ""),
    ],
)
def test_the_subset_is_understood(written, shown):
    assert as_html(written) == shown


def test_headings_begin_where_the_page_says_and_leave_no_level_out():
    assert as_html("## a\n#### b\n## c", 2) == '<h2 dir="auto">a</h2>\n<h3 dir="auto">b</h3>\n<h2 dir="auto">c</h2>'
    assert as_html("# a") == '<h3 dir="auto">a</h3>'
    assert "<h6" in as_html("\n".join(f"{number * '#'} a" for number in range(1, 7)), 5)


@pytest.mark.parametrize(
    "written",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "<!-- a --> <?b?> <![CDATA[c]]>",
        "&lt;b&gt; &copy; &#60;",
        "[a](javascript:alert(1))",
        "[a](JaVaScRiPt:alert(1))",
        "[a](data:text/html,x)",
        "[a](vbscript:x)",
        "[a](//evil.example)",
        "[a](/desk/)",
        "[a](file:///etc/passwd)",
        "<javascript:alert(1)>",
        "![a](x.png)",
        "\" onfocus=alert(1) x='",
        "| a | b |\n|---|---|\n| c | d |",
    ],
)
def test_whatever_else_stays_text(written):
    shown = as_html(written)

    assert "<" not in shown.replace('<p dir="auto">', "").replace("</p>", "").replace("<br>", "")
    assert as_plain_text(written) == written.replace("\n", " ")


def test_a_picture_becomes_a_mere_link_and_an_address_cannot_leave_its_attribute():
    assert as_html("![a](https://b.org/c.png)") == (
        f'<p dir="auto">!<a href="https://b.org/c.png" {LINK}><bdi>a</bdi></a></p>'
    )
    assert '"onclick' not in as_html('[a](https://b.org/"onclick="x)')
    assert as_html("https://b.org/?a=1&b='x'>").startswith('<p dir="auto"><a href="https://b.org/?a=1&amp;b=" rel')


def test_marks_of_direction_end_with_their_element():
    assert as_html("[\u202ea](https://b.org) c") == (
        f'<p dir="auto"><a href="https://b.org" {LINK}><bdi>\u202ea</bdi></a> c</p>'
    )
    assert as_plain_text("\u202ea") == "a"


HOSTILE = {
    "quotations": 9_000 * ">",
    "lists": 9_000 * "- ",
    "brackets": LONGEST * "[",
    "links": 5_000 * "[a](",
    "brackets of an address": "[a](" + 19_000 * "(",
    "stars": 6_000 * "*a ",
    "marks": 5_000 * "*_`[",
    "backticks": "".join((number % 190) * "`" + "a" for number in range(200)),
    "underscores": 4_000 * "_a__b",
    "angles": 2_400 * "<http://",
    "pictures": 9_000 * "![",
    "fences": 5_000 * "```\n",
    "deep lists": "".join(f"{number * '  '}- a\n" for number in range(130)),
    "addresses": 1_600 * "https://a.b/",
    "blanks": 19_000 * " " + "a",
    "too long": 300_000 * "*a [b](",
    "empty lines": 400_000 * "\n \n",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_texts_take_no_time_and_lose_nothing_but_marks(text):
    before = time.process_time()

    shown, plain = as_html.__wrapped__(text), as_plain_text(text)

    assert time.process_time() - before < 2
    assert len(shown) < 30 * len(text) + 100
    assert len(plain) <= len(text)


def test_a_text_that_is_too_long_is_shown_as_it_was_written():
    shown = as_html(f"*a* <b>\n\n{LONGEST * 'x'}")

    assert shown == f'<p dir="auto">*a* &lt;b&gt;</p>\n<p dir="auto">{LONGEST * "x"}</p>'


@pytest.mark.parametrize("mark", ["> ", "- "])
def test_what_lies_too_deep_is_not_lost(mark):
    for depth in (5, 9, 10, 15, 19, 20, 21, 50):
        assert "in the depths" in as_html(depth * mark + "in the depths"), depth
        assert "in the depths" in as_plain_text(depth * mark + "in the depths"), depth


def test_what_previews_say_has_no_marks_and_an_end():
    assert as_plain_text("# a\n\n- *b*\n- `c`\n\n```\nd\ne\n```\n\n[f](https://g.org)\nh") == "a b c d e f h"
    assert as_plain_text("*lamps* and wicks", 10) == "lamps and…"


def test_every_description_on_pages_is_markdown(world, client):
    for model in (Campaign, Track, Task, Collection):
        model.objects.update(description=f"*{model.__name__}*")
    run = world.submit(description="*Run*")
    client.force_login(world.alice)

    pages = {
        "Campaign": reverse("campaign", args=["small"]),
        "Track": reverse("campaign", args=["small"]),
        "Task": world.task.get_absolute_url(),
        "Collection": world.collection.get_absolute_url(),
        "Run": reverse("run", args=[run.pk]),
    }

    for name, address in pages.items():
        assert f'<p dir="auto"><em>{name}</em></p>' in source_of(client.get(address)), name


def test_forms_say_what_a_description_may_hold(world, client):
    client.force_login(world.organiser)
    desk = reverse("desk-settings", args=["small"])
    track = reverse("track-edit", args=["small", "ad-hoc"])
    task = reverse("task-edit", args=["small", "ad-hoc", "focused"])
    submit = reverse("submit", args=["small", "ad-hoc", "focused"])

    pages = [client.get(address) for address in (desk, track, task)]
    client.force_login(world.alice)
    pages.append(client.get(submit))

    for page in pages:
        assert MAY_HOLD_MARKDOWN.split(";")[0] in source_of(page).replace("&#x27;", "'")
