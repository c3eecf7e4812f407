"""The command line: python -m evaluation score, check, compare, correlate, convert, measures."""

import argparse
import os
import sys

from limelight.commandline.exits import BAD_INPUT, BROKEN_RULES
from limelight.face.refusals import Refusal, in_shell
from limelight.kinds import SCORED
from limelight.scoring.profiles import DEFAULT_PROFILE, PROFILES

EXAMPLES = """\
examples:
  python -m evaluation score --task focused assessments.qrels run.fol
  python -m evaluation score --task relevant-in-context --profile inex-2009 --format json assessments.qrels *.fol
  python -m evaluation score --task best-in-context --set formula=linear --set n=500 assessments.qrels run.fol
  python -m evaluation score --task focused --as-is assessments.qrels run-of-the-past.fol
  python -m evaluation check --task focused --topics topics.xml run.fol.gz
  python -m evaluation compare --task focused --measure iMAP assessments.qrels one.fol two.fol three.fol
  python -m evaluation compare --task relevant-in-context --measure MAP --label-by MAgP assessments.qrels *.fol
  python -m evaluation correlate --task relevant-in-context --measures MAgP,MAP assessments.qrels *.fol
  python -m evaluation convert --from run --to fol --collection documents/ run.xml run.fol
  python -m evaluation convert --from assessments --to zip --collection documents/ assessments.qrels assessments.zip
  python -m evaluation measures --task thorough

Files may be packed with gzip.
Exit codes: 0 done, 1 a run breaks its task's rules, 2 something can't be read or isn't known.
"""


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one sentence."""

    def error(self, message):
        """Refuse the arguments without printing the whole usage."""
        raise Refusal([f"{message[:1].upper()}{message[1:]}. See {self.prog} --help."])


def called_as(program):
    """Return the words by which the command was called.

    >>> called_as("/usr/local/bin/limelight"), called_as("evaluation/__main__.py")
    ('limelight', 'python -m evaluation')
    """
    return "limelight" if os.path.basename(program) == "limelight" else "python -m evaluation"  # noqa: PTH119 - fast


def parser():
    """Return the parser of all commands; nothing slow is imported for it."""
    main_parser = Parser(
        prog=called_as(sys.argv[0]),
        description="Score runs of focused retrieval against highlighted text with the INEX measures.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = main_parser.add_subparsers(dest="command", metavar="COMMAND", required=True)

    score = commands.add_parser("score", help="score runs", description="Score runs against assessments.")
    _scoring_arguments(score)
    score.add_argument(
        "--measures", metavar="NAMES", help="all, or names with commas between; the reported ones if absent"
    )
    score.add_argument("--per-topic", action="store_true", help="show every topic besides the means")
    score.add_argument("--format", choices=("text", "json", "csv", "latex"), default="text")
    score.add_argument("runs", metavar="RUN", nargs="+")

    check = commands.add_parser(
        "check", help="check a run against its task's rules", description="Tell everything that is wrong with runs."
    )
    check.add_argument("--task", required=True, metavar="TASK", help=", ".join(SCORED))
    check.add_argument("--topics", metavar="FILE", help="the track's topics")
    check.add_argument("--assessments", metavar="FILE", help="for the lengths of documents that no collection tells")
    check.add_argument("--all", action="store_true", help="print every problem, not only the first five of a kind")
    check.add_argument("--format", choices=("text", "json"), default="text")
    _profile_arguments(check)
    _rule_arguments(check)
    check.add_argument("runs", metavar="RUN", nargs="+")

    compare = commands.add_parser(
        "compare", help="tell which runs differ", description="Test every pair of runs for a significant difference."
    )
    _scoring_arguments(compare)
    compare.add_argument("--measure", metavar="NAME", help="the task's official measure if absent")
    compare.add_argument("--order-by", metavar="NAME", help="show runs in the order of another measure")
    compare.add_argument("--label-by", metavar="NAME", help="label runs by their ranks under another measure")
    compare.add_argument("--test", metavar="TEST", default="tukey", help="tukey, bootstrap, randomisation or t-test")
    compare.add_argument("--variant", metavar="NAME", help="of the bootstrap: percentile (if absent) or shift")
    compare.add_argument(
        "--tails", metavar="N", help="1 or 2; if absent, 1 for the bootstrap and 2 for randomisation and t-test"
    )
    compare.add_argument("--level", metavar="P", default="0.05", help="below which p a pair is significant (0.05)")
    compare.add_argument("--holm", action="store_true", help="correct for the number of pairs")
    compare.add_argument("--resamples", type=int, default=1000, metavar="B")
    compare.add_argument("--seed", type=int, default=2007)
    compare.add_argument("--format", choices=("text", "json"), default="text")
    compare.add_argument("runs", metavar="RUN", nargs="+")

    correlate = commands.add_parser(
        "correlate", help="compare measures", description="Tell how alike measures order the same runs."
    )
    _scoring_arguments(correlate)
    correlate.add_argument("--measures", metavar="NAMES", required=True, help="two or more, with commas between")
    correlate.add_argument("--format", choices=("text", "json"), default="text")
    correlate.add_argument("runs", metavar="RUN", nargs="+")

    convert = commands.add_parser(
        "convert", help="write a file in another format", description="Write a run or assessments in another format."
    )
    convert.add_argument(
        "--from", required=True, dest="slot", metavar="SLOT", help="run or assessments: what the file is"
    )
    convert.add_argument(
        "--to",
        required=True,
        metavar="FORMAT",
        help="run: fol or xml; assessments: highlights, qrels, xml or zip (XML, a file a topic)",
    )
    convert.add_argument(
        "--collection", metavar="PATH", help="documents, to turn element paths into offsets and offsets into points"
    )
    convert.add_argument("file", metavar="FILE")
    convert.add_argument("output", metavar="OUTPUT", nargs="?", default="-", help="standard output if absent")

    measures = commands.add_parser(
        "measures", help="explain the measures of a task", description="List measures and parameters of a task."
    )
    measures.add_argument("--task", required=True, metavar="TASK", help=", ".join(SCORED))
    _profile_arguments(measures)
    return main_parser


def _scoring_arguments(command):
    command.add_argument("--task", required=True, metavar="TASK", help=", ".join(SCORED))
    _profile_arguments(command)
    _rule_arguments(command)
    command.add_argument(
        "--as-is", action="store_true", help="score what breaks the task's rules as it stands, each violation a warning"
    )
    command.add_argument("assessments", metavar="ASSESSMENTS")


def _profile_arguments(command):
    command.add_argument("--profile", default=DEFAULT_PROFILE, metavar="NAME", help=", ".join(PROFILES))
    command.add_argument(
        "--set",
        action="append",
        default=[],
        dest="settings",
        metavar="NAME=VALUE",
        help="set a parameter; may be repeated",
    )


def _rule_arguments(command):
    command.add_argument(
        "--collection",
        metavar="PATH",
        help="documents (folder, zip or tar) for element paths, or a list of ids and lengths",
    )
    command.add_argument("--result-limit", type=int, default=1500, metavar="N", help="results a topic (1500)")
    command.add_argument("--topic-budget", type=int, metavar="N", help="characters a topic may return")
    command.add_argument("--article-budget", type=int, metavar="N", help="characters an article may return")


def main(arguments=None):
    """Run one command and return its exit code; whatever goes wrong is told in sentences."""
    try:
        chosen = parser().parse_args(arguments)
        return _command(chosen.command)(chosen)
    except Refusal as refusal:
        for sentence in refusal.spoken:
            print(in_shell(sentence), file=sys.stderr)  # noqa: T201
        return BROKEN_RULES if refusal.breaks_rules else BAD_INPUT
    except BrokenPipeError:
        # The reader of our output has gone (head, less): nothing to tell anybody.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)  # noqa: T201
        return 130


def _command(name):
    # Imported here, because numpy and the readers take longer to load than --help may take.
    if name == "score":
        from limelight.commandline.score import score as command
    elif name == "check":
        from limelight.commandline.check import check as command
    elif name == "compare":
        from limelight.commandline.compare import compare as command
    elif name == "correlate":
        from limelight.commandline.correlate import correlate as command
    elif name == "convert":
        from limelight.commandline.convert import convert as command
    else:
        from limelight.commandline.measures import measures as command
    return command


if __name__ == "__main__":
    sys.exit(main())
