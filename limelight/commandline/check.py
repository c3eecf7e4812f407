"""check: everything that is wrong with a run, before anybody scores it."""

import json
import sys
from argparse import Namespace

from limelight.commandline.choosing import rules_from
from limelight.commandline.exits import BROKEN_RULES, DONE
from limelight.commandline.progress import watched
from limelight.face.checks import known_from, problems_of
from limelight.face.refusals import folded, in_shell
from limelight.formats.problems import errors


def run(chosen: Namespace) -> int:
    """Print all problems of the runs as FILE:LINE: message; errors end with exit code 1."""
    rules = rules_from(chosen)
    known = known_from(chosen.topics or None, chosen.collection or None, chosen.assessments or None)
    found = {name: problems_of(name, rules, known) for name in watched(dict.fromkeys(chosen.runs), "Checking runs")}
    if chosen.format == "json":
        told = [{"file": name, "problems": [problem.as_dict() for problem in found[name]]} for name in found]
        sys.stdout.write(json.dumps({"runs": told}, indent=1) + "\n")
    else:
        for name, problems in found.items():
            sys.stdout.writelines(f"{in_shell(line)}\n" for line in folded(name, problems, chosen.all))
            if not problems:
                sys.stdout.write(f"{name}: keeps the rules of a {rules.words} task.\n")
    return BROKEN_RULES if any(errors(problems) for problems in found.values()) else DONE
