"""What a run returns for a topic, as a person may see it: an account with steps, or documents and places alone."""

from dataclasses import dataclass, fields

from campaign.machinery.storage import Damaged
from campaign.services.documents.collections import document_lengths
from campaign.services.documents.files import load_document
from campaign.services.runs.check_results import load_columns
from campaign.services.visibility.pseudonyms import pseudonyms_of
from evaluation.models import Edition, Evaluation, Score
from evaluation.services.board_lines import shown_names
from evaluation.services.commands import score_command
from evaluation.services.findings import findings_of
from evaluation.services.material import compiled_judgements, is_of_documents
from evaluation.services.run_addresses import overlay_address
from limelight.analysis.account import Account, Line, UncountedTopic, account, listing, of_topic
from limelight.figures.tapes import Tape, tape
from limelight.formats.assessments.columns import CHARACTERS
from limelight.scoring.evaluators import ENGINE_VERSION
from limelight.wording import one_line, shortened

LINES_A_PAGE = 50
SNIPPET = 70
ALIKE = 1e-9
"""By how much the score of a board and that of its account may differ before the page says so."""

UNCOUNTED = "Nothing is relevant to topic {topic} in these assessments, so it counts for no score."
HIDDEN_SCORE = "Documents, places and sizes only: the score of this run is not shown yet."
HIDDEN_ASSESSMENTS = "Documents, places and sizes only: the assessments are not open."
NOT_SCORED = "Documents, places and sizes only: the run has no score yet."
NOT_PLACED = "Where the elements of this run lie in the text is being computed; sizes and steps follow."
OTHER_ENGINE = "The board was scored by engine {old} and says {score:.4f}; this account is by engine {new}."


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedList:
    """All lines of a run for a topic; `account` is None where steps are not shown, and `notice` says why.

    `is_scored` says that the edition has a score of the run, whoever may see it; `command` are the words that compute
    the topic's score at home, where the files that they take may be had.
    """

    run: object
    name: str
    team: str
    edition: object
    is_scored: bool
    topic: str
    lines: tuple
    account: Account | None
    notice: str = ""
    command: str = ""

    @property
    def traits(self):
        """The kind of the task."""
        return self.run.task.traits

    @property
    def is_of_older_edition(self):
        """Whether the board has gone on since."""
        return self.edition is not None and self.edition.state == Edition.State.SUPERSEDED

    @property
    def noun(self):
        """What a line is: a result, or a document with all its results."""
        return "document" if self.traits.in_context or not self.traits.has_places else "result"

    @property
    def has_grades(self):
        """Whether assessors graded whole documents."""
        return any(line.grade is not None for line in self.lines)

    @property
    def columns_between(self):
        """How many columns stand between a line's rank and its step."""
        traits = self.traits
        columns = (traits.has_places, 2 * traits.needs_text, traits.returns_points, traits.in_context, self.has_grades)
        return 3 + sum(columns)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownLine:
    """A line with what a page shows of its document."""

    line: Line
    title: str
    address: str
    snippet: str
    tape: Tape | None


def ranked_list(run, topic, view, edition=None):
    """Return what a run returns for a topic as a person may see it in an edition; None where that is nothing.

    Without the assessments it is documents, places and sizes, made without opening them: nothing in it depends on a
    judgement.
    """
    if not view.shows_results_of(run):
        return None
    evaluation = _evaluation_of(run, edition)
    columns, is_placed = topic_columns(run, evaluation, topic)
    told, notice = None, _why_no_steps(run, view, evaluation, is_placed=is_placed)
    if not notice:
        told, notice = _account_of(evaluation, columns, topic)
    name, team = shown_names(run, view, {} if view.names_run(run) else pseudonyms_of(run.task))
    return RankedList(
        run=run,
        name=name,
        team=team,
        edition=edition,
        is_scored=evaluation is not None,
        topic=topic,
        lines=told.lines if told else _listing_of(run, edition, columns, topic),
        account=told,
        notice=notice,
        command=_command(run, edition) if told and view.shows_file_of(run) else "",
    )


def _command(run, edition):
    return score_command(edition, run, [edition.official_measure], "--per-topic")


def _evaluation_of(run, edition):
    if edition is None:
        return None
    chosen = Evaluation.objects.on_board().filter(run=run, edition=edition).first()
    if chosen is not None:
        chosen.run, chosen.edition = run, edition
    return chosen


def _why_no_steps(run, view, evaluation, *, is_placed):
    if not view.shows(run):
        return HIDDEN_SCORE
    if not view.shows_steps_of(run):
        return HIDDEN_ASSESSMENTS
    if evaluation is None:
        return NOT_SCORED
    return "" if is_placed else NOT_PLACED


def topic_columns(run, evaluation, topic):
    """Return a topic's results as they lie on text, and whether that is known: of elements it is found in scoring."""
    columns = load_columns(run)
    findings = _whole_findings(evaluation) if len(columns.paths) else None
    if findings is not None:
        columns = findings.laid(columns)
    return of_topic(columns, topic), findings is not None or not len(columns.paths)


def _whole_findings(evaluation):
    try:
        return findings_of(evaluation) if evaluation else None
    except Damaged:  # verify_files tells of it, and makes it again
        return None


def _account_of(evaluation, columns, topic):
    edition, assessment_set = evaluation.edition, evaluation.edition.assessment_set
    try:
        told = account(
            edition.task.kind,
            compiled_judgements(assessment_set.columns_file, assessment_set.content),
            columns,
            topic,
            profile=edition.profile,
            parameters=edition.parameters,
            measure=edition.official_measure,
            document_lengths=_lengths(columns, edition.collection),
        )
    except UncountedTopic:
        return None, UNCOUNTED.format(topic=topic)
    return told, _difference(evaluation, told)


def _difference(evaluation, told):
    """Say that a board was scored by an engine that gave another number, where it was."""
    edition = evaluation.edition
    values = Score.objects.filter(evaluation=evaluation, measure=edition.official_measure).values_list("topic_values")
    stored = values.get()[0][edition.topic_numbers.index(told.topic)]
    if abs(stored - told.score) <= ALIKE:
        return ""
    return OTHER_ENGINE.format(old=evaluation.engine_version, score=stored, new=ENGINE_VERSION)


def _listing_of(run, edition, columns, topic):
    settings = {"profile": edition.profile, "parameters": edition.parameters} if edition else {}
    collection = edition.collection if edition else run.task.track.collection
    return listing(run.task.kind, columns, topic, document_lengths=_lengths(columns, collection), **settings)


def _lengths(columns, collection):
    return document_lengths(collection, columns.documents) if is_of_documents(columns) else None


def shown_lines(ranked, lines, collection, *, reads_text):
    """Return lines with titles, tapes and beginnings of their texts; without the last where text may not be read."""
    names = {line.document for line in lines}
    rows = {row.identifier: row for row in collection.documents.filter(identifier__in=names)} if collection else {}
    return [_shown(ranked, line, rows.get(line.document), reads_text=reads_text) for line in lines]


def _shown(ranked, line, row, *, reads_text):
    on_characters = ranked.edition is None or ranked.edition.axis == CHARACTERS
    reads = reads_text and row is not None
    return ShownLine(
        line=line,
        title=row.title if reads else "",
        address=_address(ranked, line),
        snippet=_snippet(line, row.text_file) if reads and on_characters else "",
        tape=_tape(ranked, line, row.length if row is not None and on_characters else None),
    )


def _address(ranked, line):
    """Return where the document is shown as this run returns it, at the result that is meant."""
    address = overlay_address(ranked.run.task, ranked.run.code, ranked.topic, line.document, ranked.edition)
    if not address or not ranked.traits.has_places:
        return address
    return f"{address}#r{line.rank}" if len(line.places) == 1 else f"{address}#r{line.rank}.1"


def _snippet(line, text_file):
    place = line.places[0]
    if not text_file or place.offset is None:
        return ""
    length = min(place.length, 4 * SNIPPET) or 4 * SNIPPET
    return shortened(one_line(load_document(text_file).text[place.offset : place.offset + length]), SNIPPET)


def _tape(ranked, line, length):
    """Lay a line on its document, as long as the collection says, or else the assessments where they may be seen."""
    traits, told = ranked.traits, ranked.account
    spans = [(place.offset, place.length) for place in line.places if place.offset is not None]
    if not traits.has_places or not spans:
        return None
    highlighted, entry_point = _judged(ranked, line) if told else ((), None)
    point = spans[0][0] if traits.returns_points else None
    if length is None and told is None:
        return None
    shown = () if traits.returns_points else spans
    return tape(length or 0, shown, highlighted, point=point, entry_point=entry_point)


def _judged(ranked, line):
    assessment_set = ranked.edition.assessment_set
    highlights = compiled_judgements(assessment_set.columns_file, assessment_set.content)
    number = highlights.topics.index(ranked.topic)
    entry_point = highlights.entry_point_of(number, line.document) if ranked.traits.returns_points else None
    return highlights.passages(number, line.document), entry_point


OPEN_COLUMNS = ("rank", "document", "offset", "length", "path", "size", "new")
JUDGED_COLUMNS = tuple(
    field.name for field in fields(Line) if field.name not in (*OPEN_COLUMNS, "places", "point", "rank", "document")
)


def as_rows(ranked):
    """Return a ranked list as rows of a table, the head first: a row a line, several places with blanks between."""
    columns = JUDGED_COLUMNS if ranked.account else ()
    head = ["run", "topic", *(["measure"] if ranked.account else []), *OPEN_COLUMNS, *columns]
    begin = [ranked.name, ranked.topic, *([ranked.account.measure.topic_name] if ranked.account else [])]
    rows = ([*begin, *_open_cells(line), *(_cell(getattr(line, name)) for name in columns)] for line in ranked.lines)
    return [head, *rows]


def _open_cells(line):
    def listed(values):
        return " ".join("" if value is None else str(value) for value in values)

    return [
        line.rank,
        line.document,
        listed(place.offset for place in line.places),
        listed(place.length for place in line.places),
        listed(place.path for place in line.places),
        _cell(line.size),
        _cell(line.new),
    ]


def _cell(value):
    return {None: "", True: "yes", False: "no"}.get(value, value) if value is None or isinstance(value, bool) else value


def sums_around(ranked, first, last):
    """Return how many lines come before and after those from one to another rank, with the sums of their steps."""
    if ranked.account is None:
        return None
    before, after = ranked.lines[: max(first - 1, 0)], ranked.lines[last:]
    return {
        name: {"count": len(lines), "step": sum(line.step for line in lines)}
        for name, lines in (("before", before), ("after", after))
    }
