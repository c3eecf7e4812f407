"""Topic files: the form of 2009 with its internal DTD, the one-topic form, and what is refused."""

import io

import pytest

from limelight.formats.problems import FormatError
from limelight.formats.topics.inex import TopicRecord, read_topics

DOCTYPE = """<!DOCTYPE inex-topic-file [
<!ENTITY  lt      "lessthan">
<!ENTITY  gt      "greaterthan">
<!ENTITY  amp     "ampersand">
<!ENTITY inex "INEX &#43; friends">
<!ELEMENT inex-topic-file (topic+)>
<!ATTLIST topic id CDATA #REQUIRED>
]>
"""
TOPICS = """<inex-topic-file>
<topic id="2009001" ct_no="186">
  <title>salt &amp; pepper</title>
  <castitle>//article[about(., salt &lt; pepper)]</castitle>
  <phrasetitle>"salt"</phrasetitle>
  <description>Where salt comes from.</description>
  <narrative> Two
 lines by &inex;. </narrative>
</topic>
<topic id="2009002"><title>sea</title></topic>
</inex-topic-file>"""


def read(text):
    return read_topics(io.BytesIO(text if isinstance(text, bytes) else text.encode()))


def refusal(text):
    with pytest.raises(FormatError) as caught:
        read(text)
    return [str(problem) for problem in caught.value.problems]


def test_the_form_of_2009_is_read_with_its_internal_dtd():
    first, second = read('<?xml version="1.0"?>\n' + DOCTYPE + TOPICS)

    assert first == TopicRecord(
        identifier="2009001",
        title="salt & pepper",
        castitle="//article[about(., salt < pepper)]",
        phrasetitle='"salt"',
        description="Where salt comes from.",
        narrative="Two\n lines by INEX + friends.",
        candidate="186",
        line=11,
    )
    assert second == TopicRecord("2009002", title="sea", line=19)


def test_a_one_topic_file_of_2003_to_2008_is_read():
    text = """<?xml version="1.0" encoding="ISO-8859-1"?>
<!DOCTYPE inex_topic SYSTEM "topic.dtd">
<inex_topic topic_id="414" query_type="CO+S" ct_no="3">
<InitialTopicStatement>A statement</InitialTopicStatement>
<title>hip hop beat</title><castitle>//*[about(., hip hop beat)]</castitle>
<description>caf\xe9s</description><narrative>Long.</narrative><keywords>hip, hop</keywords></inex_topic>"""

    (record,) = read(text.encode("latin-1"))

    assert (record.identifier, record.query_type, record.candidate) == ("414", "CO+S", "3")
    assert (record.title, record.keywords, record.description) == ("hip hop beat", "hip, hop", "cafés")


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("nothing", ["The file isn't XML. Topics are read from INEX or TREC topic files."]),
        ("<inex-topic-file/>", ["The file holds no topics."]),
        (
            "<book/>",
            ["Line 1: the root element is <book>. A topic file has <inex-topic-file> or <inex_topic>."],
        ),
        (
            '<inex-topic-file>\n<topic id="1"/>\n<topic/>\n<topic id="1"/></inex-topic-file>',
            [
                'Line 3: the topic has no number. Write <topic id="…">.',
                "Line 4: topic 1 was already given in line 2. Every topic has its own number.",
            ],
        ),
    ],
)
def test_what_is_no_topic_file_is_refused(text, messages):
    assert refusal(text) == messages


@pytest.mark.parametrize(
    ("declaration", "message"),
    [
        (
            '<!ENTITY secret SYSTEM "file:///etc/passwd">',
            "Line 2: the entity &secret; points outside the file. Write its text into the file instead.",
        ),
        (
            '<!ENTITY far PUBLIC "x" "http://example.org/x">',
            "Line 2: the entity &far; points outside the file. Write its text into the file instead.",
        ),
        (
            '<!ENTITY a "ha"><!ENTITY b "&a;&a;">',
            "Line 2: the entity &b; is long or built of other entities. Write its text into the file instead.",
        ),
        (
            f'<!ENTITY a "{"ha" * 100}">',
            "Line 2: the entity &a; is long or built of other entities. Write its text into the file instead.",
        ),
        ('<!ENTITY % p "x">', "Line 2: the DOCTYPE declares the parameter entity %p;. Remove it."),
        ("%p;", "Line 2: the DOCTYPE uses a parameter entity. Remove it: nothing here needs it."),
        ("<!ENTITY", "The DOCTYPE is broken or too long. Remove it: nothing here needs it."),
        (
            "".join(f'<!ENTITY e{n} "x">' for n in range(301)),
            "The DOCTYPE declares more than 300 entities, the most that is read.",
        ),
    ],
)
def test_a_doctype_that_could_hurt_is_refused(declaration, message):
    assert refusal(f"<!DOCTYPE inex-topic-file [\n{declaration}]>\n" + TOPICS) == [message]


def test_an_encoding_that_could_hide_something_is_refused():
    assert refusal('<?xml version="1.0" encoding="UTF-7"?>' + TOPICS) == [
        "Line 1: the file declares the encoding 'UTF-7', which isn't read here. Save it as UTF-8."
    ]


def test_trec_topics_are_read_though_their_tags_stay_open():
    first, second = read(b"""<top>
<num> Number: 401
<title> foreign minorities, Germany
<desc> Description:
What language and
cultural differences?
<narr> Narrative:
Relevant is all.
</top>
<top><num>402</num><title>caf\xc3\xa9</title></top>
""")

    assert first == TopicRecord(
        "401",
        title="foreign minorities, Germany",
        description="What language and\ncultural differences?",
        narrative="Relevant is all.",
        line=1,
    )
    assert second == TopicRecord("402", title="café", line=10)


def test_faults_of_trec_topics_have_their_lines():
    assert refusal(b"<top>\n<num> 1\n</top>\n<top><title>x</top><top><num>1</top>") == [
        'Line 4: the topic has no number. Write <topic id="…">.',
        "Line 4: topic 1 was already given in line 1. Every topic has its own number.",
    ]
    assert refusal(b"<top>\n<num> 1\n<title>caf\xe9\n</top>") == [
        "Line 3: the text isn't valid UTF-8. Save the file as UTF-8."
    ]
