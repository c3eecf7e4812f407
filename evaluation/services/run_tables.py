"""A run's scores as files to take away: topic by topic, with what they were made from."""

from campaign.citations import citation
from evaluation.services.board_tables import made_by
from evaluation.services.columns import measures_of
from evaluation.services.topic_scores import all_scores
from limelight.tables import Column, Table, table_json, table_latex, table_markdown, trec_lines

FORMATS = {
    "json": "JSON",
    "txt": "lines like trec_eval’s",
    "md": "Markdown",
    "tex": "LaTeX",
    "bib": "BibTeX",
}
"""In what a run's scores can be taken away besides CSV, by the end of the file's name."""


def scores_file(evaluation, name, file_format, address, read_on):
    """Return the content of a file of a run's scores; `name` is what the reader may call the run."""
    writers = {
        "json": lambda: table_json(_table(evaluation, name, all_scores(evaluation))),
        "md": lambda: table_markdown(_table(evaluation, name, _of_board(evaluation))),
        "tex": lambda: table_latex(_table(evaluation, name, _of_board(evaluation))),
        "txt": lambda: trec_lines([(name, list(_lines(evaluation)))]),
        "bib": lambda: f"{cited_run(evaluation, name, address, read_on).bibtex}\n",
    }
    return writers[file_format]()


def cited_run(evaluation, name, address, read_on):
    """Return how a run's result is cited."""
    edition = evaluation.edition
    task, campaign = edition.task, edition.task.track.campaign
    title = (
        f"{name}: {task.name}, {campaign.name}, edition {edition.number} "
        f"(assessments v{edition.assessment_set.version}, profile {edition.profile})"
    )
    return citation(f"{campaign.slug}-{task.slug}-{evaluation.run.code}", title, campaign.year, address, read_on)


def _of_board(evaluation):
    """Return the scores by the measures that the board shows: more columns fit on no page."""
    shown = {measure.name for measure in measures_of(evaluation.edition)}
    return [score for score in all_scores(evaluation) if score[0] in shown]


def _table(evaluation, name, scores):
    """Return a row a topic, and the means last."""
    edition = evaluation.edition
    numbers = [*edition.topic_numbers, "all"]
    columns = [[*values, mean] for _, mean, values in scores]
    made = made_by(edition) | {"engine": evaluation.engine_version or edition.engine_version}
    return Table(
        title=f"{name}: {edition.task.name}, {edition.task.track.campaign.name}",
        caption=f"Scores by topic and over all {len(edition.topic_numbers)} topics.",
        made_by=made,
        columns=(Column("topic"), *(Column(measure, is_number=True) for measure, _, _ in scores)),
        rows=[[number, *(values[place] for values in columns)] for place, number in enumerate(numbers)],
        key=f"{made['campaign']}-{made['task']}-{evaluation.run.code}",
    )


def _lines(evaluation):
    for measure, mean, values in all_scores(evaluation):
        topics = zip(evaluation.edition.topic_numbers, values, strict=True)
        yield from ((measure, number, value) for number, value in topics)
        yield measure, "all", mean
