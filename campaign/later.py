"""What the campaign asks of later apps: they say at the start who answers, so that it need not know them."""

from dataclasses import dataclass

from limelight.formats.assessments.columns import CHARACTERS


class Question:
    """Something that only a later app knows; without one, what is so where there is none."""

    def __init__(self, otherwise):
        self.otherwise, self.answer = otherwise, None

    def answered_by(self, answer):
        """Say who answers, once, at the start."""
        self.answer = answer

    def __call__(self, *about):
        return self.otherwise if self.answer is None else self.answer(*about)


@dataclass(frozen=True, slots=True)
class Boards:
    """How a task stands with boards: has it had any, does one take runs, is one live."""

    are_there: bool = False
    take_runs: bool = False
    are_live: bool = False


boards_of = Question(otherwise=Boards())
"""About a task: its boards."""

axis_of = Question(otherwise=CHARACTERS)
"""About a task: the axis that its boards are measured on."""

has_assessments = Question(otherwise=False)
"""About a track: whether it has a version of the assessments."""

assessed_lengths = Question(otherwise=None)
"""About a track: the lengths of documents that its newest assessments tell, by identifier."""

judged_documents = Question(otherwise={})
"""About a collection and some documents: how many of them assessments refer to, by the name of the track."""

topics_in_use = Question(otherwise=())
"""About some topics: the numbers of those that assessments or pools refer to."""
