"""Writes the demo's runs: those listed in each runs.toml, retrieved from the collection for the topics there."""

import re
import sys
import tomllib
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from lxml import etree

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from demo import retrieval
from demo.retrieval import Analyser, Index, bm25, density, dirichlet, expanded, term_count, without_overlap
from limelight.formats.topics.inex import read_topics
from limelight.text.documents import read_document

HERE = Path(__file__).resolve().parent
TASK_NAMES = {
    "focused": "Focused",
    "relevant-in-context": "RelevantInContext",
    "best-in-context": "BestInContext",
    "thorough": "Thorough",
}
HEADER_FIELDS = ("title", "castitle", "description", "narrative")
ABOUT = re.compile(r"about\([^,]*,([^)]*)\)")
TARGET = re.compile(r"//\(?([\w|]+)\)?\[[^\[\]]*\]\Z")
EXCLUDED = re.compile(r"(?<!\w)-\w+")

STEMMED = Analyser()
UNSTEMMED = Analyser(stems=False)
EVERY_WORD = Analyser(stems=False, stops=False)
EVERY_STEM = Analyser(stops=False)
PASSAGES = partial(retrieval.windows, words=60, step=20)
SHORT_PASSAGES = partial(retrieval.windows, words=30, step=5)


class Result(NamedTuple):
    """One line of a run, still without its rank."""

    document: str
    rsv: float
    offset: int
    length: int
    path: str = ""


@dataclass(frozen=True)
class Collection:
    """The documents by name, and what was indexed of them."""

    documents: dict
    indexes: dict = field(default_factory=dict)

    def index(self, units_of, analyser):
        """Return the index of such units, made when first asked for."""
        key = units_of, analyser
        if key not in self.indexes:
            self.indexes[key] = Index(self.documents.values(), units_of, analyser)
        return self.indexes[key]

    def ranked(self, text, units_of, analyser, model):
        """Return the units that a model finds for a query's text, best first."""
        index = self.index(units_of, analyser)
        return index.ranked(model(index, analyser.query(text)))


def result(scored, rsv=None, length=None):
    """Turn a scored unit into a result, under another number or with another length if so told."""
    unit = scored.unit
    return Result(
        unit.document,
        scored.rsv if rsv is None else rsv,
        unit.offset,
        unit.length if length is None else length,
        unit.path,
    )


def focused(collection, topic, text, *, units_of, analyser, model, limit):
    """Rank units of one kind, leaving out those that overlap a better one."""
    ranked = collection.ranked(text, units_of, analyser, model)
    return [result(one) for one in islice(without_overlap(ranked), limit)]


def focused_with_feedback(collection, topic, text, *, limit):
    """Rank paragraphs twice, the second time with terms from the best of the first."""
    index = collection.index(retrieval.paragraphs, STEMMED)
    query = STEMMED.query(text)
    ranked = index.ranked(bm25(index, expanded(index, query, bm25(index, query))))
    return [result(one) for one in ranked[:limit]]


def focused_in_articles(collection, topic, text, *, limit, share=0.4):
    """Rank paragraphs by their own score and that of their article, each divided by the topic's highest."""
    own = collection.ranked(text, retrieval.paragraphs, STEMMED, bm25)
    whole = collection.ranked(text, retrieval.articles, STEMMED, partial(bm25, k1=1.5))
    of_article = {one.unit.document: one.rsv / whole[0].rsv for one in whole}
    mixed = [
        one._replace(
            rsv=round((1 - share) * one.rsv / own[0].rsv + share * of_article[one.unit.document], retrieval.DECIMALS)
        )
        for one in own
    ]
    mixed.sort(key=lambda one: (-one.rsv, one.unit))
    return [result(one) for one in mixed[:limit]]


def focused_by_structure(collection, topic, text, *, limit, preference=1.5):
    """Rank elements by the words of the castitle's about clauses, those of the wanted kind higher."""
    words = " ".join(EXCLUDED.sub(" ", clause) for clause in ABOUT.findall(topic.castitle))
    wanted = TARGET.search(topic.castitle)[1].split("|")
    ranked = collection.ranked(words, retrieval.retrievable_elements, STEMMED, partial(bm25, b=0.5))
    weighed = [
        one._replace(rsv=round(one.rsv * preference, retrieval.DECIMALS))
        if retrieval.tag(one.unit.path) in wanted
        else one
        for one in ranked
    ]
    weighed.sort(key=lambda one: (-one.rsv, one.unit))
    return [result(one) for one in islice(without_overlap(weighed), limit)]


def thorough(collection, topic, text, *, analyser, model, limit):
    """Rank elements of every size, those that lie in one another, too."""
    ranked = collection.ranked(text, retrieval.retrievable_elements, analyser, model)
    return [result(one) for one in ranked[:limit]]


def in_context(collection, topic, text, *, documents, analyser, model, units_of, unit_model, each, limit=100):
    """Rank articles, and within each the best units; all results of an article carry its number."""
    best = list(without_overlap(collection.ranked(text, units_of, analyser, unit_model)))
    results = []
    for article in collection.ranked(text, retrieval.articles, analyser, model)[:documents]:
        inside = (one for one in best if one.unit.document == article.unit.document)
        results += [result(one, rsv=article.rsv) for one in islice(inside, each)]
    return results[:limit]


def best_in_context(collection, topic, text, *, analyser, model, units_of, unit_model, limit, pointing=True):
    """Rank articles, and enter each at the start of its best unit, or at its own if only its title matches."""
    entries = {}
    for one in collection.ranked(text, units_of, analyser, unit_model):
        entries.setdefault(one.unit.document, one)
    ranked = collection.ranked(text, retrieval.articles, analyser, model)[:limit]
    return [result(entries.get(one.unit.document, one), one.rsv, 0 if pointing else None) for one in ranked]


def best_at_first_match(collection, topic, text, *, limit):
    """Rank articles, and enter each at the first paragraph with a word of the query, or at its own start."""
    entries = {}
    matching = collection.ranked(text, retrieval.paragraphs, UNSTEMMED, term_count)
    for one in sorted(matching, key=lambda one: one.unit):
        entries.setdefault(one.unit.document, one)
    ranked = collection.ranked(text, retrieval.articles, UNSTEMMED, dirichlet)
    return [result(entries.get(one.unit.document, one), one.rsv, 0) for one in ranked[:limit]]


METHODS = {
    "argand_par-bm25": partial(focused, units_of=retrieval.paragraphs, analyser=EVERY_STEM, model=bm25, limit=60),
    "argand_par-feedback": partial(focused_with_feedback, limit=60),
    "argand_par-article": partial(focused_in_articles, limit=60),
    "drummond_sec-bm25": partial(
        focused, units_of=retrieval.sections, analyser=STEMMED, model=partial(bm25, k1=1.6, b=0.6), limit=50
    ),
    "drummond_art-bm25": partial(
        focused, units_of=retrieval.articles, analyser=EVERY_WORD, model=partial(bm25, k1=2.0), limit=40
    ),
    "fresnel_win60-bm25": partial(
        focused, units_of=PASSAGES, analyser=STEMMED, model=partial(bm25, k1=0.9, b=0.4), limit=60
    ),
    "fresnel_sent-lm": partial(
        focused, units_of=retrieval.sentences, analyser=STEMMED, model=partial(dirichlet, mu=60), limit=100
    ),
    "swan_par-count": partial(focused, units_of=retrieval.paragraphs, analyser=EVERY_WORD, model=term_count, limit=60),
    "swan_cas-elements": partial(focused_by_structure, limit=50),
    "swan_cas-mild": partial(focused_by_structure, limit=50, preference=1.2),
    "argand_ric-par": partial(
        in_context,
        documents=25,
        analyser=EVERY_STEM,
        model=bm25,
        units_of=retrieval.paragraphs,
        unit_model=bm25,
        each=4,
    ),
    "drummond_ric-sec": partial(
        in_context,
        documents=30,
        analyser=STEMMED,
        model=partial(bm25, k1=1.6, b=0.6),
        units_of=retrieval.sections,
        unit_model=partial(bm25, k1=1.6, b=0.6),
        each=2,
    ),
    "fresnel_ric-win60": partial(
        in_context, documents=25, analyser=STEMMED, model=dirichlet, units_of=PASSAGES, unit_model=density, each=3
    ),
    "fresnel_ric-sent": partial(
        in_context,
        documents=25,
        analyser=STEMMED,
        model=partial(dirichlet, mu=500),
        units_of=retrieval.sentences,
        unit_model=partial(dirichlet, mu=60),
        each=4,
    ),
    "swan_ric-whole": partial(
        in_context, documents=40, analyser=EVERY_WORD, model=bm25, units_of=retrieval.articles, unit_model=bm25, each=1
    ),
    "argand_bic-par": partial(
        best_in_context, analyser=EVERY_STEM, model=bm25, units_of=retrieval.paragraphs, unit_model=bm25, limit=30
    ),
    "argand_bic-sentence": partial(
        best_in_context, analyser=STEMMED, model=bm25, units_of=retrieval.sentences, unit_model=term_count, limit=30
    ),
    "drummond_bic-sec": partial(
        best_in_context,
        analyser=STEMMED,
        model=partial(bm25, k1=1.6, b=0.6),
        units_of=retrieval.sections,
        unit_model=partial(bm25, k1=1.6, b=0.6),
        limit=30,
    ),
    "fresnel_bic-dense": partial(
        best_in_context,
        analyser=STEMMED,
        model=partial(dirichlet, mu=500),
        units_of=SHORT_PASSAGES,
        unit_model=density,
        limit=30,
        pointing=False,
    ),
    "swan_bic-start": partial(
        best_in_context, analyser=EVERY_WORD, model=bm25, units_of=retrieval.articles, unit_model=bm25, limit=40
    ),
    "swan_bic-first": partial(best_at_first_match, limit=40),
    "argand_tho-bm25": partial(thorough, analyser=STEMMED, model=bm25, limit=100),
    "drummond_tho-wide": partial(thorough, analyser=STEMMED, model=partial(bm25, k1=2.0, b=0.3), limit=100),
    "fresnel_tho-lm": partial(thorough, analyser=STEMMED, model=partial(dirichlet, mu=200), limit=100),
    "swan_tho-count": partial(thorough, analyser=EVERY_WORD, model=term_count, limit=100),
    "swan_all-elements": partial(thorough, analyser=EVERY_STEM, model=bm25, limit=60),
}


def make_runs(target_folder, source=HERE):
    """Write every run that a folder's runs.toml lists for its topics.xml into a folder."""
    collection = Collection({path.stem: _document(path) for path in sorted((HERE / "collection").glob("*.xml"))})
    with (source / "topics.xml").open("rb") as stream:
        topics = read_topics(stream)
    for run in tomllib.loads((source / "runs.toml").read_text(encoding="utf-8"))["run"]:
        method = METHODS[f"{run['team']}_{run['name']}"]
        answers = {}
        for topic in topics:
            text = "\n".join(getattr(topic, name) for name in run["topic_fields"])
            answers[topic.identifier] = method(collection, topic, text)
        written = as_xml(run, answers) if run["file"].endswith(".xml") else as_fol(run, answers)
        (Path(target_folder) / run["file"]).write_bytes(written)


def _document(path):
    with path.open("rb") as stream:
        return read_document(stream, path.stem)


def as_fol(run, answers):
    """Return a run as FOL text."""
    lines = [
        f"{topic} Q0 {one.document} {rank} {one.rsv:.4f} {run['name']} {one.offset} {one.length}\n"
        for topic, results in answers.items()
        for rank, one in enumerate(results, 1)
    ]
    return "".join(lines).encode()


def as_xml(run, answers):
    """Return a run as an INEX submission of element paths."""
    root = etree.Element(
        "inex-submission",
        {
            "participant-id": run["team"],
            "run-id": run["name"],
            "task": TASK_NAMES[run["task"]],
            "query": run["query"],
            "result-type": "element",
        },
    )
    answered = {name: "yes" if name in run["topic_fields"] else "no" for name in HEADER_FIELDS}
    etree.SubElement(root, "topic-fields", answered)
    etree.SubElement(root, "description").text = run["description"]
    etree.SubElement(etree.SubElement(root, "collections"), "collection").text = "demo"
    for topic, results in answers.items():
        parent = etree.SubElement(root, "topic", {"topic-id": topic})
        for rank, one in enumerate(results, 1):
            element = etree.SubElement(parent, "result")
            etree.SubElement(element, "file").text = one.document
            etree.SubElement(element, "path").text = one.path
            etree.SubElement(element, "rank").text = str(rank)
            etree.SubElement(element, "rsv").text = f"{one.rsv:.4f}"
    etree.indent(root, " ")
    return etree.tostring(root, encoding="UTF-8", xml_declaration=True) + b"\n"


if __name__ == "__main__":
    for folder in (HERE, HERE / "pilot"):
        make_runs(folder / "runs", folder)
