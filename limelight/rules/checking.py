"""The rules that a run must keep, by task kind and settings: every violation with its line, topic and remedy."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, BinaryIO

import numpy as np

from limelight.formats.assessments.columns import CHARACTERS
from limelight.formats.columns import RunColumns
from limelight.formats.problems import WARNING, FormatError, Problem, ProblemList, errors
from limelight.formats.runs.reading import read_run
from limelight.rules.likeness import check_axis, check_header, check_text, without_places
from limelight.rules.overlaps import CoveredText, groups_with_overlap
from limelight.rules.run_view import CheckedRun, Lengths
from limelight.rules.task_rules import Rules
from limelight.text.documents import Lookup
from limelight.text.placing import placed

Known = Callable[[RunColumns], Mapping[str, Any]]
"""Tells for a run what `check` may hold it against."""

Laying = Callable[[RunColumns], tuple[RunColumns, list[Problem]]]
"""Lays a run on text; returns it with the problems of that."""

NAMED_TOPICS = 20
MANY_PAST_THE_END = 0.1
MOST_PIECES = 5_000


def read_and_check(
    stream: BinaryIO, rules: Rules, known: Known = lambda columns: {}, place: Laying | None = None
) -> tuple[RunColumns | None, list[Problem]]:
    """Return a run's columns and every problem of its format and of its task's rules; None where it can't be read.

    `known` tells for some columns what `check` may hold them against. Lines that can't be read don't keep the others
    from being checked: their author hears everything at once. `place`, for those who go on to score, lays the columns
    on text before they are checked and returns them with the problems of that; they are returned as they were laid.
    """
    try:
        columns, problems = read_run(stream)
    except FormatError as error:
        problems = told_once(list(error.problems), rules)
        if error.columns is not None:
            problems += errors(laid_and_checked(error.columns, rules, known, place)[1])
        return None, sorted(problems, key=lambda problem: problem.line or 0)
    if (placeless := without_places(columns, rules)) is not None:
        return columns, [placeless]  # how such lines are ordered is of no use to anybody
    columns, found = laid_and_checked(columns, rules, known, place)
    return columns, told_once(problems, rules) + found


def laid_and_checked(
    columns: RunColumns, rules: Rules, known: Known, place: Laying | None = None
) -> tuple[RunColumns, list[Problem]]:
    """Return columns that were read before as they were laid on text, and every problem of that and of the rules."""
    columns, problems = (columns, []) if place is None else place(columns)
    return columns, problems + check(columns, rules, is_placed=place is not None, **known(columns))


def told_once(problems: list[Problem], rules: Rules) -> list[Problem]:
    """Return a reader's warnings; that topics stand in pieces is one, where the order of the lines doesn't count."""
    pieces = {problem.topic for problem in problems if problem.rule == "topic-blocks"}
    if not pieces or not rules.by_score:
        return problems
    topics = "a topic" if len(pieces) == 1 else f"{len(pieces):,} topics"
    message = (
        f"The lines of {topics} don't stand together. That changes nothing: a {rules.words} run is ordered by its rsv."
    )
    others = [problem for problem in problems if problem.rule != "topic-blocks"]
    return [Problem(message, "topic-blocks", severity=WARNING), *others]


def check(
    columns: RunColumns,
    rules: Rules,
    *,
    topics: Sequence[str] | None = None,
    document_lengths: Lengths | None = None,
    assessed_lengths: Lengths | None = None,
    element_spans: Lookup | None = None,
    is_placed: bool = False,
    axis: str = CHARACTERS,
) -> list[Problem]:
    """Return every problem of a run, errors and warnings, in the order of the lines.

    `topics` are the track's; `document_lengths` (id -> length) tell the whole collection, `assessed_lengths` only the
    documents that the assessments know, for lengths that the collection doesn't tell: leave them out where the reader
    of the problems may not know what was judged. `element_spans` is a lookup for `placed`; `is_placed` says that
    element paths were looked up before, `axis` how the assessments count text. None leaves a rule out.
    """
    if (placeless := without_places(columns, rules)) is not None:
        return [placeless]  # all else would be about places that nobody wrote
    problems = ProblemList()
    check_axis(columns, rules, axis, problems)
    columns, unplaced = placed(columns, element_spans)
    problems.extend(unplaced)
    run = CheckedRun(columns, document_lengths, assessed_lengths)
    check_header(run, rules, problems)
    check_text(run, rules, problems, is_placed=is_placed or element_spans is not None)
    check_topics(run, topics, problems)
    if document_lengths is not None:
        check_documents(run, problems)
    check_result_limit(run, rules, problems)
    if rules.by_score:
        check_scores(run, rules, problems)
    else:
        check_ranks(run, problems)
        check_rsvs(run, problems)
    check_unmapped(run, problems)
    check_ends(run, problems)
    if rules.traits.forbids_overlap:
        check_overlap(run, rules, problems)
    if rules.traits.groups_documents:
        check_grouping(run, rules, problems)
    if rules.traits.one_a_document:
        check_one_a_document(run, rules, problems)
    check_budgets(run, rules, problems)
    return problems.in_order()


def check_topics(run: CheckedRun, topics: Sequence[str] | None, problems: ProblemList) -> None:
    """Topics of the run belong to the track, and those of the track should be answered."""
    if topics is None:
        return
    known = set(topics)
    for topic, start, end in run.topic_blocks():
        if topic not in known:
            message = (
                f"topic {topic} isn't one of this track's. Remove its results ({end - start:,}) or mend its number."
            )
            problems.add(message, "unknown-topic", line=run.line(start), topic=topic)
    answered = set(run.columns.topics)
    missing = [topic for topic in topics if topic not in answered]
    if missing:
        named = ", ".join(missing[:NAMED_TOPICS]) + (", …" if len(missing) > NAMED_TOPICS else "")
        message = f"The run answers {len(known & answered)} of {len(known)} topics; missing ones score 0: {named}."
        problems.add(message, "missing-topics", severity=WARNING)


def check_documents(run: CheckedRun, problems: ProblemList) -> None:
    """Documents belong to the collection."""
    for number, first, count in run.unknown_documents():
        times = "once" if count == 1 else f"{count:,} times"
        message = f"document {run.columns.documents[number]} isn't in the collection. The run returns it {times}."
        problems.add(message, "unknown-document", line=run.line(first), topic=run.topic(first))


def check_result_limit(run: CheckedRun, rules: Rules, problems: ProblemList) -> None:
    """A topic has at most so many results."""
    if rules.result_limit is None:
        return
    for topic, start, end in run.topic_blocks():
        if end - start > rules.result_limit:
            problems.add(
                f"topic {topic} has {end - start:,} results, of which this is number {rules.result_limit + 1:,}. "
                f"At most {rules.result_limit:,} are allowed: remove the rest.",
                "result-limit",
                line=run.line(start + rules.result_limit),
                topic=topic,
            )


def check_ranks(run: CheckedRun, problems: ProblemList) -> None:
    """Ranks never fall from one line of a topic to the next."""
    rank = run.columns.rank
    for index in run.within_topic(rank[1:] < rank[:-1]):
        if problems.full("rank-order"):
            problems.count("rank-order")
            continue
        topic = run.topic(index)
        message = (
            f"topic {topic} falls from rank {rank[index - 1]} in line {run.line(index - 1)} to rank {rank[index]}. "
            "Write the results of a topic in the order of their ranks."
        )
        problems.add(message, "rank-order", line=run.line(index), topic=topic)


def check_rsvs(run: CheckedRun, problems: ProblemList) -> None:
    """A system's own numbers should not rise from one line of a topic to the next."""
    rsv = run.columns.rsv
    rising, before = run.rising_rsvs()
    for index, count in run.first_of_each_topic(rising):
        topic = run.topic(index)
        more = f" ({count:,} such lines in this topic)" if count > 1 else ""
        lower = rsv[before[np.searchsorted(rising, index)]]
        message = f"topic {topic} rises from rsv {lower:g} to {rsv[index]:g}{more}. The order of the lines counts."
        problems.add(message, "rsv-order", line=run.line(index), topic=topic, severity=WARNING)


def check_scores(run: CheckedRun, rules: Rules, problems: ProblemList) -> None:
    """Where scores rank the results, lines in another order and results without a score are worth one sentence each."""
    absent = int(np.isnan(run.columns.rsv).sum())
    if absent:
        message = (
            f"{absent:,} of {len(run.columns):,} results have no rsv, by which a {rules.words} run is ordered. "
            "They come last in their topics, in the order of the file."
        )
        problems.add(message, "no-rsv", severity=WARNING)
    rising, _ = run.rising_rsvs()
    if count := len(np.unique(run.columns.topic[rising])):
        topics = "a topic" if count == 1 else f"{count:,} topics"
        message = (
            f"The lines of {topics} are not in the order of their rsv. A {rules.words} run is scored by rsv falling, "
            "ties by document id falling, whatever lines and ranks say."
        )
        problems.add(message, "rsv-order", severity=WARNING)


def check_unmapped(run: CheckedRun, problems: ProblemList) -> None:
    """A result without a place in the text retrieves nothing."""
    columns = run.columns
    unmapped = np.flatnonzero(columns.unmapped & (columns.path < 0))
    for index, count in run.first_of_each_topic(unmapped):
        topic = run.topic(index)
        results, they_count = ("a result", "It counts") if count == 1 else (f"{count:,} results", "They count")
        message = f"topic {topic} has {results} without an offset (X or -1). {they_count} as not relevant."
        problems.add(message, "unmapped", line=run.line(index), topic=topic, severity=WARNING)


def check_ends(run: CheckedRun, problems: ProblemList) -> None:
    """Spans end where their document ends, or before."""
    past = run.past_the_end()
    for index in past.tolist():
        if problems.full("past-the-end"):
            problems.count("past-the-end")
            continue
        message = f"{run.returns(index)}, but the document has only {run.document_length[index]:,} characters of text."
        problems.add(message, "past-the-end", line=run.line(index), topic=run.topic(index))
    known = int((run.document_length >= 0).sum())
    if len(past) > MANY_PAST_THE_END * known and run.lengths_look_like_ends(past):
        problems.add(
            f"{len(past):,} of {known:,} results reach past the end of their document, and column 8 looks like the end "
            "of the passage. Write its length there: the end minus the offset.",
            "end-as-length",
        )


def check_overlap(run: CheckedRun, rules: Rules, problems: ProblemList) -> None:
    """No text is returned twice for a topic."""
    start, end = run.overlap_spans()
    hit = groups_with_overlap(run.pair, start, end)
    if not len(hit):
        return
    covered: dict[int, CoveredText] = {}
    for index in np.flatnonzero(np.isin(run.pair, hit)).tolist():
        document = covered.setdefault(int(run.pair[index]), CoveredText())
        if len(document) >= MOST_PIECES:
            continue  # the run is refused already; who hides a million overlaps in a document hears of the first ones
        earlier = document.claim(int(start[index]), int(end[index]), index)
        if earlier is None:
            continue
        if problems.full("overlap"):
            problems.count("overlap")
            continue
        message = (
            f"{run.returns(index)}, which overlaps line {run.line(earlier)} ({run.place(earlier)}). "
            f"A {rules.words} run may not return the same text twice."
        )
        problems.add(message, "overlap", line=run.line(index), topic=run.topic(index))


def check_grouping(run: CheckedRun, rules: Rules, problems: ProblemList) -> None:
    """The results of a document stand together."""
    for index, earlier in run.returning_documents():
        message = (
            f"topic {run.topic(index)} comes back to {run.document(index)} after line {run.line(earlier)}. "
            f"In a {rules.words} run the results of a document follow one another."
        )
        problems.add(message, "document-order", line=run.line(index), topic=run.topic(index))


def check_one_a_document(run: CheckedRun, rules: Rules, problems: ProblemList) -> None:
    """A document is returned once."""
    for index, earlier in run.repeated_documents():
        message = (
            f"topic {run.topic(index)} returns {run.document(index)} again after line {run.line(earlier)}. "
            f"A {rules.words} run returns a document once."
        )
        problems.add(message, "one-a-document", line=run.line(index), topic=run.topic(index))


def check_budgets(run: CheckedRun, rules: Rules, problems: ProblemList) -> None:
    """A topic, or an article, returns at most so many characters."""
    if rules.traits.has_topic_budget and rules.topic_budget is not None:
        for index, total in run.over_budget(run.columns.topic, rules.topic_budget):
            message = (
                f"topic {run.topic(index)} returns {total:,} characters; this line passes the {rules.topic_budget:,} "
                "that the task allows a topic."
            )
            problems.add(message, "topic-budget", line=run.line(index), topic=run.topic(index))
    if rules.traits.has_article_budget and rules.article_budget is not None:
        for index, total in run.over_budget(run.pair, rules.article_budget):
            message = (
                f"topic {run.topic(index)} returns {total:,} characters of {run.document(index)}; this line "
                f"passes the {rules.article_budget:,} that the task allows an article."
            )
            problems.add(message, "article-budget", line=run.line(index), topic=run.topic(index))
