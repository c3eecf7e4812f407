"""How something on this site is cited, as a line and for BibTeX; without Django."""

from dataclasses import dataclass
from datetime import date

from limelight.tables import tex
from limelight.wording import one_line

KIND = "Evaluation campaign for focused retrieval"


@dataclass(frozen=True, slots=True)
class Citation:
    """One thing in two ways of citing it."""

    line: str
    bibtex: str


def citation(key, title, year, address, read_on: date):
    r"""Return how to cite what is called so, of a year, at an address that was read on a day.

    >>> told = citation("inex-2007", "INEX & friends", 2007, "https://lime.example/inex/", date(2026, 5, 3))
    >>> told.line
    'INEX & friends (2007). Evaluation campaign for focused retrieval. https://lime.example/inex/ (read on 3 May 2026).'
    >>> print(told.bibtex)
    @misc{inex-2007,
      key = {INEX \& friends},
      title = {{INEX \& friends}},
      year = {2007},
      howpublished = {Evaluation campaign for focused retrieval},
      url = {https://lime.example/inex/},
      note = {Read on 3 May 2026}
    }
    """
    title, day = one_line(title), f"{read_on.day} {read_on:%B %Y}"
    named = f"{title}" if str(year) in title else f"{title} ({year})"
    fields = {
        "key": tex(title),  # nobody wrote it: sorted by what it is called
        "title": f"{{{tex(title)}}}",
        "year": year,
        "howpublished": KIND,
        "url": address,
        "note": f"Read on {day}",
    }
    entry = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items())
    return Citation(f"{named}. {KIND}. {address} (read on {day}).", f"@misc{{{key},\n{entry}\n}}")
