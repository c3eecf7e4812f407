"""The arguments of each command; nothing slow is imported for them, so that --help comes at once."""

from argparse import ArgumentParser, _SubParsersAction
from typing import Any, TypeAlias

from limelight.kinds import SCORED
from limelight.scoring.profiles import DEFAULT_PROFILE, PROFILES

Commands: TypeAlias = "_SubParsersAction[Any]"
"""Where the parser of each command is added."""


def add_score(commands: Commands) -> None:
    """Add the arguments of `score`."""
    command = commands.add_parser("score", help="score runs", description="Score runs against assessments.")
    _scoring_arguments(command)
    command.add_argument(
        "--measures", metavar="NAMES", help="all, or names with commas between; the reported ones if absent"
    )
    command.add_argument("--per-topic", action="store_true", help="show every topic besides the means")
    command.add_argument("--intervals", action="store_true", help="show the 95 %% interval of each mean")
    command.add_argument(
        "--judged", action="store_true", help="show how much was judged, and what scores could be if all were"
    )
    command.add_argument("--pool", metavar="FILE", help="with --judged: the pool, which tells what else was read")
    command.add_argument("--format", choices=("text", "json", "csv", "latex"), default="text")
    command.add_argument("runs", metavar="RUN", nargs="+")


def add_check(commands: Commands) -> None:
    """Add the arguments of `check`."""
    command = commands.add_parser(
        "check", help="check a run against its task's rules", description="Tell everything that is wrong with runs."
    )
    command.add_argument("--task", required=True, metavar="TASK", help=", ".join(SCORED))
    command.add_argument("--topics", metavar="FILE", help="the track's topics")
    command.add_argument("--assessments", metavar="FILE", help="for the lengths of documents that no collection tells")
    command.add_argument("--all", action="store_true", help="print every problem, not only the first five of a kind")
    command.add_argument("--format", choices=("text", "json"), default="text")
    _profile_arguments(command)
    _rule_arguments(command)
    command.add_argument("runs", metavar="RUN", nargs="+")


def add_compare(commands: Commands) -> None:
    """Add the arguments of `compare`."""
    command = commands.add_parser(
        "compare", help="tell which runs differ", description="Test every pair of runs for a significant difference."
    )
    _scoring_arguments(command)
    command.add_argument("--measure", metavar="NAME", help="the task's official measure if absent")
    command.add_argument("--order-by", metavar="NAME", help="show runs in the order of another measure")
    command.add_argument("--label-by", metavar="NAME", help="label runs by their ranks under another measure")
    command.add_argument(
        "--test",
        metavar="TEST",
        help="tukey (if absent, for more than two runs), tukey-complete-null, bootstrap, randomisation or t-test (if "
        "absent, for two)",
    )
    command.add_argument("--variant", metavar="NAME", help="of the bootstrap: percentile (if absent) or shift")
    command.add_argument(
        "--tails", metavar="N", help="1 or 2; if absent, 1 for the bootstrap and 2 for randomisation and t-test"
    )
    command.add_argument("--level", metavar="P", default="0.05", help="below which p a pair is significant (0.05)")
    command.add_argument("--holm", action="store_true", help="correct for the number of pairs")
    command.add_argument("--resamples", type=int, metavar="B", help="2000 for tukey, 1000 for others if absent")
    command.add_argument("--seed", type=int, default=2007)
    command.add_argument(
        "--parts", action="store_true", help="tell what the differences of two to six runs are made of"
    )
    command.add_argument(
        "--other-topics",
        action="store_true",
        help="tell how often each run comes first on redrawn topics, how many topics a difference takes, how steady "
        "the ranking is",
    )
    command.add_argument("--format", choices=("text", "json"), default="text")
    command.add_argument("runs", metavar="RUN", nargs="+")


def add_correlate(commands: Commands) -> None:
    """Add the arguments of `correlate`."""
    command = commands.add_parser(
        "correlate", help="compare measures", description="Tell how alike measures order the same runs."
    )
    _scoring_arguments(command)
    command.add_argument("--measures", metavar="NAMES", required=True, help="two or more, with commas between")
    command.add_argument(
        "--other-topics", action="store_true", help="of ten runs or more, the middle 95 %% over redrawn topics"
    )
    command.add_argument("--format", choices=("text", "json"), default="text")
    command.add_argument("runs", metavar="RUN", nargs="+")


def add_topics(commands: Commands) -> None:
    """Add the arguments of `topics`."""
    command = commands.add_parser(
        "topics",
        help="tell what is relevant to each topic",
        description="Tell of each topic what is relevant to it, and how the given runs fared.",
    )
    _scoring_arguments(command)
    command.add_argument("--measure", metavar="NAME", help="the task's official measure if absent")
    command.add_argument("--format", choices=("text", "json"), default="text")
    command.add_argument("runs", metavar="RUN", nargs="*")


def add_moved(commands: Commands) -> None:
    """Add the arguments of `moved`."""
    command = commands.add_parser(
        "moved",
        help="tell what new assessments change",
        description="Tell what moved between old and new assessments: ranks, scores, and the topics behind them.",
    )
    _scoring_arguments(command)
    command.add_argument("new_assessments", metavar="NEW_ASSESSMENTS")
    command.add_argument("--measure", metavar="NAME", help="the task's official measure if absent")
    command.add_argument("--format", choices=("text", "json"), default="text")
    command.add_argument("runs", metavar="RUN", nargs="+")


def add_convert(commands: Commands) -> None:
    """Add the arguments of `convert`."""
    command = commands.add_parser(
        "convert", help="write a file in another format", description="Write a run or assessments in another format."
    )
    command.add_argument(
        "--from", required=True, dest="slot", metavar="SLOT", help="run or assessments: what the file is"
    )
    command.add_argument(
        "--to",
        required=True,
        metavar="FORMAT",
        help="run: fol or xml; assessments: highlights, qrels, xml or zip (XML, a file a topic)",
    )
    command.add_argument(
        "--collection", metavar="PATH", help="documents, to turn element paths into offsets and offsets into points"
    )
    command.add_argument("file", metavar="FILE")
    command.add_argument("output", metavar="OUTPUT", nargs="?", default="-", help="standard output if absent")


def add_measures(commands: Commands) -> None:
    """Add the arguments of `measures`."""
    command = commands.add_parser(
        "measures", help="explain the measures of a task", description="List measures and parameters of a task."
    )
    command.add_argument("--task", required=True, metavar="TASK", help=", ".join(SCORED))
    _profile_arguments(command)


def _scoring_arguments(command: ArgumentParser) -> None:
    command.add_argument("--task", required=True, metavar="TASK", help=", ".join(SCORED))
    _profile_arguments(command)
    _rule_arguments(command)
    command.add_argument(
        "--as-is", action="store_true", help="score what breaks the task's rules as it stands, each violation a warning"
    )
    command.add_argument("assessments", metavar="ASSESSMENTS")


def _profile_arguments(command: ArgumentParser) -> None:
    command.add_argument("--profile", default=DEFAULT_PROFILE, metavar="NAME", help=", ".join(PROFILES))
    command.add_argument(
        "--set",
        action="append",
        default=[],
        dest="settings",
        metavar="NAME=VALUE",
        help="set a parameter; may be repeated",
    )


def _rule_arguments(command: ArgumentParser) -> None:
    command.add_argument(
        "--collection",
        metavar="PATH",
        help="documents (folder, zip or tar) for element paths, or a list of ids and lengths",
    )
    command.add_argument("--result-limit", type=int, default=1500, metavar="N", help="results a topic (1500)")
    command.add_argument("--topic-budget", type=int, metavar="N", help="characters a topic may return")
    command.add_argument("--article-budget", type=int, metavar="N", help="characters an article may return")


COMMANDS = (add_score, add_check, add_compare, add_correlate, add_topics, add_moved, add_convert, add_measures)
"""In the order of the help; each command is the function `run` of the module of its name."""
