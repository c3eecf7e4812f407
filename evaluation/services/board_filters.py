"""Which runs of a board are shown: a choice of each team's, and filters by what is said of them."""

from dataclasses import dataclass

from evaluation.services.board_asked import ALL, BEST, LONGEST_TOLD, OFFICIAL, SHOWN
from limelight.wording import shortened


@dataclass(frozen=True, slots=True)
class Choices:
    """What there is to choose from: only what would leave some runs out and others not."""

    shows: tuple
    result_types: tuple
    queries: tuple
    topic_fields: tuple
    teams: tuple
    has_mine: bool

    @property
    def are_any(self):
        """Return whether there is anything to choose."""
        return bool(self.result_types or self.queries or self.topic_fields or self.teams or self.has_mine)


def shown_by_default(lines, view):
    """Return which runs a board opens with: official ones where every team on it has marked one, else all."""
    if not view.names or not view.all_scores:
        return ALL
    return OFFICIAL if all_have_official_runs([(line.team_key, line.is_official) for line in lines]) else ALL


def all_have_official_runs(marks):
    """Return whether every team has marked a run and some have others, too, given team and mark of each run.

    >>> all_have_official_runs([("Lund", True), ("Lund", False), ("Delft", True)]), all_have_official_runs([])
    (True, False)
    """
    teams, official = {team for team, _ in marks}, {team for team, is_official in marks if is_official}
    return bool(teams) and teams == official and len(marks) > len(teams)


def choices_of(lines, view):
    """Return what the runs on a board can be told apart by."""
    shows = [ALL]
    if any(line.is_official for line in lines):
        shows.append(OFFICIAL)
    if any(line.of_team > 1 for line in lines):
        shows.append(BEST)
    own = [line.is_own for line in lines]
    return Choices(
        shows=tuple((name, SHOWN[name]) for name in shows) if len(shows) > 1 else (),
        result_types=_several(line.result_type for line in lines),
        queries=_several(line.query for line in lines),
        topic_fields=_several(word for line in lines for word in line.topic_fields),
        teams=_teams(lines),
        has_mine=any(own) and not all(own),
    )


def chosen(lines, asked, show):
    """Return the lines that were asked for, and what could not be done about it."""
    kept, problems = list(lines), []
    if show == OFFICIAL:
        with_own = not asked.show  # who has not chosen finds their own runs, too
        kept = [line for line in kept if line.is_official or (with_own and line.is_own)]
    elif show == BEST:
        kept = _best_of_each_team(kept)
    for value, what, has in (
        (asked.result_type, "kind of result", lambda line: line.result_type == asked.result_type),
        (asked.query, "", lambda line: line.query == asked.query),
        (asked.topic_field, "topic field", lambda line: asked.topic_field in line.topic_fields),
        (asked.team, "team", lambda line: line.team_key == asked.team),
    ):
        if not value:
            continue
        if what and not any(has(line) for line in lines):
            problems.append(f"No run on this board has the {what} “{shortened(value, LONGEST_TOLD)}”.")
            continue
        kept = [line for line in kept if has(line)]
    if asked.only_mine:
        kept = [line for line in kept if line.is_own]
    words = asked.words.casefold().split()
    if words:
        kept = [line for line in kept if all(word in f"{line.name} {line.team}".casefold() for word in words)]
    return kept, problems


def _best_of_each_team(lines):
    """Return the first line of each team; lines come as they are ranked."""
    best = {}
    for line in lines:
        best.setdefault(line.team_key, line)
    return list(best.values())


def _several(values):
    """Return the values there are, where there are at least two."""
    found = sorted({value for value in values if value})
    return tuple(found) if len(found) > 1 else ()


def _teams(lines):
    teams = {line.team_key: line.team for line in lines}
    return tuple(sorted(teams.items(), key=lambda pair: pair[1].casefold())) if len(teams) > 1 else ()
