"""In which order the lines of a board stand: by places, best or worst first, or by names."""

from evaluation.services.board_asked import BY_NAME, RUN


def in_order(lines, asked):
    """Return lines, which come as they are ranked, in the order that was asked for; runs without a value come last."""
    if asked.sort in BY_NAME:
        key = (lambda line: line.name.casefold()) if asked.sort == RUN else (lambda line: line.team.casefold())
        return sorted(lines, key=key, reverse=asked.is_turned)
    if not asked.is_turned:
        return lines
    valued = [line for line in lines if line.value is not None]
    return [*reversed(valued), *(line for line in lines if line.value is None)]
