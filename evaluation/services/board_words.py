"""What a board says in words: the answer first, in a sentence, and below the table how it was found."""

from evaluation.models import Analysis
from limelight.analysis.ranking import TIE
from limelight.wording import counted, in_words, several

LATER = "Runs were submitted after scores were visible: ranges describe these topics only."


def answer(board):
    """Return who leads and whether that can be told from chance, as (what is marked, the rest); None without ranks."""
    ranked = sorted(
        (line for line in board.all_lines if line.place is not None and line.value is not None),
        key=lambda line: (line.place, line.code),
    )
    if board.ranges is None or not ranked:
        return None
    if len(ranked) == 1:
        return _score(ranked[0]), "One run so far."
    if not board.ranges.are_told:
        return _highest(ranked, board.measure), board.ranges.why_not
    leading = [line for line in ranked if line.is_leading]
    ranges = board.ranges
    among = _among(ranges)
    differences = (
        f"Differences below {ranges.critical:.3f} cannot be told from chance ({counted(ranges.topic_count, 'topic')})."
    )
    if len(leading) == 1:
        ahead = f"{leading[0].value:.3f}, above all {in_words(ranges.run_count - 1)} others"
        return f"{leading[0].name} leads{among}", f": {ahead}. {differences}"
    if leading[0].value - leading[-1].value <= TIE and len(leading) == len(ranked):
        return f"All {in_words(len(leading))} runs score the same", f": {leading[0].value:.3f}."
    ends = f": {_score(leading[0])} … {_score(leading[-1])}. {differences}"
    return f"{_share(len(leading), ranges)} share the lead{among}", ends


def standing(line, ranges):
    """Return which places a run may truly hold, as (what is said, how it was found); nothing where nobody knows."""
    if not ranges.are_told:
        return ranges.why_not, ""
    if line.range is None:
        late = "It was submitted after its team could see scores: it is not tested among the others."
        return (late if line.is_after_scores else ""), ""
    first, last = line.range
    tested = f"{ranges.method}, 5 %, tested among {counted(ranges.run_count, ranges.noun)}."
    if ranges.has_later:
        tested += f" {LATER}"
    if first == last:
        return f"The topics tell it apart from every other run{_among(ranges)}.", tested
    lead = ": it is in the leading group" if line.is_leading else ""
    return f"Its true rank may be anywhere from {first} to {last}{_among(ranges)}{lead}.", tested


def _among(ranges):
    if ranges.family != Analysis.Family.CLEAN:
        return ""
    return f" among the {in_words(ranges.run_count)} runs submitted before their teams could see scores"


def _share(count, ranges):
    """Write how many runs of the family share the lead.

    >>> from types import SimpleNamespace
    >>> _share(5, SimpleNamespace(run_count=10, noun="run")), _share(3, SimpleNamespace(run_count=3, noun="run"))
    ('Five of ten runs', 'All three runs')
    """
    all_of_them = f"{in_words(ranges.run_count)} {several(ranges.noun)}"
    return f"All {all_of_them}" if count == ranges.run_count else f"{in_words(count).capitalize()} of {all_of_them}"


def _score(line):
    return f"{line.name} {line.value:.3f}"


def _highest(ranked, measure):
    """Name whoever has the highest score, without a claim that it is the best."""
    tied = [line for line in ranked if line.place == 1]
    if len(tied) > 1:
        return f"{in_words(len(tied)).capitalize()} runs have the highest {measure}, {tied[0].value:.3f}."
    return f"{tied[0].name} has the highest {measure}, {tied[0].value:.3f}."


def account(board):
    """Return the sentences under the table: by what runs are ranked, and how differences were tested."""
    if board.ranges is None:
        return []
    tested = _tested(board.ranges) if board.ranges.are_told else [board.ranges.why_not]
    return [*_ranked(board), *tested]


def caption(board):
    """Return what stands over the table in a paper: the answer, and how ranks and ranges were found."""
    told = answer(board)
    first = f"{told[0]}{told[1] if told[1].startswith(':') else f' {told[1]}'}" if told else ""
    if board.ranges is None or not board.ranges.are_told:
        return " ".join([first, *account(board)]).strip()
    ranges = f"Ranges are the places that a run may hold {_test(board.ranges)}."
    return " ".join([first, *_ranked(board), ranges, *_limits(board.ranges)])


def _ranked(board):
    """Say by what runs are ranked, and whether that is what the task is ranked by."""
    ranges, edition = board.ranges, board.edition
    sentences = [f"Ranks by {ranges.measure} over {counted(ranges.topic_count, 'topic')}; equal scores share a rank."]
    if ranges.measure != edition.official_measure:
        measures = len(board.evaluator.measures_under(edition.profile, edition.parameters))
        among = f"{ranges.measure}, one of {measures} measures"
        sentences.insert(0, f"Exploratory: {among}; the task is ranked by {edition.official_measure}.")
    return sentences


def _tested(ranges):
    below = f"differences below {ranges.critical:.3f} cannot be told from chance here."
    differ = f"Runs whose whiskers do not meet differ {_test(ranges)}; {below}"
    return [differ, "Small figures: the places a run may hold.", *_limits(ranges)]


def _test(ranges):
    return f"({ranges.method}, 5 %, tested among {counted(ranges.run_count, ranges.noun)})"


def _limits(ranges):
    return [LATER] if ranges.has_later else []
