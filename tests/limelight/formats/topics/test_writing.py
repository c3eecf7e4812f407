"""Topics that are written and read again are the same topics."""

import io
from dataclasses import replace

from limelight.formats.topics.inex import TopicRecord, read_topics
from limelight.formats.topics.writing import write_topics

TOPICS = [
    TopicRecord(
        identifier='2009"<&>1',
        title="salt & pepper",
        castitle="//article[about(., salt < pepper > sea)]",
        phrasetitle='"salt"',
        description="Where salt\r\ncomes from: ]]> &amp; <b>here</b>.",
        narrative="Two\nlines, \u202eturned, \U0001f9c2.",
        keywords="salt, sea",
    ),
    TopicRecord(identifier="2", title="sea"),
    TopicRecord(identifier="3"),
]


def written(topics):
    target = io.BytesIO()
    write_topics(topics, target)
    return target.getvalue()


def read_again(topics):
    return [replace(topic, line=None) for topic in read_topics(io.BytesIO(written(topics)))]


def test_topics_are_read_as_they_were_written():
    assert read_again(TOPICS) == TOPICS


def test_what_xml_cannot_hold_becomes_a_blank():
    assert read_again([TopicRecord(identifier="1", title="salt\x00and\x0csea\ufffe.")]) == [
        TopicRecord(identifier="1", title="salt and sea .")
    ]


def test_a_part_that_is_empty_is_left_out():
    assert written([TopicRecord(identifier="2", title="sea")]) == (
        b'<?xml version="1.0" encoding="UTF-8"?>\n<inex-topic-file>\n'
        b'<topic id="2">\n  <title>sea</title>\n</topic>\n</inex-topic-file>\n'
    )
