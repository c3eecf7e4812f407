"""The demo's assessments are kept by their first and last words; here they become offsets."""

import re
import tomllib
from io import BytesIO
from pathlib import Path

from limelight.text.documents import read_document


def pattern_of(words):
    """Return a pattern that finds words whatever white space stands between them."""
    return re.compile(r"\s+".join(map(re.escape, words.split())))


def find_only(words, text):
    """Return where words begin that stand in the text exactly once.

    >>> find_only("the  lamp", "Fill the lamp.")
    5
    """
    found = [match.start() for match in pattern_of(words).finditer(text)]
    if len(found) != 1:
        raise ValueError(f"“{words}” stands in the text {len(found)} times, not once.")
    return found[0]


def span_of(passage, text):
    """Return offset and length of a passage that is given by its first and last words.

    >>> span_of({"first": "Fill the", "last": "the lamp."}, "First: Fill the old oil lamp or the lamp.")
    (7, 34)
    """
    start = find_only(passage["first"], text)
    for match in pattern_of(passage["last"]).finditer(text, start):
        return start, match.end() - start
    raise ValueError(f"“{passage['last']}” does not follow “{passage['first']}”.")


def highlight_lines(file, texts):
    """Yield the judgements of one topic's file in the assessment format of 2008 to 2010."""
    assessed = tomllib.loads(Path(file).read_text(encoding="utf-8"))
    for judged in assessed["document"]:
        text = texts[judged["id"]]
        try:
            spans = [span_of(passage, text) for passage in judged.get("passage", [])]
            entry = find_only(judged["entry"], text) if spans else None
        except ValueError as error:
            raise ValueError(f"{Path(file).name}, {judged['id']}: {error}") from error
        line = f"{assessed['topic']} Q0 {judged['id']} {sum(length for _, length in spans)} {len(text)}"
        if spans:
            line += f" {entry} " + " ".join(f"{offset}:{length}" for offset, length in spans)
        yield line


def assessments_in(files, collection):
    """Return the files of some topics as one file of assessments, over the texts in a folder."""
    texts = {file.stem: read_document(BytesIO(file.read_bytes()), file.stem).text for file in collection.glob("*.xml")}
    lines = [line for file in sorted(files, key=lambda file: file.name) for line in highlight_lines(file, texts)]
    return ("\n".join(lines) + "\n").encode()
