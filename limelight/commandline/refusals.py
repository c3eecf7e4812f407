"""How the command line says no: sentences and an exit code."""

DONE = 0
BROKEN_RULES = 1
BAD_INPUT = 2

SHOWN = 10
"""Problems of a broken file that are shown at once; `check --all` shows every one."""

SHOWN_OF_A_RULE = 5


class Refusal(Exception):
    """Ends the command with sentences for the reader and an exit code."""

    def __init__(self, lines, exit_code):
        """Keep the sentences and the code."""
        self.lines = list(lines)
        self.exit_code = exit_code
        super().__init__("\n".join(self.lines))


def located(file, problem):
    """Return a problem as FILE:LINE: message.

    >>> from limelight.formats.problems import Problem
    >>> located("run.fol", Problem("the rank falls.", "rank-order", line=3))
    'run.fol:3: the rank falls.'
    """
    place = f"{file}({problem.member})" if problem.member else str(file)
    place = f"{place}:{problem.line}" if problem.line else place
    mark = "warning: " if problem.severity == "warning" else ""
    return f"{place}: {mark}{problem.message}"


def folded(name, problems, shows_all=False):
    """Yield problems as lines, errors first; of each rule the first five, and how many more there are."""
    groups = {}
    for problem in sorted(problems, key=lambda problem: problem.severity == "warning"):
        groups.setdefault((problem.severity, problem.rule), []).append(problem)
    for (_, rule), group in groups.items():
        shown = group if shows_all else group[:SHOWN_OF_A_RULE]
        yield from (located(name, problem) for problem in shown)
        if rest := len(group) - len(shown):
            yield f"{name}: … and {rest:,} more of the kind {rule}; check --all shows them."


def shortened(lines, shown=SHOWN, of=""):
    """Return the first lines, and how many more there are, of a file if it is named.

    >>> shortened(["a", "b", "c"], shown=2)
    ['a', 'b', '… and 1 more problem.']
    """
    rest = len(lines) - shown
    return [*lines[:shown], f"{of}… and {rest:,} more problem{'s' if rest > 1 else ''}."] if rest > 0 else list(lines)
