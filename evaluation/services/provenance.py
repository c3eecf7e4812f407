"""By what scores were made: what a number needs to be found again in five years."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Provenance:
    """The board that scores stand on, what it was made from, and the engine that made them."""

    campaign: str
    track: str
    task: str
    edition: int
    edition_state: str
    live_at: datetime | None
    assessments_version: int
    assessments_sha256: str
    profile: str
    parameters: dict
    official_measure: str
    engine: str
    axis: str
    topic_count: int


def provenance(edition, engine=""):
    """Return by what the scores of an edition were made, by its own engine unless another one is named."""
    track = edition.task.track
    return Provenance(
        campaign=track.campaign.slug,
        track=track.slug,
        task=edition.task.slug,
        edition=edition.number,
        edition_state=edition.state,
        live_at=edition.live_at,
        assessments_version=edition.assessment_set.version,
        assessments_sha256=edition.assessment_set.sha256,
        profile=edition.profile,
        parameters=edition.parameters,
        official_measure=edition.official_measure,
        engine=engine or edition.engine_version,
        axis=edition.axis,
        topic_count=len(edition.topic_numbers),
    )


def provenance_of(evaluation):
    """Return by what the scores of one run were made: an evaluation keeps the engine of its day."""
    return provenance(evaluation.edition, evaluation.engine_version)


def told_in_files(evaluation):
    """Return what the files of a run's scores say of where these come from, in the order of their columns."""
    run, made = evaluation.run, provenance_of(evaluation)
    return {
        "run": run.name,
        "code": run.code,
        "official": run.is_official,
        "sha256": evaluation.run_sha256,
        "campaign": made.campaign,
        "track": made.track,
        "task": made.task,
        "edition": made.edition,
        "assessments": made.assessments_version,
        "profile": made.profile,
        "parameters": made.parameters,
        "official_measure": made.official_measure,
        "engine": made.engine,
    }
