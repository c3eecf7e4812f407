"""Descriptions as people write them: a safe subset of Markdown, without Django; whatever else they hold stays text."""

import re
from functools import lru_cache
from html import escape

from markdown_it import MarkdownIt
from markdown_it.token import Token

from limelight.wording import one_line, shortened

SUBSET = ("list", "fence", "blockquote", "heading", "emphasis", "link", "autolink", "backticks", "escape", "newline")
"""What is understood; raw HTML, images, tables and entities are not, and are shown as they were typed."""

LONGEST = 20_000
"""Characters up to which a text is read as Markdown; a longer one is shown as plain paragraphs."""
DEEPEST = 20
"""Levels of lists, their items and quotations in each other; what is deeper is shown as plain paragraphs, too."""

ADDRESS = re.compile(r"(?:https?://|mailto:)[^\s<>\"'`]+", re.IGNORECASE)
BARE_ADDRESS = re.compile(r"https?://[^\s<>\"'`]*[^\s<>\"'`.,;:!?()\[\]*_]", re.IGNORECASE)
BLOCKS = {"paragraph_open", "heading_open", "list_item_open", "blockquote_open"}


def _parser():
    """Return a parser of the subset, which leaves addresses that lead elsewhere than to the web or mail as text."""
    parser = MarkdownIt("zero", {"html": False, "breaks": True, "maxNesting": DEEPEST}).enable(list(SUBSET))
    parser.enable(["balance_pairs", "fragments_join"])
    parser.validateLink = lambda address: ADDRESS.fullmatch(address) is not None
    parser.add_render_rule("link_open", _link_open)
    parser.add_render_rule("link_close", lambda *_: "</bdi></a>")
    return parser


def _link_open(_renderer, tokens, index, _options, _env):
    """Begin a link that vouches for nothing, in an element that keeps the direction of its text in."""
    return f'<a href="{escape(tokens[index].attrGet("href"))}" rel="nofollow noopener ugc"><bdi>'


@lru_cache(maxsize=256)
def as_html(text, top_heading=3):
    """Return a description as HTML: its highest headings are of the given level, so that they fit below the page's."""
    tokens = _understood(text)
    if tokens is None:
        return "\n".join(f'<p dir="auto">{escape(part)}</p>' for part in re.split(r"\n\s*\n", text) if part.strip())
    levels = sorted({token.tag for token in tokens if token.type == "heading_open"})
    for token in tokens:
        if token.type in BLOCKS:
            token.attrSet("dir", "auto")
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(top_heading + levels.index(token.tag), 6)}"
        if token.type == "inline":
            token.children = list(_with_links(token.children))
    return PARSER.renderer.render(tokens, PARSER.options, {}).strip()


def _understood(text):
    """Return the parts of a text; None where it is too long or too deep, of which the parser would leave parts out."""
    tokens = PARSER.parse(text) if len(text) <= LONGEST else ()
    is_whole = len(text) <= LONGEST and all(token.level < DEEPEST - 1 for token in tokens if token.nesting)
    return tokens if is_whole else None


def _with_links(tokens):
    """Yield the tokens of a line of text, in which addresses that stand by themselves are links."""
    inside = 0
    for token in tokens:
        inside += token.nesting if token.type in ("link_open", "link_close") else 0
        if token.type != "text" or inside:
            yield token
            continue
        end = 0
        for found in BARE_ADDRESS.finditer(token.content):
            yield Token("text", "", 0, content=token.content[end : found.start()])
            yield Token("link_open", "a", 1, attrs={"href": PARSER.normalizeLink(found[0])})
            yield Token("text", "", 0, content=found[0])
            yield Token("link_close", "a", -1)
            end = found.end()
        yield Token("text", "", 0, content=token.content[end:])


def as_plain_text(text, longest=None):
    """Return a description as one line without its marks: for titles, previews and tables.

    >>> as_plain_text("# Runs\\n\\nSee *the* [paper](https://example.org).\\n\\n- `BM25`")
    'Runs See the paper. BM25'
    """
    tokens = _understood(text)
    parts = [text] if tokens is None else [_words_of(token) for token in tokens if token.type in ("inline", "fence")]
    line = one_line(" ".join(parts))
    return shortened(line, longest) if longest else line


def _words_of(token):
    """Return the words of a block of text."""
    if token.type == "fence":
        return token.content
    return "".join(" " if child.type in ("softbreak", "hardbreak") else child.content for child in token.children)


PARSER = _parser()
