"""Who is first on the boards of some tasks, and how many share the lead: as any visitor may know it."""

from dataclasses import dataclass

from evaluation.models import Analysis, Edition
from evaluation.services.analyses import TUKEY
from evaluation.services.podiums import podiums_of
from limelight.analysis.statistics.telling_apart import LEAST_TOPICS, sharing_the_lead
from limelight.wording import in_words


@dataclass(frozen=True, slots=True)
class Leaders:
    """The first places of a task's board; `sharing` says how many of its runs share the lead, where that is known."""

    edition: Edition
    places: list
    run_count: int | None = None
    sharing: int | None = None

    @property
    def sentence(self):
        """Say whether the lead can be told from chance, or nothing where that is not known."""
        if self.sharing is None:
            return ""
        if self.sharing == 1:
            return f"above all {in_words(self.run_count - 1)} others"
        of = "all" if self.sharing == self.run_count else f"{in_words(self.sharing)} of"
        return f"{of} {in_words(self.run_count)} runs share the lead"


def leaders_of(tasks, moment=None):
    """Return who is first on the live boards of some tasks, by their keys; the queries are the same for any number.

    Boards whose scores not everybody sees, and those without a run, are left out.
    """
    by_key = {task.pk: task for task in tasks}
    editions = list(Edition.objects.live().filter(task__in=by_key)) if by_key else []
    for edition in editions:
        edition.task = by_key[edition.task_id]
    podiums = podiums_of(editions, moment) if editions else {}
    shared = _shared([edition for edition in editions if edition.pk in podiums])
    return {
        edition.task_id: Leaders(edition, podiums[edition.pk], *shared.get(edition.pk, ()))
        for edition in editions
        if edition.pk in podiums
    }


def _shared(editions):
    """Return how many runs there are and how many share the lead, by edition, where an analysis tells it of now."""
    by_key = {edition.pk: edition for edition in editions if len(edition.topic_numbers) >= LEAST_TOPICS}
    rows = Analysis.objects.filter(edition__in=by_key, family=Analysis.Family.ALL, test=TUKEY)
    rows = rows.filter(state=Analysis.State.DONE).only("edition_id", "measure", "generation", "means", "draws")
    told = {}
    for row in rows if by_key else ():
        edition = by_key[row.edition_id]
        is_of_now = edition.task.generation in (row.generation, edition.analysed_generation)
        if row.measure == edition.official_measure and is_of_now and row.draws is not None and len(row.draws):
            told[edition.pk] = len(row.means), sharing_the_lead(row.draws, row.means)
    return told
