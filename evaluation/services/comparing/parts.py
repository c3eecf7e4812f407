"""What the difference between two runs is made of, as a page tells it: bars with intervals, and topic by topic."""

from dataclasses import dataclass

from limelight.analysis.parts.difference import DifferenceParts
from limelight.analysis.parts.sentences import DEPENDING, parts_sentence
from limelight.figures.diverging import Scale, part_svg, signed, stack_ends, stack_svg

SHOWN_TOPICS = 10
"""So many topics are shown before the others are folded away."""


@dataclass(frozen=True, slots=True)
class PartLine:
    """A part of the mean difference: printed so that the parts add up, with its interval and its steps in words."""

    label: str
    value: float
    interval: str
    steps: str
    drawing: str
    is_half: bool = False


@dataclass(frozen=True, slots=True)
class TopicLine:
    """A topic: what the two runs score, by code, how much they differ, and the parts, printed so that they add up."""

    number: str
    scores: tuple
    difference: float
    parts: tuple
    drawing: str


@dataclass(frozen=True, slots=True, eq=False)
class ToldParts:
    """What one run minus another is made of, ready to be written."""

    sentence: str
    labels: tuple
    lines: tuple
    topics: tuple
    depending: str = DEPENDING

    @property
    def first(self):
        """The topics that are shown at once."""
        return self.topics[:SHOWN_TOPICS]

    @property
    def further(self):
        """The topics that are folded away."""
        return self.topics[SHOWN_TOPICS:]


def told_parts(parts: DifferenceParts, one, other):
    """Lay out what a run minus another is made of, in the mean and topic by topic."""
    return ToldParts(
        sentence=parts_sentence(parts, one.label, other.label),
        labels=tuple(part.label for part in parts.parts),
        lines=tuple(_lines(parts)),
        topics=tuple(_topics(parts, (one.code, other.code))),
    )


def _lines(parts):
    rounded, halves = parts.rounded(), parts.halves
    drawn = [*parts.parts, *halves]
    ends = [value for part in drawn for value in (*part.mean.interval(), *part.mean_range, part.mean.mean)]
    scale = Scale.over(ends)
    for part in drawn:
        interval, steps, has_interval = part.mean.interval(), part.mean_range, part.mean.topic_count > 1
        yield PartLine(
            label=part.label,
            value=rounded[part.name],
            interval=_between(interval) if has_interval else "",
            steps=_between(steps),
            drawing=part_svg(part.mean.mean, interval, steps, scale, may_be_none=has_interval and part.may_be_none()),
            is_half=part in halves,
        )


def _topics(parts, codes):
    whole = parts.parts
    values = [tuple(float(part.topic_values[place]) for part in whole) for place in range(len(parts.topics))]
    scale = Scale.over(end for topic in values for end in stack_ends(topic))
    ends = parts.scores[0, 0, 0], parts.scores[1, 1, 1]
    for place in parts.largest_first:
        rounded = parts.rounded_topic(place)
        yield TopicLine(
            number=parts.topics[place],
            scores=tuple((code, float(end[place])) for code, end in zip(codes, ends, strict=True)),
            difference=rounded["difference"],
            parts=tuple((part.label, rounded[part.name]) for part in whole),
            drawing=stack_svg(values[place], scale),
        )


def _between(ends):
    low, high = (signed(end, 4) for end in ends)
    return f"{low} to {high}" if low != high else f"always {low}"
