"""The words that the large demo is written with, and what can be asked about them."""

import random
import tomllib
from pathlib import Path
from typing import NamedTuple

WORDS = tomllib.loads((Path(__file__).resolve().parents[3] / "demo" / "large.toml").read_text(encoding="utf-8"))
MOST_THEMES = len(WORDS["subjects"]) * len(WORDS["aspect"])
EARLIEST, LATEST = 1540, 1899


class Theme(NamedTuple):
    """What a topic asks about: one side of one subject."""

    subject: str
    aspect: int

    @property
    def words(self):
        """Return what the words' file says about this side."""
        return WORDS["aspect"][self.aspect]

    def saying(self, part):
        """Return a part of it as a sentence or heading about the subject."""
        return capitalised(self.words[part].format(subject=self.subject))


def themes_from(seed, count):
    """Draw so many themes that differ."""
    everything = [Theme(subject, aspect) for subject in WORDS["subjects"] for aspect in range(len(WORDS["aspect"]))]
    return random.Random(f"themes {seed}").sample(everything, count)


def capitalised(text):
    """Return a text with a capital at its beginning.

    >>> capitalised("who owned Ailsa Craig")
    'Who owned Ailsa Craig'
    """
    return text[:1].upper() + text[1:]


class Writer:
    """Writes sentences and paragraphs that can be read, about things that never were."""

    def __init__(self, generator):
        self.generator = generator

    def paragraph(self, subject, place, theme=None):
        """Return a paragraph about a subject at a place; with a theme, about that alone."""
        count = self.generator.randint(3, 7)
        if theme is not None:
            templates = self._some(theme.words["sentences"], count)
            subject = theme.subject
        else:
            templates = self._some(WORDS["neutral"], count)
            templates[self.generator.randrange(count)] = self.generator.choice(WORDS["general"])
        return " ".join(self.sentence(template, subject, place) for template in templates)

    def _some(self, templates, count):
        """Draw templates, none twice before all have been used."""
        rounds = -(-count // len(templates))
        return [one for _ in range(rounds) for one in self.generator.sample(templates, len(templates))][:count]

    def sentence(self, template, subject, place):
        """Return a template with its blanks filled in."""
        generator = self.generator
        filled = template.format(
            subject=subject,
            place=place,
            other=generator.choice(WORDS["places"]),
            person=generator.choice(WORDS["people"]),
            year=generator.randint(EARLIEST, LATEST),
            number=generator.randint(3, 90),
        )
        return capitalised(filled)
