"""The demo's runs: what is said about each, and how they are handed in, checked and scored."""

import tomllib

from campaign.models import Run
from campaign.services.acting import By
from campaign.services.runs.checks import check_run
from campaign.services.runs.renaming import make_official
from campaign.services.runs.submissions import submit_run
from evaluation.demo.scoring import score_now


def runs_listed_in(folder):
    """Return what a folder says about each of its runs."""
    return tomllib.loads((folder / "runs.toml").read_text(encoding="utf-8"))["run"]


def hand_in(entry, folder, track, teams):
    """Submit a run of a folder for its team, and have it checked and scored."""
    team, file = teams[entry["team"]], folder / "runs" / entry["file"]
    with file.open("rb") as upload:
        run, _ = submit_run(
            track.tasks.get(slug=entry["task"]),
            by=By(team.memberships.get().user),
            team=team,
            upload=upload,
            file_name=file.name,
            name=entry["name"],
            description=entry["description"],
            query=entry["query"],
            topic_fields=entry["topic_fields"],
        )
    check_run(run.pk)
    run.refresh_from_db()
    if run.state == Run.State.REJECTED and entry.get("rejected"):
        return run
    if run.state != Run.State.VALID:
        raise RuntimeError(f"The demo run {run.name} is {run.state}: {run.problems[:3] or run.failure}")
    if entry.get("official"):
        make_official(run)
    score_now(run=run)
    return run
