"""Two runs topic by topic: by how much one is better, drawn as columns, and one topic by itself."""

from dataclasses import dataclass

from limelight.figures.diverging import Column, columns_svg, signed


@dataclass(frozen=True, slots=True)
class TopicDifference:
    """A topic on which a run scores so much, and the reference so much."""

    number: str
    title: str
    value: float
    reference: float

    @property
    def difference(self):
        """By how much the run is better."""
        return self.value - self.reference


@dataclass(frozen=True, slots=True, eq=False)
class TopicDifferences:
    """A run beside the reference: the topics from the best for it to the worst."""

    run: object
    reference: object
    topics: list
    measure: str

    @property
    def by_size(self):
        """The topics with the largest differences first."""
        return sorted(self.topics, key=lambda topic: -abs(topic.difference))

    def drawn(self, styles, address_of):
        """Draw a column a topic, in the colours of the two runs; `address_of` says where a click leads."""
        columns = [
            Column(topic.number, topic.difference, self._words(topic), address_of(topic.number))
            for topic in self.topics
        ]
        label = f"{self.measure} of {self.run.label} less that of {self.reference.label}, topic by topic"
        return columns_svg(columns, label, *(styles[run.code].hue for run in (self.run, self.reference)))

    def _words(self, topic):
        values = f"{self.run.label} {topic.value:.4f}, {self.reference.label} {topic.reference:.4f}"
        return f"Topic {topic.number}: {signed(topic.difference, 4)} ({values})"


def topic_differences(chosen, measure, titles):
    """Return each of the runs beside the reference, topic by topic."""
    numbers, reference = chosen.edition.topic_numbers, chosen.reference
    found = []
    for run in chosen.others:
        topics = [
            TopicDifference(number, titles.get(number, ""), value, beside)
            for number, value, beside in zip(numbers, run.values.tolist(), reference.values.tolist(), strict=True)
        ]
        topics.sort(key=lambda topic: -topic.difference)
        found.append(TopicDifferences(run, reference, topics, measure.topic_name))
    return found
