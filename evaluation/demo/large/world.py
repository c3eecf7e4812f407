"""The whole large demo as files, made from a seed: what the loader hands in, and nothing of the site."""

from dataclasses import dataclass
from functools import cached_property

from evaluation.demo.large.articles import articles_from
from evaluation.demo.large.entrants import entrants_from, entries_from
from evaluation.demo.large.judging import assessment_file, half_of, read_again
from evaluation.demo.large.run_files import as_elements, as_lines
from evaluation.demo.large.systems import Laboratory
from evaluation.demo.large.topics import topic_file
from evaluation.demo.large.words import themes_from
from limelight.kinds import BEST_IN_CONTEXT, RELEVANT_IN_CONTEXT


@dataclass(frozen=True)
class World:
    """A campaign of some size: the same seed and size give the same files."""

    run_count: int
    topic_count: int
    seed: int = 1

    @cached_property
    def themes(self):
        """What is asked about."""
        return themes_from(self.seed, self.topic_count)

    @cached_property
    def articles(self):
        """The collection."""
        return articles_from(self.seed, self.themes)

    @cached_property
    def entrants(self):
        """The teams."""
        return entrants_from(self.seed, self.run_count)

    @cached_property
    def entries(self):
        """All runs of all tasks, without their results."""
        return entries_from(self.seed, self.run_count)

    @cached_property
    def laboratory(self):
        """Where the runs are made."""
        return Laboratory(self.seed, self.themes, self.articles)

    @property
    def topics(self):
        """The file of topics."""
        return topic_file(self.themes)

    @property
    def topics_read_again(self):
        """The numbers of the topics that the second reading changes."""
        return read_again(self.themes)

    def assessments(self, second_reading=False):
        """Return the file of assessments."""
        return assessment_file(self.seed, self.themes, self.articles, second_reading=second_reading)

    def run_file(self, entry):
        """Return the file of a run."""
        ways = {RELEVANT_IN_CONTEXT: self.laboratory.in_context, BEST_IN_CONTEXT: self.laboratory.best_in_context}
        ranking = ways.get(entry.task, self.laboratory.focused)(entry.system)
        if entry.is_partial:
            ranking = ranking.of_topics_before(half_of(self.themes))
        if entry.returns_elements:
            paths = self.laboratory.field(entry.system.cut).cut.paths
            return as_elements(ranking, paths, entry, self.themes, self.articles)
        return as_lines(ranking, entry.written_as or entry.name, self.themes, self.articles)
