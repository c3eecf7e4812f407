"""The large demo's collection: articles in XML, of which we know what each paragraph is about."""

import random
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO

from evaluation.demo.large.words import WORDS, Writer, capitalised
from limelight.text.documents import DocumentText, read_document

MOST_ARTICLES = 250
"""Workers keep the last 256 documents in memory: more would be read from the disk for each element run."""

USUAL_LENGTH, LENGTH_SPREAD = 24, 0.8
LONG_ARTICLE = 740
LONG_ARTICLES_EVERY = 60
RELEVANT_ARTICLES, RELEVANT_SPREAD = 12, 0.6
NOTHING = -1


@dataclass(frozen=True)
class Article:
    """An article as a file, and the number of the theme of each of its paragraphs."""

    identifier: str
    subject: str
    themes: tuple[int, ...]
    content: bytes

    @cached_property
    def text(self) -> DocumentText:
        """Return its text and elements, as the import reads them."""
        return read_document(BytesIO(self.content), self.identifier)

    @cached_property
    def paragraphs(self):
        """Return the elements that are paragraphs, in their order."""
        return [element for element in self.text.elements if element.path.rpartition("/")[2].startswith("p[")]

    def themed(self):
        """Return theme, offset and end of each stretch of paragraphs about one theme."""
        stretches = []
        for theme, element in zip(self.themes, self.paragraphs, strict=True):
            end = element.offset + element.length
            if stretches and stretches[-1][0] == theme:
                stretches[-1][2] = end
            else:
                stretches.append([theme, element.offset, end])
        return [tuple(stretch) for stretch in stretches if stretch[0] != NOTHING]


def article_count(theme_count):
    """Return how many articles there are for so many themes."""
    return min(MOST_ARTICLES - 10, 40 + theme_count * 5 // 3)


def articles_from(seed, themes):
    """Write the articles of a collection in which every theme is told of somewhere."""
    generator = random.Random(f"articles {seed}")
    pairs = [(subject, place) for subject in _subjects(themes) for place in WORDS["places"]]
    chosen = generator.sample(pairs, article_count(len(themes)))
    lengths = [_length(generator, number) for number in range(len(chosen))]
    plans = _plans(generator, themes, [subject for subject, _ in chosen], lengths)
    writer = Writer(generator)
    return [
        _article(writer, number, subject, place, plan, themes)
        for number, ((subject, place), plan) in enumerate(zip(chosen, plans, strict=True), start=1)
    ]


def _subjects(themes):
    """Return the themes' subjects, and others where these are too few to fill a collection with."""
    asked = list(dict.fromkeys(theme.subject for theme in themes))
    return asked + [subject for subject in WORDS["subjects"] if subject not in asked][: max(0, 9 - len(asked))]


def _length(generator, number):
    if number % LONG_ARTICLES_EVERY == 5:
        return LONG_ARTICLE
    return max(6, min(150, round(USUAL_LENGTH * generator.lognormvariate(0, LENGTH_SPREAD))))


def _plans(generator, themes, subjects, lengths):
    """Give each theme some stretches of paragraphs in some articles, most of them about its subject."""
    plans = [[NOTHING] * length for length in lengths]
    for number, theme in enumerate(themes):
        wanted = round(RELEVANT_ARTICLES * generator.lognormvariate(0, RELEVANT_SPREAD))
        weights = [
            generator.random() ** (1 / ((8 if subject == theme.subject else 1) * length**0.5))
            for subject, length in zip(subjects, lengths, strict=True)
        ]
        likely = sorted(range(len(plans)), key=lambda article: -weights[article])
        for article in likely[: max(3, min(len(plans) // 3, wanted))]:
            _tell(generator, plans[article], number)
    return plans


def _tell(generator, plan, theme):
    """Let up to five paragraphs that are free be about a theme."""
    free = [place for place, told in enumerate(plan) if told == NOTHING]
    if not free:
        return
    start, count = generator.choice(free), generator.randint(1, 5)
    for place in range(start, min(start + count, len(plan))):
        if plan[place] == NOTHING:
            plan[place] = theme


def _article(writer, number, subject, place, plan, themes):
    title = f"{capitalised(subject)} of {place}"
    parts = [f"<article>\n<header><title>{title}</title></header>\n<body>\n"]
    place_in_plan = min(writer.generator.randint(1, 2), len(plan))
    parts += _paragraphs(writer, subject, place, plan[:place_in_plan], themes)
    while place_in_plan < len(plan):
        count = writer.generator.randint(2, 6)
        parts.append(_section(writer, subject, place, plan[place_in_plan : place_in_plan + count], themes))
        place_in_plan += count
    parts.append("</body>\n</article>\n")
    content = f'<?xml version="1.0" encoding="UTF-8"?>\n{"".join(parts)}'.encode()
    return Article(f"A{number:04d}", subject, tuple(plan), content)


def _section(writer, subject, place, plan, themes):
    told = [theme for theme in plan if theme != NOTHING]
    other = writer.generator.choice(WORDS["places"])
    heading = themes[told[0]].saying("title") if told else f"{place} and {other}"
    paragraphs = _paragraphs(writer, subject, place, plan, themes)
    if len(paragraphs) > 4:
        inner = "".join(paragraphs[2:])
        paragraphs[2:] = [f"<section>\n<title>Elsewhere</title>\n{inner}</section>\n"]
    elif len(paragraphs) == 4:
        items = "".join(f"<item>{paragraph}</item>\n" for paragraph in paragraphs[2:])
        paragraphs[2:] = [f"<list>\n{items}</list>\n"]
    return f"<section>\n<title>{heading}</title>\n{''.join(paragraphs)}</section>\n"


def _paragraphs(writer, subject, place, plan, themes):
    return [
        f"<p>{writer.paragraph(subject, place, None if theme == NOTHING else themes[theme])}</p>\n" for theme in plan
    ]
