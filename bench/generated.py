"""A campaign of INEX size made from a seed: assessments, rankings of documents, and passages in them."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from limelight.formats.assessments.columns import JudgementColumns
from limelight.formats.assessments.highlights import write_highlights
from limelight.formats.columns import RunColumns

COLLECTION = 2_600_000
JUDGED = 600
RELEVANT = 85
POOL = 20_000
TOPIC_COUNT = 107
RESULTS = 1_500


@dataclass(frozen=True)
class Campaign:
    """Where a generated campaign lies, and how large it is."""

    folder: Path
    topic_count: int
    results: int
    run_count: int
    text_count: int

    @property
    def assessments(self):
        """The assessments as highlighted text."""
        return self.folder / "assessments.qrels"

    @property
    def grades(self):
        """The same assessments as TREC qrels."""
        return self.folder / "grades.qrels"

    def fol(self, number):
        """Return a run as FOL text."""
        return self.folder / f"run{number}.fol"

    def trec(self, number):
        """Return the same ranking as a TREC run."""
        return self.folder / f"run{number}.trec"

    def columns(self, number):
        """Return the same run as saved columns."""
        return self.folder / f"run{number}.columns"

    @property
    def line_count(self):
        """The lines of one run."""
        return self.topic_count * self.results


def generate(folder, *, topic_count=TOPIC_COUNT, results=RESULTS, run_count=100, text_count=10, seed=1):
    """Write a campaign into a folder: all runs as saved columns, the first ones as text too."""
    campaign = Campaign(Path(folder), topic_count, results, run_count, text_count)
    generator = np.random.default_rng(seed)
    topics = tuple(str(2009001 + number) for number in range(topic_count))
    pools = np.stack([generator.choice(COLLECTION, POOL, replace=False) for _ in range(topic_count)])
    lengths = generator.integers(800, 60_000, (topic_count, POOL))
    _write_assessments(campaign, generator, topics, pools, lengths)
    for number in range(run_count):
        run = _run(generator, number, topics, pools, lengths, results)
        run.save(campaign.columns(number))
        if number < text_count:
            _write_texts(campaign, number, run)
    return campaign


def _write_assessments(campaign, generator, topics, pools, lengths):
    topic_count = len(topics)
    documents, document = np.unique(pools[:, :JUDGED], return_inverse=True)
    judgement, offset, length = [], [], []
    for topic in range(topic_count):
        for place in range(RELEVANT):
            end = lengths[topic, place]
            cuts = np.sort(generator.integers(0, end, 2 * generator.integers(1, 6)))
            starts, stops = cuts[::2], cuts[1::2]
            judgement += [topic * JUDGED + place] * len(starts)
            offset += starts.tolist()
            length += (stops - starts).tolist()
    columns = JudgementColumns(
        topics=topics,
        documents=tuple(map(str, documents.tolist())),
        topic=np.repeat(np.arange(topic_count), JUDGED),
        document=document.reshape(-1),
        document_length=lengths[:, :JUDGED].reshape(-1),
        entry_point=np.zeros(topic_count * JUDGED, dtype=np.int64),
        line=np.arange(1, topic_count * JUDGED + 1),
        judgement=np.array(judgement),
        offset=np.array(offset),
        length=np.array(length),
    )
    with campaign.assessments.open("wb") as target:
        write_highlights(columns, target)
    relevant = columns.relevant_characters > 0
    rows = zip(columns.topic.tolist(), columns.document.tolist(), relevant.tolist(), strict=True)
    campaign.grades.write_text(
        "".join(f"{topics[topic]} 0 {columns.documents[place]} {int(flag)}\n" for topic, place, flag in rows)
    )


def _run(generator, number, topics, pools, lengths, results):
    # Systems find judged documents early: places in the pool are drawn with a bias towards its head.
    topic_count = len(topics)
    appeal = generator.exponential(1.0, pools.shape) + np.log1p(np.arange(POOL)) * generator.uniform(0.3, 0.6)
    chosen = np.argpartition(appeal, results, axis=1)[:, :results]
    order = np.argsort(np.take_along_axis(appeal, chosen, axis=1), axis=1)
    chosen = np.take_along_axis(chosen, order, axis=1)
    names, document = np.unique(np.take_along_axis(pools, chosen, axis=1), return_inverse=True)
    extent = np.take_along_axis(lengths, chosen, axis=1).reshape(-1)
    offset = (generator.random(len(extent)) * extent * 0.5).astype(np.int64)
    count = len(extent)
    return RunColumns(
        run_id=f"system{number}",
        result_type="passage",
        topics=topics,
        documents=tuple(map(str, names.tolist())),
        paths=(),
        topic=np.repeat(np.arange(topic_count), results),
        document=document.reshape(-1),
        rank=np.tile(np.arange(1, results + 1), topic_count),
        rsv=np.tile(np.linspace(20, 1, results).round(5), topic_count),
        offset=offset,
        length=(generator.random(count) * (extent - offset)).astype(np.int64) + 1,
        line=np.arange(1, count + 1),
        path=np.full(count, -1),
    )


def _write_texts(campaign, number, run):
    columns = (run.topic, run.document, run.rank, run.rsv, run.offset, run.length)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    fol, trec = [], []
    for topic, document, rank, rsv, offset, length in rows:
        line = f"{run.topics[topic]} Q0 {run.documents[document]} {rank} {rsv} {run.run_id}"
        trec.append(f"{line}\n")
        fol.append(f"{line} {offset} {length}\n")
    campaign.fol(number).write_text("".join(fol))
    campaign.trec(number).write_text("".join(trec))
