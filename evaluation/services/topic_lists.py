"""The list of a track's topics with what one task's board says about each, in the order that was asked for."""

from dataclasses import dataclass

from campaign.models import Topic
from evaluation.services.topic_numbers import TaskTopics, TopicNumbers, boards_of, topics_on
from evaluation.services.topic_words import hidden_assessments, hidden_of
from limelight.wording import shortened

COLUMNS = {
    "relevant": "relevant documents",
    "highlighted": "highlighted characters",
    "median": "median over teams",
    "spread": "quartile spread",
}
"""What topics can be sorted by besides their numbers, and what the column is called."""

NUMBER = "number"
LONGEST_TOLD = 60


@dataclass(frozen=True, slots=True)
class TopicLine:
    """One topic of the list."""

    topic: Topic
    numbers: TopicNumbers


@dataclass(frozen=True, slots=True, eq=False)
class TopicList:
    """The page: `tasks` can be chosen from, `board` is that of the chosen one, `columns` are those with numbers."""

    tasks: list
    board: TaskTopics | None
    columns: tuple
    sort: str
    is_turned: bool
    lines: list
    hidden: list
    hiding: list
    problems: list

    @property
    def has_field(self):
        """Return whether medians over teams are told."""
        return "median" in self.columns

    @property
    def lacks_teams(self):
        """Return whether all scores are shown, but of too few teams for a median."""
        return self.board is not None and bool(self.board.scores) and self.board.view.ranks and not self.has_field


def topic_list(user, track, task="", sort=""):
    """Lay out a track's topics; what was asked for and is not there is told."""
    boards, topics, problems = boards_of(user, track), list(track.topics.all()), []
    chosen = _chosen(boards, task, problems)
    board = topics_on([chosen])[0] if chosen else None
    numbers = board.topics if board else {}
    columns = tuple(name for name in COLUMNS if any(getattr(one, name) is not None for one in numbers.values()))
    sort, is_turned = _sort(sort, columns, problems)
    lines = [TopicLine(topic, numbers.get(topic.number, TopicNumbers(topic.number))) for topic in topics]
    return TopicList(
        tasks=[board.task for board in boards],
        board=board,
        columns=columns,
        sort=sort,
        is_turned=is_turned,
        lines=_in_order(lines, sort, is_turned),
        hidden=hidden_of(board.task, board.view) if board and not board.view.ranks else [],
        hiding=hidden_assessments(list(track.tasks.all())) if board and not board.view.knows_judgements else [],
        problems=problems,
    )


def _chosen(boards, task, problems):
    """Return the board of the task that was asked for, or the first one."""
    if task and task not in {board.task.slug for board in boards}:
        problems.append(f"There is no board of a task “{shortened(task, LONGEST_TOLD)}” here.")
    return next((board for board in boards if board.task.slug == task), boards[0] if boards else None)


def _sort(wanted, columns, problems):
    """Return what to sort by, and whether the other way round, which a minus in front asks for."""
    name, is_turned = (wanted[1:], True) if wanted.startswith("-") else (wanted, False)
    if name in COLUMNS and name not in columns:
        problems.append(f"Topics cannot be sorted by {COLUMNS[name]} here: these numbers are not shown.")
    elif name and name not in (NUMBER, *COLUMNS):
        choices = f"{', '.join([NUMBER, *COLUMNS][:-1])} or {list(COLUMNS)[-1]}"
        problems.append(f"Topics cannot be sorted by “{shortened(name, LONGEST_TOLD)}”; choose {choices}.")
    return (name, is_turned) if name in columns or name == NUMBER else (NUMBER, False)


def _in_order(lines, sort, is_turned):
    """Return lines sorted by a column, the highest first; topics without a number there come last."""
    if sort == NUMBER:
        return lines[::-1] if is_turned else lines
    known = [line for line in lines if getattr(line.numbers, sort) is not None]
    unknown = [line for line in lines if getattr(line.numbers, sort) is None]
    return sorted(known, key=lambda line: getattr(line.numbers, sort), reverse=not is_turned) + unknown
