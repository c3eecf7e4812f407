"""Two of the compared runs looked at closely: what their difference is made of, over all topics or on one."""

from dataclasses import dataclass

from evaluation.models import Difference, Edition, Evaluation
from evaluation.services.comparing.asked import quoted
from evaluation.services.comparing.parts import ToldParts, told_parts
from evaluation.services.comparing.runs import ChosenRun
from evaluation.services.comparing.texts import ToldTexts, told_texts
from evaluation.services.differences import difference_of, told_by
from evaluation.services.ranked_lists import ALIKE, NOT_PLACED, topic_columns
from limelight.analysis.parts.difference import why_no_parts
from limelight.analysis.ranking import TIE

COMPUTING = "This is being computed."
ON_REQUEST = "Nobody has asked for this pair yet: all topics are computed on request."
BUILDING = "An edition that is being built is compared when it is live."
OTHER_ENGINE = "The board was scored by another engine; these parts are by engine {engine} and add up to its scores."


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """The two runs that are looked at closely, the one with the higher mean first."""

    one: ChosenRun
    other: ChosenRun

    @property
    def labels(self):
        """What sentences call the two."""
        return self.one.label, self.other.label

    @property
    def codes(self):
        """The codes of the two."""
        return self.one.code, self.other.code


@dataclass(frozen=True, slots=True, eq=False)
class Closer:
    """What is told of a pair; else `why_not` is a sentence, and somebody may ask for it or has to wait.

    `why_no_parts` says why the kind of task has no parts, where only texts are told.
    """

    parts: ToldParts | None = None
    texts: ToldTexts | None = None
    why_not: str = ""
    why_no_parts: str = ""
    is_waiting: bool = False
    may_be_asked: bool = False
    notice: str = ""
    test: str = ""


def pair_of(chosen, asked):
    """Return the pair that is looked at closely: the reference and the asked run, or else the first of the others."""
    other, problems = chosen.by_code(asked.other), []
    if asked.other and (other is None or other is chosen.reference):
        problems.append(f"{quoted([asked.other])} is not one of the runs to look at beside the reference.")
        other = None
    reference, other = chosen.reference, other or chosen.others[0]
    leads = other.values.mean() >= reference.values.mean() - TIE
    return (Pair(other, reference) if leads else Pair(reference, other)), problems


def closer_look(edition, pair):
    """Return what was computed of a pair over all topics, or why there is nothing yet."""
    row = Difference.objects.between(*(Evaluation(pk=run.key) for run in (pair.one, pair.other))).first()
    if row is None:
        is_built = edition.state != Edition.State.BUILDING
        return Closer(why_not=ON_REQUEST if is_built else BUILDING, may_be_asked=is_built)
    if row.state == Difference.State.FAILED:
        sentence = f"This could not be computed (ref. {row.failure_reference}). The fault is ours."
        return Closer(why_not=sentence, may_be_asked=True)
    if row.state != Difference.State.DONE:
        return Closer(why_not=COMPUTING, is_waiting=True)
    found = told_by(row, edition)
    return _told(edition, pair, found if row.one_id == pair.one.key else found.turned())


def look_at_topic(edition, pair, topic):
    """Compute what the difference of a pair is made of on one topic: two mapped runs, and a few milliseconds."""
    evaluations = Evaluation.objects.select_related("run__team").in_bulk([pair.one.key, pair.other.key])
    columns = []
    for run in (pair.one, pair.other):
        evaluation = evaluations[run.key]
        evaluation.edition, evaluation.run.task = edition, edition.task
        placed, is_placed = topic_columns(evaluation.run, evaluation, topic)
        if not is_placed:
            return Closer(why_not=NOT_PLACED)
        columns.append(placed)
    return _told(edition, pair, difference_of(edition, columns, topic), topic)


def _told(edition, pair, found, topic=""):
    notice = _notice(edition, pair, found, topic) if found.parts is not None else ""
    return Closer(
        parts=found.parts and told_parts(found.parts, pair.one, pair.other),
        texts=told_texts(edition, found, pair.one, pair.other),
        why_no_parts=why_no_parts(edition.task.kind),
        notice=notice,
    )


def _notice(edition, pair, found, topic):
    """Say that the board was scored by an engine that gave other numbers, where it was."""
    ends = found.parts.scores[0, 0, 0], found.parts.scores[1, 1, 1]
    places = [edition.topic_numbers.index(topic)] if topic else slice(None)
    stored = pair.one.values[places], pair.other.values[places]
    alike = all(abs(kept - end).max(initial=0.0) <= ALIKE for kept, end in zip(stored, ends, strict=True))
    return "" if alike else OTHER_ENGINE.format(engine=found.engine)
