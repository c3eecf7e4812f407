"""The compare page: two to six runs of a board as a person may see them, and what is left out for that person."""

from dataclasses import dataclass, field, replace

import numpy as np

from evaluation.models import Edition
from evaluation.services.board_asked import ALL, Asked
from evaluation.services.boards import build_board
from evaluation.services.columns import all_measures_of
from evaluation.services.comparing.asked import AskedRuns, quoted
from evaluation.services.comparing.closer import Closer, Pair, closer_look, look_at_topic, pair_of
from evaluation.services.comparing.runs import ChosenRuns, chosen_runs, known_codes, vectors, why_not_compared
from evaluation.services.comparing.topics import topic_differences
from evaluation.services.comparing.verdicts import Verdicts, verdicts
from evaluation.services.public_runs import when_shown
from limelight.analysis.statistics.paired import MOST_COMPARED
from limelight.measures.measure import Measure

DIFFERENT = "What the difference is made of, and where the runs find different text"


@dataclass(frozen=True, slots=True, eq=False)
class TopicLook:
    """One topic of a comparison: what each run scores on it, and what the pair's difference there is made of."""

    number: str
    title: str
    values: list
    closer: Closer | None = None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ComparePage:
    """What the page shows; without `chosen` runs, `why_not` says why, and `choices` are the runs to tick.

    `pair` is looked at closely. `missing` says what is left out for this person, and from when on it is shown.
    """

    edition: Edition
    board: object
    asked: AskedRuns
    measure: Measure
    problems: list
    why_not: str = ""
    chosen: ChosenRuns | None = None
    verdicts: Verdicts | None = None
    topics: list = field(default_factory=list)
    pair: Pair | None = None
    closer: Closer | None = None
    topic: TopicLook | None = None
    missing: list = field(default_factory=list)

    @property
    def choices(self):
        """The runs to tick, each with whether it was asked for: those first."""
        lines = [line for line in self.board.all_lines if line.value is not None]
        return sorted(((line, line.code in self.asked.codes) for line in lines), key=lambda choice: not choice[1])

    @property
    def title(self):
        """What the page is called."""
        if self.chosen is None:
            return "Compare runs"
        *most, last = [run.label for run in self._in_order]
        return f"{', '.join(most)} and {last}"

    @property
    def heading(self):
        """The runs as the heading names them, the better of two first."""
        return self._in_order

    @property
    def pair_verdict(self):
        """What is said of the pair, where more than two runs are compared."""
        return next(verdict for verdict in self.verdicts.pairs if set(verdict.codes) == set(self.pair.codes))

    @property
    def table(self):
        """The topics with the scores of all runs, those first on which they are farthest apart."""
        values = self.chosen.values
        order = sorted(range(values.shape[1]), key=lambda place: -np.ptp(values[:, place]))
        titles = {topic.number: topic.title for topic in self.topics[0].topics}
        numbers = self.edition.topic_numbers
        return [
            TopicLook(
                numbers[place],
                titles[numbers[place]],
                list(zip(self.chosen.runs, values[:, place].tolist(), strict=True)),
            )
            for place in order
        ]

    @property
    def _in_order(self):
        return [self.pair.one, self.pair.other] if len(self.chosen.runs) == 2 else self.chosen.runs


def compare_page(edition, view, asked, titles):
    """Lay out a comparison of runs; None where a person sees no run at all. `titles` names the topics one may read."""
    board = build_board(edition, view, Asked(show=ALL))
    if not board.all_lines:
        return None
    codes, problems = known_codes(board, asked)
    values_of = vectors(edition, codes)
    if len(codes) <= MOST_COMPARED:  # one may have left the board just now
        codes = tuple(code for code in codes if code in values_of)
    asked = replace(asked, codes=codes)
    measure = all_measures_of(edition)[0]
    about = {"edition": edition, "board": board, "measure": measure}
    if why_not := why_not_compared(board, codes):
        return ComparePage(**about, asked=asked, problems=[*asked.problems, *problems], why_not=why_not)
    chosen, about_reference = chosen_runs(board, asked, values_of)
    pair, about_pair = pair_of(chosen, asked)
    topic, about_topic = _topic(edition, asked)
    is_open = all(view.shows_steps_of(run.run) for run in (pair.one, pair.other))
    return ComparePage(
        **about,
        asked=asked,
        problems=[*asked.problems, *problems, *about_reference, *about_pair, *about_topic],
        chosen=chosen,
        verdicts=verdicts(chosen, asked.test),
        topics=topic_differences(chosen, measure, titles),
        pair=pair,
        closer=closer_look(edition, pair) if is_open else None,
        topic=_look(chosen, pair, topic, titles, is_open=is_open) if topic else None,
        missing=_missing(edition.task, view, chosen, pair),
    )


def _topic(edition, asked):
    if not asked.topic or asked.topic in edition.topic_numbers:
        return asked.topic, []
    return "", [f"Topic {quoted([asked.topic])} does not count on this board."]


def _look(chosen, pair, number, titles, *, is_open):
    place = chosen.edition.topic_numbers.index(number)
    values = [(run, float(run.values[place])) for run in chosen.runs]
    closer = look_at_topic(chosen.edition, pair, number) if is_open else None
    return TopicLook(number, titles.get(number, ""), values, closer)


def _missing(task, view, chosen, pair):
    """Say what the page leaves out for this person, and from when on it is shown."""
    parts = []
    if not view.ranks:
        parts.append(("How other teams’ runs do", task.other_scores_visible))
    if not all(view.names_run(run.run) for run in chosen.runs):
        parts.append(("The names of the runs and their teams", task.names_visible))
    two = [pair.one.run, pair.other.run]
    if not all(map(view.shows_results_of, two)):
        parts.append((DIFFERENT, task.runs_visible))
    elif not all(map(view.shows_steps_of, two)):
        parts.append((DIFFERENT, task.assessments_visible))
    return [(what, when_shown(task, switch)) for what, switch in parts]
