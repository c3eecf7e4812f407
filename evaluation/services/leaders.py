"""Who is first on the boards of some tasks, and how many share the lead: as any visitor may know it."""

from dataclasses import dataclass, field
from itertools import groupby

from evaluation.models import Analysis, Edition
from evaluation.services.analyses import TUKEY
from evaluation.services.podiums import podiums_of
from limelight.analysis.statistics.telling_apart import LEAST_TOPICS, ranges_of, sharing_the_lead, why_not_told
from limelight.wording import in_words


@dataclass(frozen=True, slots=True)
class Leaders:
    """The first places of a task's board, and how many runs stand on it.

    `sharing` says how many of them share the lead, `ranges` by code which places the first may truly have: where that
    is known.
    """

    edition: Edition
    places: list
    run_count: int
    sharing: int | None = None
    ranges: dict = field(default_factory=dict)

    @property
    def sentence(self):
        """Say whether the lead can be told from chance, or why not; nothing where that is still to be found out."""
        if self.run_count == 1:
            return "one run so far"
        if self.sharing is None:
            return why_not_told(self.run_count, len(self.edition.topic_numbers))
        if self.sharing == 1:
            return f"above all {in_words(self.run_count - 1)} others"
        of = "all" if self.sharing == self.run_count else f"{in_words(self.sharing)} of"
        return f"{of} {in_words(self.run_count)} runs share the lead"

    @property
    def is_told(self):
        """Return whether it is known which runs share the lead."""
        return self.sharing is not None

    @property
    def headline(self):
        """Say what the order of the first places is worth, in a sentence without its full stop."""
        if self.sharing == 1:
            return f"The first is {self.sentence}"
        return f"{self.sentence[0].upper()}{self.sentence[1:]}" if self.sentence else UNTOLD

    @property
    def summary(self):
        """Say who leads and whether that can be told from chance, in a line without markup."""
        measure, first = self.edition.official_measure, self.places[0]
        if self.sharing == 1:
            return f"{_called(first)} leads by {measure} with {first.score:.4f}, {self.sentence}."
        if not self.is_told:
            return f"Highest {measure}: {_ranked(self.places)}. {self.headline}."
        leading = [place for place in self.places if self.ranges[place.code][0] == 1]
        more = self.sharing - len(leading)
        named = ", ".join(f"{_called(place)} {place.score:.4f}" for place in leading)
        return f"{self.headline} by {measure}: {named}{f' and {in_words(more)} more' if more else ''}."


UNTOLD = "Whether the first differ from the others is told on the board"


def _called(place):
    return f"{place.run} ({place.team})"


def _ranked(places):
    """Name the first places, those with equal scores together.

    >>> from evaluation.services.podiums import Place
    >>> tied = [Place(1, "par", "Lund", 0.5), Place(1, "sec", "Delft", 0.5), Place(3, "art", "Lund", 0.25)]
    >>> _ranked(tied), _ranked(tied[2:])
    ('par (Lund) and sec (Delft) 0.5000 each, art (Lund) 0.2500', 'art (Lund) 0.2500')
    """
    told = []
    for _, equals in groupby(places, key=lambda place: place.rank):
        equals = list(equals)
        each = " each" if len(equals) > 1 else ""
        told.append(f"{' and '.join(map(_called, equals))} {equals[0].score:.4f}{each}")
    return ", ".join(told)


def leaders_of(tasks, moment=None):
    """Return who is first on the live boards of some tasks, by their keys; the queries are the same for any number.

    Boards whose scores not everybody sees, and those without a run, are left out.
    """
    by_key = {task.pk: task for task in tasks}
    editions = list(Edition.objects.live().filter(task__in=by_key)) if by_key else []
    for edition in editions:
        edition.task = by_key[edition.task_id]
    return {leaders.edition.task_id: leaders for leaders in leaders_on(editions, moment).values()}


def leaders_on(editions, moment=None):
    """Return who is first on some boards, by the keys of their editions."""
    podiums = podiums_of(editions, moment) if editions else {}
    by_key = {edition.pk: edition for edition in editions if edition.pk in podiums}
    told = _told(by_key, podiums)
    return {
        key: Leaders(edition, podiums[key].places, podiums[key].run_count, **told.get(key, {}))
        for key, edition in by_key.items()
    }


def _told(editions, podiums):
    """Return how many runs share the lead, and the ranges of the first, where an analysis tells it of now."""
    by_key = {key: edition for key, edition in editions.items() if len(edition.topic_numbers) >= LEAST_TOPICS}
    rows = Analysis.objects.filter(edition__in=by_key, family=Analysis.Family.ALL, test=TUKEY)
    rows = rows.filter(state=Analysis.State.DONE)
    rows = rows.only("edition_id", "measure", "generation", "codes", "means", "draws")
    told = {}
    for row in rows if by_key else ():
        edition, podium = by_key[row.edition_id], podiums[row.edition_id]
        codes = [place.code for place in podium.places]
        is_of_now = edition.task.generation in (row.generation, edition.analysed_generation)
        is_of_now = is_of_now and len(row.codes) == podium.run_count and set(codes) <= set(row.codes)
        if row.measure == edition.official_measure and is_of_now and row.draws is not None and len(row.draws):
            ranges = ranges_of([row.codes.index(code) for code in codes], row.draws, row.means)
            sharing = sharing_the_lead(row.draws, row.means)
            told[edition.pk] = {"sharing": sharing, "ranges": dict(zip(codes, ranges, strict=True))}
    return told
