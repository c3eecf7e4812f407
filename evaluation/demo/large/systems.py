"""Systems that only pretend to search: they know what is relevant, and get it wrong each in a way of their own."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from evaluation.demo.large.judging import truth_of
from evaluation.demo.large.units import cut, field

FAMILIES = 10
"""Systems of one family err alike."""


@dataclass(frozen=True, slots=True)
class System:
    """What makes a system what it is; two with the same key return the same."""

    key: int
    family: int
    skill: float
    cut: str
    length: int
    trims: float = 0.0


class Ranking(NamedTuple):
    """The results of all topics, in their order: numbers of topic and article, where in it, and the system's number."""

    topic: np.ndarray
    article: np.ndarray
    start: np.ndarray
    end: np.ndarray
    rsv: np.ndarray
    unit: np.ndarray

    def of_topics_before(self, number):
        """Return the results of the first topics alone."""
        kept = self.topic < number
        return Ranking(*(column[kept] for column in self))


class Laboratory:
    """The collection as systems see it; cuts are made when first asked for."""

    def __init__(self, seed, themes, articles):
        self.seed, self.theme_count, self.articles = seed, len(themes), articles
        self.truth = truth_of(articles)
        self.fields = {}
        generator = np.random.default_rng([seed, 1])
        shape = len(themes), len(articles)
        self.ease = np.exp(generator.normal(0, 0.35, len(themes)))
        self.moods = generator.normal(0, 1, (FAMILIES, *shape)).astype(np.float32)
        self.appeal = self._appeal(themes, shape) + generator.normal(0, 0.5, shape).astype(np.float32)

    def _appeal(self, themes, shape):
        """Return how much each article seems to be about each theme: it is, or it shares the subject."""
        appeal = np.zeros(shape, dtype=np.float32)
        subjects = [article.subject for article in self.articles]
        for place, theme in enumerate(themes):
            appeal[place] = [0.7 * (subject == theme.subject) for subject in subjects]
            appeal[place, list(self.truth[place])] += 0.6
        return appeal

    def field(self, name):
        """Return what comes into question where articles are cut in this way."""
        if name not in self.fields:
            self.fields[name] = field(self.seed, cut(name, self.articles), self.truth, self.theme_count)
        return self.fields[name]

    def focused(self, system):
        """Rank units, best first."""
        field = self.field(system.cut)
        generator = np.random.default_rng([self.seed, 2, system.key])
        article = field.cut.article[field.unit]
        numbers = generator.standard_normal(article.shape, dtype=np.float32)
        numbers += self._believed(system, generator, field, article)
        count = min(system.length, numbers.shape[1])
        chosen = np.argpartition(-numbers, count - 1, axis=1)[:, :count]
        best = np.take_along_axis(numbers, chosen, axis=1)
        order = np.argsort(-best, axis=1, kind="stable")
        chosen, best = np.take_along_axis(chosen, order, axis=1), np.take_along_axis(best, order, axis=1)
        unit = np.take_along_axis(field.unit, chosen, axis=1).reshape(-1)
        topic = np.repeat(np.arange(self.theme_count), count)
        return self._trimmed(system, generator, field.cut, topic, unit, best.reshape(-1))

    def _believed(self, system, generator, field, article):
        """Return how relevant a system holds each unit to be; some topics are easy, and some suit one system."""
        suits = np.exp(generator.normal(0, 0.25, self.theme_count))
        strength = (system.skill * self.ease * suits).astype(np.float32)[:, None]
        appeal = np.take_along_axis(self.appeal, article, axis=1)
        mood = np.take_along_axis(self.moods[system.family], article, axis=1)
        return strength * (field.share + 0.6 * appeal) + 0.7 * mood

    def _trimmed(self, system, generator, units, topic, unit, rsv):
        """Give passages that begin late and end early where a system trims; they stay inside their units."""
        start, end = units.start[unit], units.end[unit]
        if system.trims:
            room = (end - start) * system.trims
            start = start + (generator.random(len(unit)) * room / 2).astype(np.int64)
            end = end - (generator.random(len(unit)) * room / 2).astype(np.int64)
        return Ranking(topic, units.article[unit], start, end, 20 + 4 * rsv, unit)

    def in_context(self, system):
        """Rank articles by their best unit, and return the units of each together."""
        ranking = self.focused(system)
        first, rsv = self._first_of_article(ranking)
        order = np.lexsort((np.arange(len(first)), first))
        return Ranking(*(column[order] for column in ranking._replace(rsv=rsv)))

    def best_in_context(self, system):
        """Rank articles by their best unit, and return where that begins."""
        ranking = self.focused(system)
        first, _ = self._first_of_article(ranking)
        kept = first == np.arange(len(first))
        points = Ranking(*(column[kept] for column in ranking))
        return points._replace(end=points.start)

    def _first_of_article(self, ranking):
        """Return for each result the first of its topic and article, and the number that one has."""
        pairs = ranking.topic * len(self.articles) + ranking.article
        _, first, inverse = np.unique(pairs, return_index=True, return_inverse=True)
        return first[inverse], ranking.rsv[first[inverse]]
