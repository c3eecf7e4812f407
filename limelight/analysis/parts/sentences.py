"""What the parts of a difference say, in the words that pages and the command line share."""

from limelight.analysis.parts.difference import DifferenceParts, ingredients_of

BOOKKEEPING = "This is bookkeeping over exchanged ingredients, not a cause."
DEPENDING = "depending on what is exchanged first"


def parts_sentence(found: DifferenceParts, one: str, other: str) -> str:
    """Say what the lead of the better of two runs is made of, and on how many documents that was seen."""
    if found.difference.mean < 0:
        found, one, other = found.turned(), other, one
    rounded = found.rounded()
    listed = ", ".join(f"{rounded[part.name]:.4f} {part.source}" for part in ingredients_of(found.kind))
    opening = f"Of the {rounded['difference']:.4f} by which {one} leads,"
    if not rounded["difference"]:
        opening = f"{one} and {other} score the same to four decimals:"
    return f"{opening} {listed}. {BOOKKEEPING} {common_sentence(found, one, other)}"


def common_sentence(found: DifferenceParts, one: str, other: str) -> str:
    """Say on which share of a run's documents text and order could be compared."""
    last = ingredients_of(found.kind)[-1].name
    what = f"{last[0].upper()}{last[1:]} and order"
    if not found.shared.sum():
        return f"{other} returns none of {one}'s documents: {last} and order cannot be compared."
    if found.share == 1:
        return f"{what} are compared on all of {one}'s documents: {other} returns them too."
    return f"{what} are compared on {_share(found.share)} of {one}'s documents that {other} returns too."


def _share(share: float) -> str:
    if share < 0.01:
        return "the less than 1 %"
    return "the more than 99 %" if share > 0.99 else f"the {100 * share:.0f} %"
