"""check: everything that is wrong with a run, before anybody scores it."""

import json
import sys
from pathlib import Path

from campaign.checking import read_and_check
from campaign.formats.problems import errors
from campaign.formats.topics import read_topics
from evaluation.commandline.collection import open_collection
from evaluation.commandline.progress import watched
from evaluation.commandline.reading import known_kind, opened, rules_from
from evaluation.commandline.refusals import BAD_INPUT, BROKEN_RULES, DONE, Refusal, located


def check(chosen):
    """Print all problems of the runs as FILE:LINE: message; errors end with exit code 1."""
    known_kind(chosen.task)
    rules = rules_from(chosen)
    topics = [topic.identifier for topic in opened(chosen.topics, read_topics)] if chosen.topics else None
    collection = open_collection(chosen.collection) if chosen.collection else None
    found = {
        name: problems_of(name, rules, topics, collection)
        for name in watched(dict.fromkeys(chosen.runs), "Checking runs")
    }
    if chosen.format == "json":
        told = [{"file": name, "problems": [problem.as_dict() for problem in found[name]]} for name in found]
        sys.stdout.write(json.dumps({"runs": told}, indent=1) + "\n")
    else:
        for name, problems in found.items():
            sys.stdout.writelines(f"{located(name, problem)}\n" for problem in problems)
            if not problems:
                sys.stdout.write(f"{name}: keeps the rules of a {rules.words} task.\n")
    return BROKEN_RULES if any(errors(problems) for problems in found.values()) else DONE


def problems_of(name, rules, topics, collection):
    """Return the problems of one run; a file that isn't there ends the command."""
    known = {"topics": topics, "document_lengths": collection, "element_spans": collection and collection.places}
    try:
        with Path(name).open("rb") as stream:
            return read_and_check(stream, rules, lambda columns: known)[1]
    except OSError as error:
        raise Refusal([f"{name}: can't be read ({error.strerror or error})."], BAD_INPUT) from None
