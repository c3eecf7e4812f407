"""check: everything that is wrong with a run, before anybody scores it."""

import json
import sys
from pathlib import Path

from limelight.commandline.collection import open_collection
from limelight.commandline.progress import watched
from limelight.commandline.reading import lengths_in, opened, rules_from
from limelight.commandline.refusals import BAD_INPUT, BROKEN_RULES, DONE, Refusal, folded
from limelight.formats.assessments.reading import read_assessments
from limelight.formats.problems import errors
from limelight.formats.topics.inex import read_topics
from limelight.rules.checking import read_and_check


def check(chosen):
    """Print all problems of the runs as FILE:LINE: message; errors end with exit code 1."""
    rules = rules_from(chosen)
    topics = [topic.identifier for topic in opened(chosen.topics, read_topics)] if chosen.topics else None
    collection = open_collection(chosen.collection) if chosen.collection else None
    assessed = lengths_in(opened(chosen.assessments, read_assessments)[0]) if chosen.assessments else None
    known = {
        "topics": topics,
        "document_lengths": collection,
        "assessed_lengths": assessed,
        "element_spans": collection and collection.places,
    }
    found = {name: problems_of(name, rules, known) for name in watched(dict.fromkeys(chosen.runs), "Checking runs")}
    if chosen.format == "json":
        told = [{"file": name, "problems": [problem.as_dict() for problem in found[name]]} for name in found]
        sys.stdout.write(json.dumps({"runs": told}, indent=1) + "\n")
    else:
        for name, problems in found.items():
            sys.stdout.writelines(f"{line}\n" for line in folded(name, problems, chosen.all))
            if not problems:
                sys.stdout.write(f"{name}: keeps the rules of a {rules.words} task.\n")
    return BROKEN_RULES if any(errors(problems) for problems in found.values()) else DONE


def problems_of(name, rules, known):
    """Return the problems of one run; a file that isn't there ends the command."""
    try:
        with Path(name).open("rb") as stream:
            return read_and_check(stream, rules, lambda columns: known)[1]
    except OSError as error:
        raise Refusal([f"{name}: can't be read ({error.strerror or error})."], BAD_INPUT) from None
