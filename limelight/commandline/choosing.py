"""What the arguments of commands ask for."""

import sys
from argparse import Namespace
from collections.abc import Iterable, Sequence

from limelight.commandline.progress import watched
from limelight.face.reading import rules_for
from limelight.face.refusals import Refusal, Sentence, folded, in_shell
from limelight.face.scores import Asked, Scores, scored_runs, zero_warnings
from limelight.rules.task_rules import Rules


def given_parameters(words: Sequence[str]) -> dict[str, str]:
    """Return NAME=VALUE words as a dictionary.

    >>> given_parameters(["beta=1/4", "cutoffs=5,10"])
    {'beta': '1/4', 'cutoffs': '5,10'}
    """
    pairs = [word.partition("=") for word in words]
    for word, (name, equals, value) in zip(words, pairs, strict=True):
        if not (name and equals and value):
            raise Refusal([f"--set takes NAME=VALUE, such as beta=0.25, not “{word}”."])
    names = [name.strip() for name, _, _ in pairs]
    for name in names:
        if names.count(name) > 1:
            raise Refusal([f"--set gives {name} twice. Leave one of the two out."])
    return {name.strip(): value.strip() for name, _, value in pairs}


def measure_names(words: str | None) -> list[str] | str | None:
    """Return what --measures asks for.

    >>> measure_names("iMAP, artMAP"), measure_names("all"), measure_names(None)
    (['iMAP', 'artMAP'], 'all', None)
    """
    if words is None or words.strip() == "all":
        return words and words.strip()
    return [name.strip() for name in words.split(",") if name.strip()]


def rules_from(chosen: Namespace) -> Rules:
    """Return the rules that the arguments ask for."""
    return rules_for(
        chosen.task,
        chosen.profile,
        given_parameters(chosen.settings),
        result_limit=chosen.result_limit,
        topic_budget=chosen.topic_budget,
        article_budget=chosen.article_budget,
    )


def scores_from(chosen: Namespace, names: list[str] | str | None) -> list[Scores]:
    """Score the runs that the arguments name."""
    asked = Asked.of(chosen.task, chosen.profile, given_parameters(chosen.settings), names)
    return scored_runs(
        chosen.assessments,
        [(name, name) for name in chosen.runs],
        asked,
        rules_from(chosen),
        collection=chosen.collection,
        as_is=chosen.as_is,
        watched=watched,
    )


def warnings_of(scored: Iterable[Scores]) -> list[Sentence]:
    """Return what is worth saying about scored runs: of the files first, then why runs score 0."""
    scored = list(scored)
    return [
        *(line for run in scored for line in folded(run.file, run.problems)),
        *(line for run in scored for line in folded(run.file, zero_warnings(run.result))),
    ]


def tell(notes: Iterable[Sentence]) -> None:
    """Print warnings beside the output, not into it."""
    for note in notes:
        print(in_shell(note), file=sys.stderr)  # noqa: T201
