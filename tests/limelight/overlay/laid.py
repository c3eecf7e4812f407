"""Overlays to test with, and what a browser would make of their HTML."""

from html.parser import HTMLParser
from io import BytesIO

from limelight.kinds import kind_of
from limelight.overlay import Judgement, Layer, Overlay, results_of
from limelight.text.documents import read_document

ODD = [
    "<a><p>one &amp; two &lt;b&gt; &#13;&#10; &quot;three&quot;</p>\n<p>four</p></a>",
    "<a><p>e\u0301te\u0301 \U0001f9d1\u200d\U0001f692 \U0001f4a1</p><p>\u05e9\u05dc\u05d5\u05dd \u202eabc</p></a>",
    "<a>\n\t<sec>\u2003 <title> T </title>text<b>bold<i>er</i></b> tail</sec>\n\n</a>",
    "<a><row>\n<cell>one</cell> <cell>two <b>three</b></cell></row><row/><row><cell/><cell>4</cell></row></a>",
    "<a>mixed<p>in</p>side<!-- unseen -->out</a>",
    '<!DOCTYPE a SYSTEM "a.dtd"><a><item>x</item><item> </item><item>y&eacute;&unknown;</item></a>',
]
"""Documents with entities, combining characters, emoji, right-to-left text, nested markup, odd white space, tables."""


def document(source, identifier="a"):
    """Return an XML document as text."""
    return read_document(BytesIO(source.encode()), identifier)


def layer(*spans, name="mine", **more):
    """Return a run with results at some spans, in the order of their ranks."""
    lines = [(rank, [(*span, "")]) for rank, span in enumerate(spans, start=1)]
    return Layer(name, results_of(lines), **more)


def overlay(length, *layers, highlighted=None, kind="focused", **judged):
    """Return an overlay; without highlighted spans the judgement may not be known."""
    judgement = None if highlighted is None else Judgement(highlighted=tuple(highlighted), **judged)
    return Overlay(kind_of(kind), length, layers or (layer(),), judgement)


class Read(HTMLParser):
    """What a browser reads: the text, character by character, with the classes that lie on it; marks with places."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.text, self.classes, self.marks, self.blocks, self.anchors = "", [], [], [], {}
        self.open, self.mark = [], None
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        """Open an element."""
        attributes = dict(attrs)
        self.open.append((tag, (attributes.get("class") or "").split(), "data-mark" in attributes))
        if "data-mark" in attributes:
            self.mark = [len(self.text), ""]
        elif "id" in attributes:
            self.anchors[attributes["id"]] = len(self.text)
        if tag in ("p", "h2"):
            self.blocks.append((tag, int(attributes["data-at"]), len(self.text)))

    def handle_endtag(self, tag):
        """Close the last element, which has to be this one."""
        name, _, is_mark = self.open.pop()
        assert name == tag, f"</{tag}> closes <{name}>"
        if is_mark:
            self.marks.append(tuple(self.mark))
            self.mark = None

    def handle_data(self, data):
        """Read text."""
        if self.mark is not None:
            self.mark[1] += data
            return
        self.text += data
        names = {name for _, names, _ in self.open for name in names}
        self.classes += [names] * len(data)
