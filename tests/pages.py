"""Pages as browsers read them: where the source of a page breaks its lines makes no difference."""

import re

BLOCKS = (
    "html|head|body|title|meta|link|script|noscript|header|footer|main|nav|section|article|aside|div|p|pre|blockquote|"
    "h1|h2|h3|h4|h5|h6|ul|ol|li|dl|dt|dd|table|caption|thead|tbody|tr|th|td|form|fieldset|legend|details|summary|"
    "figure|figcaption|select|option|optgroup|br"
)
BESIDE_BLOCKS = re.compile(rf"\s*(</?(?:{BLOCKS})\b[^>]*>)\s*")


def source_of(response):
    """Return the source of a page with its white space merged, and none at the edges of blocks; files as they are."""
    source = response.content.decode()
    if not response["Content-Type"].startswith("text/html"):
        return source
    return BESIDE_BLOCKS.sub(r"\1", re.sub(r"\s+", " ", source).replace(" >", ">"))


def text(response):
    """Return what a page says, with a space between its blocks."""
    spaced = re.sub(rf"</(?:{BLOCKS}|label|button)>", " ", source_of(response))
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", spaced))
