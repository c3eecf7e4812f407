"""Names that stand in addresses: which belong to pages, and which would lead somewhere else.

A document as a run returns it has its page at `…/topics/<topic>/documents/<document>/`. Both names may hold slashes:
the address is split at its last `/documents/`, and a name for which that gives another pair is refused on its way in.
"""

import re

PAGES = """
activate assessments boards building collection-imports compare comparisons copy coverage delete differences
documents editions feed imports leave-one-out links material measures moved new notes organisers overlay pools
publication publish rebuild register results roll-back runs search settings setup submit tasks topics tracks trail
unpublish upload
"""
PAGE_NAMES = frozenset(PAGES.split())
"""What no campaign, track or task has for its part of an address: pages do, or may one day."""

PAIR = re.compile(r"(?P<topic>.+)/documents/(?P<document>.+)", re.DOTALL)
STEPS = {".", ".."}
"""Parts of a path that browsers resolve before they ask."""

COLLIDES = (
    "Its id would lead to another page: an id may not hold “/documents/”, begin with “documents/”, or have “.” or “..” "
    "between its slashes."
)


def leads_there(topic, document):
    """Return whether the address of a topic's document is split into these two again.

    >>> leads_there("103", "a/b"), leads_there("103", "a/documents/b"), leads_there("103", "documents/b")
    (True, False, False)
    """
    pair = PAIR.fullmatch(f"{topic}/documents/{document}")
    is_split = pair is not None and (pair["topic"], pair["document"]) == (topic, document)
    return is_split and not STEPS & {*topic.split("/"), *document.split("/")}


def names_a_document(document):
    """Return whether a document's id can stand in an address, whatever the topic."""
    return leads_there("1", document)


def names_a_topic(number):
    """Return whether a topic's number can stand in an address: the page of its ranked list is no document's.

    >>> names_a_topic("2009/001"), names_a_topic("a/documents/b")
    (True, False)
    """
    return PAIR.fullmatch(number) is None and leads_there(number, "x")
