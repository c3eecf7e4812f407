"""Boards as files to take away: the rows that a page shows, with its sentence and what they were made from."""

from campaign.citations import citation
from evaluation.services.board_words import caption
from evaluation.services.provenance import provenance
from limelight.tables import Column, Table, table_csv, table_json, table_latex, table_markdown, trec_lines

FORMATS = {
    "csv": "CSV, all digits",
    "json": "JSON",
    "txt": "lines like trec_eval’s",
    "md": "Markdown",
    "tex": "LaTeX",
    "bib": "BibTeX",
}
"""In what a board can be taken away, by the end of the file's name."""


def file_of(board, file_format, address, read_on):
    """Return the content of a board's file in one of the formats; the address is told where it is cited."""
    writers = {
        "csv": lambda: table_csv(board_table(board)),
        "json": lambda: table_json(board_table(board)),
        "md": lambda: table_markdown(board_table(board)),
        "tex": lambda: table_latex(board_table(board)),
        "txt": lambda: _trec(board),
        "bib": lambda: f"{cited(board.edition, address, read_on).bibtex}\n",
    }
    return writers[file_format]()


def file_name(edition, file_format):
    """Return what a board's file is called."""
    return f"{_key(edition)}.{file_format}"


def cited(edition, address, read_on):
    """Return how a board is cited: task, campaign, edition, assessments and profile."""
    task, made = edition.task, provenance(edition)
    title = (
        f"{task.name}, {task.track.campaign.name}: leaderboard, edition {made.edition} "
        f"(assessments v{made.assessments_version}, profile {made.profile})"
    )
    return citation(_key(edition), title, task.track.campaign.year, address, read_on)


def _key(edition):
    made = provenance(edition)
    return f"{made.campaign}-{made.track}-{made.task}-edition-{made.edition}"


def made_by(edition):
    """Return what the numbers of an edition depend on, in the order in which files tell it."""
    made = provenance(edition)
    return {
        "campaign": made.campaign,
        "track": made.track,
        "task": made.task,
        "edition": made.edition,
        "assessments": f"v{made.assessments_version}",
        "profile": made.profile,
        "parameters": made.parameters,
        "engine": made.engine,
    }


def board_table(board):
    """Return the rows that a board shows: ranks and ranges where it has them, names as it gives them."""
    columns = [Column("rank", is_number=True), Column("range")] if board.is_complete else []
    columns += [Column("run"), Column("team"), *(Column(one.name, is_number=True) for one in board.measures)]
    if board.has_judged:
        columns.append(Column("judged", is_number=True, decimals=2))
    rows, marked, before = [], set(), len(columns) - len(board.measures) - board.has_judged
    for line in board.lines:
        row = [line.place, _range(line)] if board.is_complete else []
        row += [line.name, line.team, *(cell.value for cell in line.cells)]
        marked |= {(len(rows), before + place) for place, cell in enumerate(line.cells) if cell.is_best}
        rows.append([*row, line.judged] if board.has_judged else row)
    edition = board.edition
    return Table(
        title=f"{edition.task.name}, {edition.task.track.campaign.name}",
        caption=caption(board),
        made_by=made_by(edition),
        columns=tuple(columns),
        rows=rows,
        key=_key(edition),
        marked=frozenset(marked),
    )


def _range(line):
    if line.range is None:
        return None
    first, last = line.range
    return f"{first}" if first == last else f"{first}–{last}"


def _trec(board):
    names = [measure.name for measure in board.measures]
    runs = []
    for line in board.lines:
        scores = zip(names, line.cells, strict=True)
        runs.append((line.name, [(name, "all", cell.value) for name, cell in scores if cell.value is not None]))
    return trec_lines(runs)
