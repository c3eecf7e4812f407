"""Scores of several runs that are looked at together: made in the same way, with the measures asked for."""

from collections.abc import Iterable, Mapping

from limelight.face.refusals import Refusal
from limelight.face.scores import Scores


def scored_alike(scores: Mapping[str, Scores], measures: Iterable[str]) -> None:
    """Refuse scores that were made in different ways, or without a measure that is asked for."""
    (first, one), *others = scores.items()
    for name, other in others:
        if _made_with(one) != _made_with(other):
            raise Refusal([f"{first} and {name} were scored in different ways. Score them together, in one call."])
    for measure in measures:
        for name, run in scores.items():
            if measure not in run.means:
                raise Refusal([f"{name} was not scored by {measure}. Name it in the measures of limelight.score."])


def _made_with(scores: Scores) -> tuple[object, ...]:
    return scores.task, scores.profile, scores.parameters, scores.topics, scores.engine_version
