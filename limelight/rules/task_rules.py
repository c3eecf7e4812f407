"""What a task asks of its runs: its kind, and the limits that its organisers set."""

from dataclasses import dataclass, field

from limelight.kinds import Kind, kind_of


@dataclass(frozen=True, slots=True)
class Rules:
    """What a task asks of its runs."""

    kind: str
    result_limit: int | None = 1_500
    topic_budget: int | None = None
    article_budget: int | None = None
    order: str = "score"
    name: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        kind_of(self.kind)

    @property
    def traits(self) -> Kind:
        """Return what the kind of task asks of every run."""
        return kind_of(self.kind)

    @property
    def words(self) -> str:
        """Return the kind as it's written in a sentence."""
        return self.traits.words

    @property
    def by_score(self) -> bool:
        """Return whether a run's own scores rank its results, and not the order of its lines."""
        return self.traits.ranks_by_score and self.order == "score"
