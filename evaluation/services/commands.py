"""The words of the command line that give a page's numbers anew, with the names of the files that they take."""

from shlex import quote

from limelight.face.reading import RESULT_LIMIT


def score_command(edition, run, measures, *options):
    """Return the words that score a run as an edition does, from its assessments and the run as it was scored there."""
    task = edition.task
    words = ["limelight", "score", "--task", task.kind, "--profile", edition.profile]
    for name, value in edition.parameters.items():
        words += ["--set", f"{name}={value}"]
    if task.result_limit != RESULT_LIMIT:
        words += ["--result-limit", str(task.result_limit)]
    words += ["--measures", ",".join(measures), *options]
    return " ".join(map(quote, [*words, _file(edition.assessment_set.file_name), _file(scored_name(run))]))


def scored_name(run):
    """Return what the file is called that holds a run as it was scored."""
    return f"{run.name}.fol"


def _file(name):
    """Return a name that no command takes for one of its options."""
    return f"./{name}" if name.startswith("-") else name
