"""The large demo's assessments, as two readings of the same articles."""

import random
from collections import defaultdict

from evaluation.demo.large.topics import numbers_of

JUDGED_BESIDES = 80
"""Articles a topic that somebody read and found nothing in, at most; about as many stay unread."""

OVERLOOKED, STRICT, NARROW = 0.08, 0.4, 0.8


def truth_of(articles):
    """Return by theme and article which stretches of text are about the theme, as (offset, end)."""
    found = defaultdict(dict)
    for place, article in enumerate(articles):
        for theme, start, end in article.themed():
            found[theme].setdefault(place, []).append((start, end))
    return found


def assessment_file(seed, themes, articles, *, second_reading=False):
    """Return the assessments in the text form of 2008 to 2010, as first read or as some topics were read again."""
    truth, lines = truth_of(articles), []
    for theme, number in enumerate(numbers_of(themes)):
        again = second_reading and theme < half_of(themes)
        generator = random.Random(f"reading {seed} {theme} {again}")
        highlights = _reading(generator, articles, truth[theme], again)
        lines += [_line(number, articles[place], spans) for place, spans in sorted(highlights.items())]
    return ("\n".join(lines) + "\n").encode()


def half_of(themes):
    """Return how many of the topics, from the first on, are one assessor's: these are read again."""
    return -(-len(themes) // 2)


def read_again(themes):
    """Return the numbers of the topics that the second reading is about."""
    return numbers_of(themes)[: half_of(themes)]


def _reading(generator, articles, truth, again):
    """Return the spans that one reader highlights in each article that is read."""
    told = [place for place in truth if again or generator.random() >= OVERLOOKED] or list(truth)[:1]
    others = [place for place in range(len(articles)) if place not in truth]
    read = generator.sample(others, min(len(others) // 2, JUDGED_BESIDES))
    highlights = {place: [] for place in read}
    for place in told:
        spans = [_highlighted(generator, articles[place].text.text, *span, again) for span in truth[place]]
        # A strict reader puts the weaker half of what the first one took aside, but never all of a topic.
        if again and place != told[0] and generator.random() < STRICT:
            spans = []
        highlights[place] = spans
    return highlights


def _highlighted(generator, text, start, end, again):
    """Return offset and length of what is highlighted of a stretch: the first reader takes most of it, the second
    mostly the sentences that say it, so that runs of short passages gain by it.
    """
    if generator.random() < (0.6 if again else 0.25):
        start = _after_sentence(text, start, end)
    if again and generator.random() < NARROW:
        end = _after_sentence(text, _after_sentence(text, start, end), end)
    return start, end - start


def _after_sentence(text, start, end):
    found = text.find(". ", start, end)
    return start if found < 0 or found + 2 >= end else found + 2


def _line(number, article, spans):
    line = f"{number} Q0 {article.identifier} {sum(length for _, length in spans)} {len(article.text)}"
    if not spans:
        return line
    return f"{line} {spans[0][0]} {' '.join(f'{offset}:{length}' for offset, length in spans)}"
