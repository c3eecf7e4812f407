"""What a page says, for tests."""

import re

from tests.pages import source_of


def text(response):
    spaced = re.sub(r"</(td|th|li|p|h\d)>", " ", source_of(response))
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", spaced))
