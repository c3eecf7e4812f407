"""The demo's collection, topics and assessments are what a small but real campaign needs."""

import re
import tomllib
from itertools import combinations, pairwise
from typing import NamedTuple

import pytest
import Stemmer
from lxml import etree

from demo.retrieval import STOP_WORDS, WORD
from evaluation.demo.passages import find_only, highlight_lines, span_of
from limelight.formats.topics.inex import read_topics
from limelight.text.documents import read_document
from tests.folders import ROOT

DEMO = ROOT / "demo"
ARTICLES = sorted((DEMO / "collection").glob("*.xml"))
ASSESSED = sorted((DEMO / "assessments").glob("*.toml"))
REREAD = sorted((DEMO / "assessments" / "second").glob("*.toml"))
PILOT = sorted((DEMO / "pilot" / "assessments").glob("*.toml"))
NESTING = ("section", "list", "item")
GRAM = 8

article = pytest.mark.parametrize("path", ARTICLES, ids=lambda path: path.stem)
assessed_topic = pytest.mark.parametrize(
    "path", [*ASSESSED, *REREAD, *PILOT], ids=lambda path: f"{path.parent.parent.name}-{path.parent.name}-{path.stem}"
)
reread_topic = pytest.mark.parametrize("path", REREAD, ids=lambda path: path.stem)


class Judged(NamedTuple):
    """A line of the assessments."""

    topic: str
    document: str
    characters: int
    length: int
    entry: int | None
    spans: list


def read(path):
    with path.open("rb") as stream:
        return read_document(stream, path.stem)


@pytest.fixture(scope="module")
def documents():
    return {path.stem: read(path) for path in ARTICLES}


@pytest.fixture(scope="module")
def texts(documents):
    return {name: document.text for name, document in documents.items()}


@pytest.fixture(scope="module")
def topics():
    with (DEMO / "topics.xml").open("rb") as stream:
        return {topic.identifier: topic for topic in read_topics(stream)}


@pytest.fixture(scope="module")
def judged(texts):
    return {path: [judged_line(line) for line in highlight_lines(path, texts)] for path in [*ASSESSED, *REREAD, *PILOT]}


def judged_line(line):
    topic, _, document, characters, length, *rest = line.split()
    spans = [tuple(map(int, span.split(":"))) for span in rest[1:]]
    return Judged(topic, document, int(characters), int(length), int(rest[0]) if rest else None, spans)


def first_reading_of(path):
    return DEMO / "assessments" / path.name


def reasons_in(path):
    """Return, for each document with a comment at its top, that comment."""
    documents = path.read_text(encoding="utf-8").split("[[document]]\n")[1:]
    found = (re.match(r'# (?P<reason>.+)\nid = "(?P<document>[^"]+)"\n', document) for document in documents)
    return {match["document"]: match["reason"] for match in found if match}


def words_of(text):
    return [word.lower() for word in WORD.findall(text)]


def nesting(element):
    """Return how many sections, lists and items lie in one another below an element, at most."""
    deepest = max((nesting(child) for child in element.iterchildren("*")), default=0)
    return deepest + (element.tag in NESTING)


# The collection -------------------------------------------------------------------------------------------------------


def test_there_are_at_least_forty_articles():
    assert len(ARTICLES) >= 40


@article
def test_an_article_is_well_formed_and_of_the_length_of_an_encyclopaedia_entry(path):
    root = etree.parse(path.open("rb")).getroot()

    assert root.tag == "article"
    assert root.findtext("header/title").strip()
    assert root.findall(".//p")
    assert 250 <= len(read(path).text.split()) <= 700


@article
def test_every_link_of_an_article_leads_to_another(path):
    links = [link.get("ref") for link in etree.parse(path.open("rb")).iter("link")]

    assert set(links) <= {other.stem for other in ARTICLES}
    assert path.stem not in links


def test_articles_have_titles_of_their_own():
    titles = [etree.parse(path.open("rb")).findtext("header/title").strip().lower() for path in ARTICLES]

    assert len(set(titles)) == len(titles)


def test_some_articles_nest_sections_and_lists_deeply():
    deep = [path.stem for path in ARTICLES if nesting(etree.parse(path.open("rb")).getroot()) >= 4]

    assert len(deep) >= 3


def test_no_two_articles_share_eight_words_in_a_row(texts):
    grams = {
        name: set(zip(*(words[start:] for start in range(GRAM)), strict=False))
        for name, words in ((name, words_of(text)) for name, text in texts.items())
    }

    shared = [
        f"{one} and {other}: {' '.join(gram)}"
        for one, other in combinations(grams, 2)
        for gram in grams[one] & grams[other]
    ]

    assert shared == []


@pytest.mark.parametrize(
    "path", sorted(path for path in DEMO.rglob("*") if path.suffix in {".xml", ".toml", ".txt", ".py"}), ids=str
)
def test_no_file_of_the_demo_names_a_place_on_somebodys_disk(path):
    assert not re.search(r"(?:^|[\s\"'=(])(?:/(?:home|work|tmp|root|Users|var|usr|opt)/|[A-Z]:\\)", path.read_text())


# The topics -----------------------------------------------------------------------------------------------------------


def test_there_are_fifteen_topics_with_all_their_parts(topics):
    assert len(topics) == 15
    for topic in topics.values():
        assert topic.title
        assert re.fullmatch(r"//.*about\(.*\).*", topic.castitle)
        assert topic.description.endswith((".", "?"))
        assert len(topic.narrative.split()) >= 40
    assert len({topic.title for topic in topics.values()}) == 15


def test_every_topic_is_assessed(topics):
    assert [path.stem for path in ASSESSED] == list(topics)


def test_the_pilot_asks_other_questions_and_every_one_is_assessed(topics):
    with (DEMO / "pilot" / "topics.xml").open("rb") as stream:
        asked = read_topics(stream)

    assert [topic.identifier for topic in asked] == [path.stem for path in PILOT] == ["1", "2", "3", "4"]
    assert not {topic.title for topic in asked} & {topic.title for topic in topics.values()}
    assert all(re.fullmatch(r"//.*about\(.*\).*", topic.castitle) for topic in asked)
    assert all(len(topic.narrative.split()) >= 40 for topic in asked)


@assessed_topic
def test_a_file_of_assessments_is_named_after_its_topic(path):
    assert tomllib.loads(path.read_text(encoding="utf-8"))["topic"] == path.stem


# The assessments ------------------------------------------------------------------------------------------------------


@assessed_topic
def test_a_topic_has_relevant_text_in_several_articles_and_near_misses_in_others(judged, path):
    lines = judged[path]

    relevant = [line.document for line in lines if line.spans]
    near_misses = [line.document for line in lines if not line.spans]

    assert len(relevant) >= 3
    assert len(near_misses) >= 3
    assert len({line.document for line in lines}) == len(lines)


@assessed_topic
def test_passages_are_in_order_apart_from_each_other_and_inside_their_article(judged, texts, path):
    for line in judged[path]:
        text = texts[line.document]
        assert line.length == len(text)
        assert line.characters == sum(length for _, length in line.spans)
        assert all(offset + length <= following for (offset, length), (following, _) in pairwise(line.spans))
        for offset, length in line.spans:
            assert 0 <= offset < offset + length <= len(text)
            assert text[offset : offset + length].strip() == text[offset : offset + length]


@assessed_topic
def test_passages_begin_and_end_between_words(judged, documents, path):
    for line in judged[path]:
        document = documents[line.document]
        edges = {edge for element in document.elements for edge in (element.offset, element.offset + element.length)}
        for offset, length in line.spans:
            for place in {offset, offset + length} - edges:
                around = document.text[place - 1 : place + 1]
                assert not around.isalnum(), (line.document, document.text[place - 9 : place + 9])


@assessed_topic
def test_every_relevant_article_has_an_entry_point_at_or_before_its_first_highlight(judged, path):
    for line in judged[path]:
        if line.spans:
            assert 0 <= line.entry < line.length
            assert line.entry < line.spans[-1][0] + line.spans[-1][1]
        else:
            assert line.entry is None


@pytest.mark.parametrize("reread", [[], REREAD], ids=["first", "second"])
def test_a_third_of_the_passages_holds_no_word_of_the_title_in_any_form(judged, topics, texts, reread):
    stem = Stemmer.Stemmer("english").stemWord

    def stems(text):
        return {stem(word) for word in words_of(text) if word not in STOP_WORDS}

    in_force = {path.stem: judged[path] for path in [*ASSESSED, *reread]}
    without = [
        not stems(topics[number].title) & stems(texts[line.document][offset : offset + length])
        for number, lines in in_force.items()
        for line in lines
        for offset, length in line.spans
    ]

    assert len(without) >= 100
    assert sum(without) >= len(without) / 3


# The second reading ---------------------------------------------------------------------------------------------------


def test_three_topics_were_read_a_second_time():
    assert [path.stem for path in REREAD] == ["101", "102", "110"]


@reread_topic
def test_a_second_reading_judges_every_document_of_the_first(judged, path):
    before, after = judged[first_reading_of(path)], judged[path]

    assert {line.document for line in before} <= {line.document for line in after}


@reread_topic
def test_a_second_reading_differs_and_gives_its_reason_where_it_does(judged, path):
    before = {line.document: line for line in judged[first_reading_of(path)]}
    changed = {line.document for line in judged[path] if line != before.get(line.document)}

    assert changed
    assert set(reasons_in(path)) == changed
    assert all(len(reason.split()) >= 3 for reason in reasons_in(path).values())


# Finding passages by their words --------------------------------------------------------------------------------------


def test_white_space_between_words_does_not_matter():
    assert find_only("the  oil\nlamp", "Fill the oil \n  lamp.") == 5


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("the wick", "“the wick” stands in the text 0 times, not once."),
        ("the lamp", "“the lamp” stands in the text 2 times, not once."),
        ("a.c", "“a.c” stands in the text 0 times, not once."),
    ],
)
def test_words_that_do_not_stand_there_once_are_refused(words, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        find_only(words, "Fill the lamp, light the lamp, abc.")


def test_a_passage_ends_at_the_first_place_where_its_last_words_follow():
    assert span_of({"first": "Light it", "last": "lamp."}, "The lamp. Light it: the lamp. A lamp.") == (10, 19)


def test_last_words_that_do_not_follow_are_refused():
    with pytest.raises(ValueError, match=r"^“Fill” does not follow “the lamp”\.$"):
        span_of({"first": "the lamp", "last": "Fill"}, "Fill the lamp.")


def test_a_fault_in_an_assessment_names_its_file_and_article(tmp_path):
    file = tmp_path / "199.toml"
    file.write_text(
        'topic = "199"\n[[document]]\nid = "wick"\nentry = "Nowhere"\n[[document.passage]]\nfirst = "A"\nlast = "b"\n'
    )

    with pytest.raises(ValueError, match=r"^199\.toml, wick: “Nowhere” stands in the text 0 times, not once\.$"):
        list(highlight_lines(file, {"wick": "A wick is bright; b."}))


def test_judgements_become_lines_of_the_format_of_2008(tmp_path):
    file = tmp_path / "199.toml"
    file.write_text(
        'topic = "199"\n[[document]]\nid = "wick"\nentry = "Trim"\n'
        '[[document.passage]]\nfirst = "Trim"\nlast = "wick."\n[[document.passage]]\nfirst = "Light"\nlast = "it."\n'
        '[[document]]\nid = "candle"\n'
    )

    lines = list(highlight_lines(file, {"wick": "Now: Trim the wick. Then: Light it.", "candle": "Wax."}))

    assert lines == ["199 Q0 wick 23 35 5 5:14 26:9", "199 Q0 candle 0 4"]
