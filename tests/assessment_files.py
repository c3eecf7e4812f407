"""Small assessments of every kind, as files hold them."""

QRELS = b"1 0 a 2\n1 0 b 0\n2 0 c 1\n3 0 d 1\n"


XML = b"""<assessments topic="1"><file name="a">
<passage start="/article[1]/p[1]/text()[1].0" end="/article[1]/p[1]/text()[1].5" size="5"/>
<element path="/article[1]" exhaustivity="2" size="20" rsize="5"/>
<element path="/article[1]/p[1]" exhaustivity="2" size="5" rsize="5"/>
</file></assessments>"""


GRADED = b"""<assessments topic="1"><file file="a"><path path="/article[1]" exhaustiveness="2" specificity="1"/>
<path path="/article[1]/p[1]" exhaustiveness="U" specificity="U"/></file></assessments>"""


DOCUMENT = b"<article><p>right</p><p>wrong words for this</p></article>"
