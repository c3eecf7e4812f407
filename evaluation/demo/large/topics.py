"""The large demo's topics: a title, a castitle, a description and a narrative for each theme."""

from xml.sax.saxutils import escape

FIRST_NUMBER = 2001


def numbers_of(themes):
    """Return the topics' numbers, in the order of their themes."""
    return [str(FIRST_NUMBER + place) for place in range(len(themes))]


def topic_file(themes):
    """Return the topics as a file in the form of 2009."""
    topics = "".join(_topic(number, theme) for number, theme in zip(numbers_of(themes), themes, strict=True))
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<inex-topic-file>\n{topics}</inex-topic-file>\n'.encode()


def _topic(number, theme):
    parts = {
        "title": theme.words["title"].format(subject=theme.subject),
        "castitle": f"//article[about(., {theme.subject})]//section[about(., {theme.words['words']})]",
        "description": theme.saying("question"),
        "narrative": (
            f"{theme.words['reader']} wants to know more about {theme.subject}. Relevant is any text that tells "
            f"{theme.words['wanted']}. It does not matter where in the province it was. Text about {theme.subject} "
            "that says nothing of this is not relevant, and neither is text that tells it of other things."
        ),
    }
    inner = "".join(f"  <{name}>{escape(text)}</{name}>\n" for name, text in parts.items())
    return f'<topic id="{number}" ct_no="{int(number) - FIRST_NUMBER + 1}">\n{inner}</topic>\n'
