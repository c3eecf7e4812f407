"""XML documents that Hypothesis makes up: deep and flat, with odd white space and all that may stand between text."""

from xml.sax.saxutils import escape

from hypothesis import strategies as st

TAGS = ("p", "b", "sec", "x:p")
TEXT = st.text(st.sampled_from("abü&< \t\n\u2003\U0001f4a1"), max_size=6).map(escape)
BETWEEN = st.sampled_from(("<!-- unseen -->", "<?pi?>", "&eacute;", "&unknown;", "&#10;", "<![CDATA[ <c> ]]>"))


def _element(parts):
    tag, content = parts
    return f"<{tag}>{''.join(content)}</{tag}>"


def xml_documents():
    """Return a strategy for the source of small documents whose root is an article."""
    content = st.recursive(
        TEXT | BETWEEN,
        lambda inner: st.tuples(st.sampled_from(TAGS), st.lists(inner, max_size=4)).map(_element),
        max_leaves=15,
    )
    head = '<!DOCTYPE article SYSTEM "article.dtd">\n<article xmlns:x="urn:x">'
    return st.lists(content, max_size=5).map(lambda parts: f"{head}{''.join(parts)}</article>")
