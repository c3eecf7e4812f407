"""What can be wrong with a file, said so that its author can mend it."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from limelight.formats.columns import RunColumns

ERROR = "error"
WARNING = "warning"


LONGEST_MESSAGE = 600


def tidy(message: str) -> str:
    r"""Return a message without control characters, its middle left out when it's too long.

    >>> tidy("the tag a\x07 is unknown."), len(tidy("x" * 5000))
    ('the tag a\\x07 is unknown.', 603)
    """
    if not message.isprintable():
        message = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in message[: 10 * LONGEST_MESSAGE])
    if len(message) > LONGEST_MESSAGE:
        message = f"{message[:400]} … {message[-200:]}"
    return message


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a file: where, what, and what to do about it.

    `times` is above 1 in a summing-up; `member` names the file inside an archive.

    >>> str(Problem("The rank falls from 4 to 2.", rule="rank-order", line=17))
    'Line 17: The rank falls from 4 to 2.'
    """

    message: str
    rule: str
    line: int | None = None
    topic: str | None = None
    severity: str = ERROR
    times: int = 1
    member: str | None = None

    def __post_init__(self) -> None:
        # Messages quote the file: nothing in them may harm a terminal or fill a page.
        object.__setattr__(self, "message", tidy(self.message))
        if self.topic is not None:
            object.__setattr__(self, "topic", tidy(self.topic)[:200])

    def __str__(self) -> str:
        if self.member:
            return f"{self.member}, line {self.line}: {self.message}" if self.line else f"{self.member}: {self.message}"
        return f"Line {self.line}: {self.message}" if self.line else self.message

    def as_dict(self) -> dict[str, str | int | None]:
        """Return the problem for a JSON report."""
        return asdict(self)


class FormatError(ValueError):
    """A file cannot be read: carries every problem that was found, in the order of the lines.

    `columns` has what could be read of a run all the same, so that its other faults can be told along.
    """

    def __init__(self, problems: Iterable[Problem], columns: "RunColumns | None" = None) -> None:
        self.problems = tuple(problems)
        self.columns = columns
        super().__init__("\n".join(map(str, self.problems)))

    @property
    def line(self) -> int | None:
        """Return the first line that's wrong."""
        return self.problems[0].line


def total(problems: Iterable[Problem]) -> int:
    """Count problems exactly, those that only a last sentence sums up included."""
    return sum(problem.times for problem in problems)


def errors(problems: Iterable[Problem]) -> list[Problem]:
    """Return the problems that refuse a file."""
    return [problem for problem in problems if problem.severity == ERROR]


def warnings(problems: Iterable[Problem]) -> list[Problem]:
    """Return the problems that are worth saying but refuse nothing."""
    return [problem for problem in problems if problem.severity == WARNING]


KEPT_PER_RULE = 50_000
"""Problems of one rule that are phrased; those beyond are counted, so that no file can fill the memory."""


class ProblemList:
    """Collects the problems of a file; the count stays exact when only the first of a rule are phrased."""

    def __init__(self, kept_per_rule: int = KEPT_PER_RULE) -> None:
        self._problems: list[Problem] = []
        self._counts: Counter[tuple[str, str]] = Counter()
        self._kept_per_rule = kept_per_rule

    def add(
        self,
        message: str,
        rule: str,
        *,
        line: int | None = None,
        topic: str | None = None,
        severity: str = ERROR,
        member: str | None = None,
    ) -> None:
        """Note one problem."""
        if self.full(rule, severity):
            self.count(rule, severity)
        else:
            self._counts[rule, severity] += 1
            self._problems.append(Problem(message, rule, line, topic, severity, member=member))

    def extend(self, problems: Iterable[Problem]) -> None:
        """Note problems that others found."""
        for problem in problems:
            self.add(
                problem.message,
                problem.rule,
                line=problem.line,
                topic=problem.topic,
                severity=problem.severity,
                member=problem.member,
            )

    def __len__(self) -> int:
        return sum(self._counts.values())

    def full(self, rule: str, severity: str = ERROR) -> bool:
        """Return whether further problems of the rule are only counted, which saves phrasing them."""
        return self._counts[rule, severity] >= self._kept_per_rule

    def count(self, rule: str, severity: str = ERROR, times: int = 1) -> None:
        """Count problems that nobody phrased."""
        self._counts[rule, severity] += times

    def has_errors(self) -> bool:
        """Return whether the file must be refused."""
        return any(severity == ERROR for _, severity in self._counts)

    def in_order(self) -> list[Problem]:
        """Return the problems in the order of the lines, those of the whole file first, unphrased rests last."""
        ordered = sorted(self._problems, key=lambda problem: (problem.member or "", problem.line or 0))
        for (rule, severity), count in self._counts.items():
            if count > self._kept_per_rule:
                rest = count - self._kept_per_rule
                message = f"The same fault as in the {self._kept_per_rule:,} lines listed ({rule}) is in {rest:,} more."
                ordered.append(Problem(message, rule, severity=severity, times=rest))
        return ordered
