"""Pools to take away: in the INEX format, as CSV, and as plain text."""

from assessments.services.judged import judged_pairs
from campaign.services.documents.collections import document_texts
from limelight.formats.pools import PooledDocument, pool_chunks, topic_chunks
from limelight.spreadsheets import as_csv
from limelight.text.documents import offset_point

FILE_FORMATS = ("xml", "csv", "txt")
HEAD = ("topic", "document", "best_rank", "runs", "state", "parts")


def pool_file_name(pool, file_format, topic="", without=None):
    """Return a name for the file of a pool, or of one of its topics."""
    track = pool.track
    part = f"-topic-{topic}" if topic else ""
    part += f"-without-v{without.version}" if without else ""
    return f"{track.campaign.slug}-{track.slug}-pool-{pool.number}{part}.{file_format}"


def pool_file(pool, file_format, topic=None, *, without=None):
    """Return a pool, or what it has for one topic, as the chunks of a file; passages are points where text is known.

    What a version has judged is left out where one is given in `without`.
    """
    return {"xml": _xml, "csv": _csv, "txt": _text}[file_format](pool, topic, without)


def pooled_documents(pool, topic=None, without=None):
    """Yield the documents of a pool as the INEX format has them."""
    lookup = document_texts(pool.track.collection)
    for row in _rows(pool, topic, without):
        yield PooledDocument(row.topic.number, row.document, tuple(_places(row, lookup)))


def _rows(pool, topic, without=None):
    rows = pool.documents.select_related("topic").order_by(
        "topic__position", "topic", "best_rank", "-run_count", "document"
    )
    rows = (rows.filter(topic=topic) if topic else rows).iterator(chunk_size=2_000)
    judged = judged_pairs(without) if without else ()
    return (row for row in rows if (row.topic.number, row.document) not in judged)


def _places(row, lookup):
    """Return the parts as paths, and spans as two points; without the text a span has no words in this format."""
    text = lookup(row.document) if lookup and any(isinstance(part, list) for part in row.parts) else None
    for part in row.parts:
        if isinstance(part, str):
            yield part
        elif text is not None:
            start, end = offset_point(text, part[0]), offset_point(text, sum(part), ends=part[1] > 0)
            if start and end:
                yield f"{start} {end}"


def _xml(pool, topic, without):
    documents = pooled_documents(pool, topic, without)
    return topic_chunks(list(documents)) if topic else pool_chunks(documents)


def _csv(pool, topic, without):
    yield as_csv([HEAD]).encode()
    for row in _rows(pool, topic, without):
        parts = " | ".join(part if isinstance(part, str) else f"{part[0]}:{part[1]}" for part in row.parts)
        yield as_csv([(row.topic.number, row.document, row.best_rank, row.run_count, row.state, parts)]).encode()


def _text(pool, topic, without):
    for row in _rows(pool, topic, without):
        yield f"{row.topic.number} {row.document}\n".encode()
