"""A topic's page: how runs and teams fared on it in each task, and which documents are relevant to it."""

from dataclasses import dataclass

from assessments.models import AssessmentSet, Judgement
from campaign.models import Task
from campaign.services.permissions.seeing import may_see_collection
from campaign.services.visibility.pseudonyms import pseudonyms_of
from evaluation.services.board_lines import shown_names
from evaluation.services.topic_numbers import TaskTopics, TopicNumbers, boards_of, topics_on
from evaluation.services.topic_words import fared, hidden_assessments, hidden_of
from limelight.analysis.ranking import ranks
from limelight.figures.dots import Dot, Mark, Middle, dots_svg
from limelight.wording import counted

FOLDED = 10
"""So many lines are shown at first."""

MOST_DOCUMENTS = 1_000


@dataclass(frozen=True, slots=True, eq=False)
class RunOnTopic:
    """A run's line; `place` is there where all scores are, and `is_best` marks whoever comes first."""

    place: int | None
    code: str
    name: str
    team: str
    team_slug: str
    value: float
    mean: float
    is_own: bool
    is_official: bool
    is_best: bool
    shows_list: bool


@dataclass(frozen=True, slots=True, eq=False)
class TaskSection:
    """A task's part of the page; what may not be known is None or empty, and `hidden` says what that is."""

    board: TaskTopics
    numbers: TopicNumbers | None
    fared: tuple | None
    lines: list
    folded: list
    strip: str
    hidden: list

    @property
    def task(self) -> Task:
        """Return the task."""
        return self.board.task

    @property
    def counts(self):
        """Return whether the topic counts on the board: None where that could tell what is relevant."""
        tells = self.board.view.knows_judgements or bool(self.board.scores)
        return self.numbers is not None if tells else None

    @property
    def best(self):
        """Return the runs that come first, where all scores are shown."""
        return [line for line in self.lines if line.is_best]

    @property
    def own(self):
        """Return the runs of one's own teams."""
        return [line for line in self.lines if line.is_own]

    @property
    def lists_results(self):
        """Return whether a ranked list may be looked into."""
        return any(line.shows_list for line in self.lines)


@dataclass(frozen=True, slots=True)
class RelevantDocument:
    """A document with the share of it, in per cent, that is highlighted; its page where it may be read."""

    identifier: str
    highlighted: int
    share: float | None
    grade: int | None
    title: str
    address: str


@dataclass(frozen=True, slots=True, eq=False)
class RelevantDocuments:
    """What a version of the assessments says about the topic, and which tasks it scores."""

    assessment_set: AssessmentSet
    tasks: list
    count: int
    highlighted: int | None
    documents: list


@dataclass(frozen=True, slots=True, eq=False)
class TopicPage:
    """What the page shows of a topic besides its statement; `hidden` names the tasks that hide what is relevant."""

    sections: list
    relevant: list
    hidden: list
    problems: list


def topic_page(user, track, topic, whole_task="", all_documents=False):
    """Lay out how runs fared on a topic; all lines of one task, and all documents, if they are asked for."""
    boards = boards_of(user, track)
    sections = [_section(board, topic.number, whole_task) for board in topics_on(boards)]
    known = [board for board in boards if board.view.knows_judgements]
    problems = []
    if whole_task and whole_task not in {board.task.slug for board in boards}:
        problems.append("There is no board of the task whose runs were asked for in full.")
    return TopicPage(
        sections=sections,
        relevant=_relevant(user, track, known, topic, MOST_DOCUMENTS if all_documents else FOLDED),
        hidden=hidden_assessments(list(track.tasks.all())) if boards and not known else [],
        problems=problems,
    )


def _section(board, number, whole_task):
    numbers, lines = board.topics.get(number), _lines(board, number)
    has_field = board.field is not None and board.scores and numbers is not None
    shown = lines if board.task.slug == whole_task else _folded(lines)
    return TaskSection(
        board=board,
        numbers=numbers,
        fared=fared(numbers, board.field, len(board.edition.topic_numbers)) if has_field else None,
        lines=lines,
        folded=shown,
        strip=_strip(board, numbers, lines) if board.view.ranks and lines else "",
        hidden=hidden_of(board.task, board.view),
    )


def _folded(lines):
    """Return the first lines, and one's own wherever they stand."""
    return [line for place, line in enumerate(lines) if place < FOLDED or line.is_own]


def _lines(board, number):
    """Return the runs that may be seen, from the highest value on this topic to the lowest; equals by their codes."""
    values = board.values_on(number)
    if not values:
        return []
    view = board.view
    aliases = {} if view.names else pseudonyms_of(board.task)
    places = ranks(values) if view.ranks else [None] * len(values)
    lines = [
        _line(score, value, place, view, aliases)
        for score, value, place in zip(board.scores, values, places, strict=True)
    ]
    return sorted(lines, key=lambda line: (-line.value, line.code))


def _line(score, value, place, view, aliases):
    run = score.evaluation.run
    name, team = shown_names(run, view, aliases)
    return RunOnTopic(
        place=place,
        code=run.code,
        name=name,
        team=team,
        team_slug=run.team.slug if view.names_run(run) else "",
        value=value,
        mean=score.mean,
        is_own=run.team_id in view.own_teams,
        is_official=run.is_official and view.names_run(run),
        is_best=place == 1 and value > 0,
        shows_list=view.shows_results_of(run),
    )


def _strip(board, numbers, lines):
    middle = None if numbers.median is None else Middle(numbers.low, numbers.median, numbers.high)
    dots = [Dot(line.value, f"{line.name}: {line.value:.4f}", _mark(line)) for line in lines]
    ends = f"from {lines[-1].value:.4f} to {lines[0].value:.4f}"
    label = f"{board.measure.topic_name} of {counted(len(lines), 'run')}, {ends}; the table below has the numbers."
    return dots_svg(dots, label, middle)


def _mark(line):
    if line.is_own:
        return Mark.OWN
    return Mark.BEST if line.is_best else Mark.RUN


def _relevant(user, track, boards, topic, most):
    """Return what each version of the assessments behind boards says about a topic, the newest first."""
    versions = {}
    for board in boards:
        versions.setdefault(board.edition.assessment_set, []).append(board.task)
    ordered = sorted(versions, key=lambda version: -version.version)
    rows = {version: _judged(version, topic, most) for version in ordered}
    known = _documents(user, track, {row["document"] for judged in rows.values() for row in judged})
    return [
        RelevantDocuments(
            version, versions[version], *_counts(version, topic), [_document(row, known) for row in rows[version]]
        )
        for version in ordered
    ]


def _counts(version, topic):
    """Return how many documents are relevant, and the characters that are highlighted where text is."""
    count, highlighted = version.counted_for(topic.number)
    return count, highlighted if version.content == AssessmentSet.Content.HIGHLIGHTS else None


def _judged(version, topic, most):
    """Return the relevant documents with most highlighted text, or the highest grades."""
    rows = Judgement.objects.filter(assessment_set=version, topic=topic).relevant()
    names = ("document", "highlighted", "document_length", "grade")
    return list(rows.order_by("-highlighted", "-grade", "document").values(*names)[:most])


def _documents(user, track, identifiers):
    """Return the documents of the track's collection that have these names, where a person may read them."""
    if not identifiers or track.collection is None or not may_see_collection(user, track.collection):
        return {}
    rows = track.collection.documents.filter(identifier__in=identifiers)
    return {row.identifier: row for row in rows}


def _document(judged, known):
    length, document = judged["document_length"], known.get(judged["document"])
    return RelevantDocument(
        identifier=judged["document"],
        highlighted=judged["highlighted"],
        share=round(100 * judged["highlighted"] / length, 1) if length else None,
        grade=judged["grade"],
        title=document.title if document else "",
        address=document.get_absolute_url() if document else "",
    )
