"""How the library says no: one exception with its sentences, and the problems of files behind them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from limelight.formats.problems import WARNING, Problem
from limelight.rules.headings import SHOWN_OF_A_RULE
from limelight.wording import counted

SHOWN = 10
"""Problems of a broken file that the sentences tell at once; `Refusal.problems` has every one."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """What is called otherwise in Python than on the command line."""

    python: str
    shell: str


Sentence = str | tuple[str | Spoken, ...]
"""A sentence for the reader, in pieces where it names an argument or a command."""

REST = Spoken("limelight.check returns them", "check --all shows them")


def argument(name: str) -> Spoken:
    """Name an argument as each of the two callers writes it.

    >>> argument("result_limit")
    Spoken(python='result_limit', shell='--result-limit')
    """
    return Spoken(name, f"--{name.replace('_', '-')}")


def in_python(sentence: Sentence) -> str:
    """Return a sentence with the names that arguments have in Python.

    >>> in_python(("Give ", argument("topic_budget"), "."))
    'Give topic_budget.'
    """
    pieces = (sentence,) if isinstance(sentence, str) else sentence
    return "".join(piece.python if isinstance(piece, Spoken) else piece for piece in pieces)


def in_shell(sentence: Sentence) -> str:
    """Return a sentence with the names that arguments have on the command line.

    >>> in_shell(("Give ", argument("topic_budget"), "."))
    'Give --topic-budget.'
    """
    pieces = (sentence,) if isinstance(sentence, str) else sentence
    return "".join(piece.shell if isinstance(piece, Spoken) else piece for piece in pieces)


class Refusal(ValueError):
    """Something that can't be read, isn't known or breaks a task's rules, in sentences for the reader.

    `problems` has every problem of each file, by the file's name; `breaks_rules` says that all files could be read and
    runs only break the rules of their task.
    """

    def __init__(
        self,
        spoken: Iterable[Sentence],
        *,
        problems: Mapping[str, Sequence[Problem]] | None = None,
        breaks_rules: bool = False,
    ) -> None:
        """Keep the sentences and the problems."""
        self.spoken: tuple[Sentence, ...] = tuple(spoken)
        self.problems: dict[str, tuple[Problem, ...]] = {file: tuple(them) for file, them in (problems or {}).items()}
        self.breaks_rules = breaks_rules
        super().__init__("\n".join(self.sentences))

    @property
    def sentences(self) -> tuple[str, ...]:
        """What is wrong, a sentence or two a fault; of many alike only the first."""
        return tuple(map(in_python, self.spoken))

    @classmethod
    def together(cls, refusals: Sequence["Refusal"]) -> "Refusal":
        """Return several refusals as one."""
        return cls(
            [sentence for refusal in refusals for sentence in refusal.spoken],
            problems={file: them for refusal in refusals for file, them in refusal.problems.items()},
            breaks_rules=all(refusal.breaks_rules for refusal in refusals),
        )


def located(file: str, problem: Problem) -> str:
    """Return a problem as FILE:LINE: message.

    >>> from limelight.formats.problems import Problem
    >>> located("run.fol", Problem("the rank falls.", "rank-order", line=3))
    'run.fol:3: the rank falls.'
    """
    place = f"{file}({problem.member})" if problem.member else str(file)
    place = f"{place}:{problem.line}" if problem.line else place
    mark = "warning: " if problem.severity == WARNING else ""
    return f"{place}: {mark}{problem.message}"


def folded(name: str, problems: Iterable[Problem], shows_all: bool = False) -> Iterator[Sentence]:
    """Yield problems as lines, errors first; of each rule the first five, and how many more there are."""
    groups: dict[tuple[str, str], list[Problem]] = {}
    for problem in sorted(problems, key=lambda problem: problem.severity == WARNING):
        groups.setdefault((problem.severity, problem.rule), []).append(problem)
    for (_, rule), group in groups.items():
        shown = group if shows_all else group[:SHOWN_OF_A_RULE]
        yield from (located(name, problem) for problem in shown)
        if rest := len(group) - len(shown):
            yield f"{name}: … and {rest:,} more of the kind {rule}; ", REST, "."


def shortened(lines: Sequence[str], shown: int = SHOWN) -> list[str]:
    """Return the first lines, and how many more there are.

    >>> shortened(["a", "b", "c"], shown=2)
    ['a', 'b', '… and 1 more problem.']
    """
    rest = len(lines) - shown
    return [*lines[:shown], f"… and {counted(rest, 'more problem')}."] if rest > 0 else list(lines)


def unreadable(name: str, error: OSError) -> Refusal:
    """Return the refusal of a file that isn't there or can't be opened."""
    return Refusal([f"{name}: can't be read ({error.strerror or error})."])
