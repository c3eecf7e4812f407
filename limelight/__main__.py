"""The command line: limelight score, check, compare, correlate, topics, moved, convert, measures."""

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from limelight.commandline.arguments import COMMANDS
from limelight.commandline.exits import BAD_INPUT, BROKEN_RULES
from limelight.face.refusals import Refusal, in_shell

EXAMPLES = """\
examples:
  {prog} score --task focused assessments.qrels run.fol
  {prog} score --task relevant-in-context --profile inex-2009 --format json assessments.qrels *.fol
  {prog} score --task best-in-context --set formula=linear --set n=500 assessments.qrels run.fol
  {prog} score --task focused --as-is assessments.qrels run-of-the-past.fol
  {prog} check --task focused --topics topics.xml run.fol.gz
  {prog} compare --task focused --measure iMAP assessments.qrels one.fol two.fol three.fol
  {prog} compare --task relevant-in-context --measure MAP --label-by MAgP assessments.qrels *.fol
  {prog} compare --task focused --other-topics assessments.qrels *.fol
  {prog} correlate --task relevant-in-context --measures MAgP,MAP assessments.qrels *.fol
  {prog} score --task focused --intervals --judged assessments.qrels run.fol
  {prog} topics --task focused assessments.qrels *.fol
  {prog} moved --task focused assessments-1.qrels assessments-2.qrels *.fol
  {prog} convert --from run --to fol --collection documents/ run.xml run.fol
  {prog} convert --from assessments --to zip --collection documents/ assessments.qrels assessments.zip
  {prog} measures --task thorough

Files may be packed with gzip.
Exit codes: 0 done, 1 a run breaks its task's rules, 2 something can't be read or isn't known.
"""


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one sentence."""

    def error(self, message: str) -> NoReturn:
        """Refuse the arguments without printing the whole usage."""
        raise Refusal([f"{message[:1].upper()}{message[1:]}. See {self.prog} --help."])


def called_as(program: str) -> str:
    """Return the words by which the command was called.

    >>> called_as("/usr/local/bin/limelight"), called_as("limelight/__main__.py"), called_as("evaluation/__main__.py")
    ('limelight', 'python -m limelight', 'python -m evaluation')
    """
    folder, name = os.path.split(program)
    if name == "limelight":
        return name
    return f"python -m {'limelight' if os.path.basename(folder) == 'limelight' else 'evaluation'}"  # noqa: PTH119 - fast


def parser() -> Parser:
    """Return the parser of all commands; nothing slow is imported for it."""
    prog = called_as(sys.argv[0])
    main_parser = Parser(
        prog=prog,
        description="Score runs of focused retrieval against highlighted text with the INEX measures.",
        epilog=EXAMPLES.replace("{prog}", prog),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = main_parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for add in COMMANDS:
        add(commands)
    return main_parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; whatever goes wrong is told in sentences."""
    try:
        chosen = parser().parse_args(arguments)
        # Imported here, because numpy and the readers take longer to load than --help may take.
        command = importlib.import_module(f"limelight.commandline.{chosen.command}")
        return command.run(chosen)
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


if __name__ == "__main__":
    sys.exit(main())
