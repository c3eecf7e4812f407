"""The measures once more, as slowly and plainly as they can be written: sets of characters and fractions."""

from fractions import Fraction

from limelight.formats.assessments.columns import UNKNOWN


def counted_topics(judgements):
    return [topic for topic in judgements if topic_text(judgements[topic])]


def topic_text(judged_documents):
    return {
        (document, place)
        for document, judged in judged_documents.items()
        for offset, length in judged.spans
        for place in range(offset, offset + length)
    }


def document_text(judged_documents, document):
    return {place for name, place in topic_text(judged_documents) if name == document}


def divided(numerator, denominator):
    return Fraction(numerator, denominator) if denominator else Fraction(0)


def mean(values):
    return divided(sum(values), len(values))


def focused(judged_documents, results, *, overlap="count_all", unmapped_size=0, cutoffs=(1, 5, 10, 25, 50)):
    wanted = topic_text(judged_documents)
    seen, found, size, precisions, recalls, adding, shares = set(), 0, 0, [], [], [], []
    for document, offset, length in results:
        characters = set() if offset is None else {(document, place) for place in range(offset, offset + length)}
        if overlap == "new":
            characters -= seen
            seen |= characters
        found += len(characters & wanted)
        size += unmapped_size if offset is None else len(characters)
        adding.append(bool(characters & wanted))
        shares.append(divided(len(characters & wanted), unmapped_size if offset is None else len(characters)))
        precisions.append(divided(found, size))
        recalls.append(divided(found, len(wanted)))
    curve = [
        max((p for p, r in zip(precisions, recalls, strict=True) if r >= Fraction(level, 100)), default=Fraction(0))
        for level in range(101)
    ]
    values = {f"iP[{level / 100:.2f}]": curve[level] for level in (0, 1, 5, 10)}
    values["iMAP"] = sum(curve) / 101
    last_recall = recalls[-1] if recalls else Fraction(0)
    last_precision = precisions[-1] if precisions else Fraction(0)
    values["charMAP"] = mean([p for p, adds in zip(precisions, adding, strict=True) if adds]) * last_recall
    for rank in cutoffs:
        values[f"P[{rank}]"] = precisions[:rank][-1] if precisions else Fraction(0)
        values[f"R[{rank}]"] = recalls[:rank][-1] if recalls else Fraction(0)
    values |= hixeval(shares, recalls, adding, cutoffs)
    values |= precision_recall_f1("char", last_precision, last_recall)
    retrieved = {document for document, _, _ in results}
    relevant = {document for document, _ in wanted}
    article_precision = divided(len(retrieved & relevant), len(retrieved))
    values |= precision_recall_f1("art", article_precision, divided(len(retrieved & relevant), len(relevant)))
    found = [document in relevant for document in ranked_documents(results)]
    values["artMAP"] = average_precision(found, len(relevant))
    return values, curve


def hixeval(shares, recalls, adding, cutoffs):
    values = {}
    for rank in cutoffs:
        precision, recall = sum(shares[:rank], Fraction(0)) / rank, recalls[:rank][-1] if recalls else Fraction(0)
        f1 = 2 * precision * recall / (precision + recall) if precision + recall else Fraction(0)
        values |= {f"hixP@{rank}": precision, f"hixR@{rank}": recall, f"hixF@{rank}": f1}
    at_relevant = [sum(shares[: place + 1]) / (place + 1) for place, adds in enumerate(adding) if adds]
    values["hixMAP"] = mean(at_relevant) * (recalls[-1] if recalls else Fraction(0))
    return values


def precision_recall_f1(prefix, precision, recall):
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else Fraction(0)
    return {f"{prefix}P": precision, f"{prefix}R": recall, f"{prefix}F1": f1}


def average_precision(relevant, relevant_count):
    precisions = [Fraction(sum(relevant[: rank + 1]), rank + 1) for rank, flag in enumerate(relevant) if flag]
    return divided(sum(precisions), relevant_count)


def ranked_documents(results):
    return list(dict.fromkeys(document for document, _, _ in results))


def retrieved_from(results, document):
    return {
        place
        for name, offset, length in results
        if name == document and offset is not None
        for place in range(offset, offset + length)
    }


def f_score(judged_documents, results, document, *, beta=1, unmapped_size=0):
    wanted, got = document_text(judged_documents, document), retrieved_from(results, document)
    lost = sum(name == document and offset is None for name, offset, _ in results)
    precision = divided(len(wanted & got), len(got) + lost * unmapped_size)
    recall = divided(len(wanted & got), len(wanted))
    square = Fraction(beta) ** 2
    bottom = square * precision + recall
    return (1 + square) * precision * recall / bottom if bottom else Fraction(0)


def t2i_score(judged_documents, results, document, *, tolerance=300):
    wanted = document_text(judged_documents, document)
    if not wanted:
        return Fraction(0)
    order = [
        place
        for name, offset, length in results
        if name == document and offset is not None
        for place in range(offset, offset + length)
    ]
    order += range(max(judged_documents[document].length, max(wanted) + 1))
    relevant = irrelevant = 0
    for place in dict.fromkeys(order):
        relevant += place in wanted
        irrelevant += place not in wanted
        if irrelevant == tolerance:
            break
    return divided(relevant, relevant + irrelevant)


def entry_score(judged_documents, results, document, *, formula="ratio", A=Fraction(1, 10), n=1000):  # noqa: N803
    judged = judged_documents.get(document)
    offset = next(offset for name, offset, _ in results if name == document)
    if judged is None or not document_text(judged_documents, document) or judged.entry == UNKNOWN or offset is None:
        return Fraction(0)
    distance = abs(offset - judged.entry)
    if formula == "linear":
        return max(Fraction(n - distance, n), Fraction(0))
    room = A * max(judged.length, 0)
    return room / (room + distance) if room + distance else Fraction(0)


def in_context(judged_documents, results, score, *, cutoffs=(5, 10, 25, 50), past_end="divide", weight="contained"):
    documents = ranked_documents(results)
    scores = [score(document) for document in documents]
    relevant_documents = {document for document, _ in topic_text(judged_documents)}
    relevant = [document in relevant_documents for document in documents]
    sums = [sum(scores[: rank + 1]) for rank in range(len(scores))]
    gp = [total / (rank + 1) for rank, total in enumerate(sums)]
    wanted = topic_text(judged_documents)
    weights = [
        len(document_text(judged_documents, document))
        if weight == "contained"
        else len(document_text(judged_documents, document) & retrieved_from(results, document))
        for document in documents
    ]

    def at(rank):
        if not scores:
            return Fraction(0)
        return sum(scores[:rank]) / (rank if past_end == "divide" else min(rank, len(scores)))

    values = {f"gP[{rank}]": at(rank) for rank in cutoffs}
    values |= {f"gR[{rank}]": divided(sum(relevant[:rank]), len(relevant_documents)) for rank in cutoffs}
    values |= {f"gR'[{rank}]": divided(sum(weights[:rank]), len(wanted)) for rank in cutoffs}
    at_relevant = [value for value, flag in zip(gp, relevant, strict=True) if flag]
    values["MAgP"] = divided(sum(at_relevant), len(relevant_documents))
    values["MAgP'"] = sum((value * part for value, part in zip(gp, weights, strict=True)), Fraction(0)) / len(wanted)
    values["MAgP'(8)"] = divided(sum(weights), len(wanted)) * mean(at_relevant)
    values["MAP"] = average_precision(relevant, len(relevant_documents))
    return values, [at(rank) for rank in range(1, 51)]
