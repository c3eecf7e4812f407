"""Hybrids and parts straight from their definitions, a list and an order of exchange at a time."""

from fractions import Fraction
from itertools import permutations

SIDES = (0, 1)


def documents_of(results):
    return list(dict.fromkeys(result[0] for result in results))


def in_context_hybrid(runs, documents, order, text):
    """Fill the places of shared documents in the order of a run; results are (document, offset, length)."""
    shared = set(documents_of(runs[0])) & set(documents_of(runs[1]))
    in_order = iter([document for document in documents_of(runs[order]) if document in shared])
    ranked = [next(in_order) if document in shared else document for document in documents_of(runs[documents])]
    return [
        result
        for document in ranked
        for result in runs[text if document in shared else documents]
        if result[0] == document
    ]


def overlap(one, other):
    if one[0] != other[0] or one[1] is None or other[1] is None:
        return False
    return min(one[1] + one[2], other[1] + other[2]) > max(one[1], other[1])


def focused_hybrid(runs, documents, order, text):
    """Sort a run's results in shared documents by the first results of another that overlap them; the others stay."""
    shared = set(documents_of(runs[0])) & set(documents_of(runs[1]))
    inside = [result for result in runs[text] if result[0] in shared]

    def place(result):
        overlapping = [rank for rank, other in enumerate(runs[order]) if overlap(result, other)]
        last = max(rank for rank, other in enumerate(runs[order]) if other[0] == result[0])
        return (overlapping[0], 0) if overlapping else (last, 1)

    ordered = inside if order == text else sorted(inside, key=place)
    held = sum(result[0] in shared for result in runs[documents])
    hybrid, passed, taken = [], 0, 0
    for result in runs[documents]:
        if result[0] in shared:
            passed += 1
            continue
        wanted = passed * len(ordered) // held if held else 0
        hybrid += [*ordered[taken:wanted], result]
        taken = wanted
    return hybrid + ordered[taken:]


def parts_by_orders(value, ingredients, together=()):
    """Average the steps of each ingredient over all orders of exchange in which some stand side by side.

    `value` tells the score of the hybrid that takes a set of ingredients from the first run.
    """
    steps = {ingredient: [] for ingredient in ingredients}
    for order in permutations(ingredients):
        if together and abs(order.index(together[0]) - order.index(together[1])) != 1:
            continue
        taken = frozenset()
        for ingredient in order:
            steps[ingredient].append(value(taken | {ingredient}) - value(taken))
            taken |= {ingredient}
    return {name: (sum(found) / len(found), min(found), max(found)) for name, found in steps.items()}


def f_score(highlighted, other, contained, beta=1):
    """F = (1 + b^2) h / (b^2 Trel(d) + h + w)."""
    square = Fraction(beta) ** 2
    below = square * contained + highlighted + other
    return (1 + square) * highlighted / below if below else Fraction(0)


def average_generalised_precision(scores, relevant, relevant_count):
    """AgP of one list: gP at the ranks of relevant documents, over their number."""
    total, found = Fraction(0), Fraction(0)
    for rank, (score, is_relevant) in enumerate(zip(scores, relevant, strict=True), start=1):
        found += score
        total += found / rank if is_relevant else 0
    return total / relevant_count
