"""Text files line by line: whatever ends the lines, with their numbers, blank lines and `#` lines left out."""

import io
from collections.abc import Callable, Iterator

from limelight.formats.opening import Limits, refuse
from limelight.formats.problems import ProblemList

Progress = Callable[[float], None]
"""Is told how far a reader has come, from 0 to 1."""

LINES_A_NOTE = 500
"""Lines between two notes of how far the reading has come."""


def content_lines(
    payload: bytes, limits: Limits, problems: ProblemList | None = None, progress: Progress | None = None
) -> Iterator[tuple[int, bytes]]:
    """Yield the number and the bytes of every line that says something; `progress` is told the part that was read."""
    if b"\r" in payload:
        payload = payload.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    count = payload.count(b"\n") + (not payload.endswith(b"\n"))
    if count > limits.lines:
        refuse(f"The file has {count:,} lines. At most {limits.lines:,} are read.", "lines")
    for number, line in enumerate(io.BytesIO(payload), 1):
        if progress is not None and number % LINES_A_NOTE == 0:
            progress(number / count)
        if len(line) > limits.line_size:
            if problems is not None:
                message = f"the line has {len(line):,} bytes. At most {limits.line_size:,} are allowed."
                problems.add(message, "line-size", line=number)
        elif not line.isspace() and not line.lstrip().startswith(b"#"):
            yield number, line
