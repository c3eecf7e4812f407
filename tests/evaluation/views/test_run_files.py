"""The files of a run for everyone who may have them: as it was submitted, and as it was scored."""

import shlex

import pytest
from django.urls import reverse

import limelight
from campaign.models import Task
from campaign.services.runs.checks import check_run
from evaluation.models import Score
from limelight.__main__ import main
from limelight.scoring.evaluators import EVALUATORS
from tests.world import GOOD_RUN, World, score_all

OPEN = {
    **dict.fromkeys(("own_scores_visible", "other_scores_visible", "names_visible"), "at-once"),
    **dict.fromkeys(("runs_visible", "assessments_visible"), "at-once"),
}
RUNS = {
    "focused": GOOD_RUN,
    "thorough": GOOD_RUN + b"1 Q0 a 3 7.5 good 20 60\n",
    "relevant-in-context": GOOD_RUN,
    "best-in-context": b"1 Q0 a 1 9 good 30 0\n2 Q0 c 1 9 good 7 0\n2 Q0 a 2 8 good 100 0\n3 Q0 d 1 9 good 10 0\n",
    "document": b"1 Q0 b 1 7 good\n1 Q0 a 2 9 good\n2 Q0 c 1 9 good\n3 Q0 a 1 9 good\n3 Q0 d 2 8 good\n",
}
ELEMENTS = b"1 Q0 a 1 9 paths /article[1]/p[1]\n2 Q0 c 1 7 paths /article[1]/p[2]\n2 Q0 a 2 6 paths /article[1]\n"


def article(first):
    """Return a document of 200 characters, so many in its first paragraph."""
    words = ("salt  and\npepper " * 20)[:200]
    return f"<article><p>{words[:first]}</p><p>{words[first:]}</p></article>".encode()


def address(run, name, *number):
    return reverse(name, args=[*run.task.address, *number, run.code])


def opened(world):
    Task.objects.update(**OPEN)
    world.task.refresh_from_db()
    return world


def downloaded(client, run, folder, number):
    """Save what the page of a run in an edition offers, and return the command that it shows."""
    page = client.get(address(run, "edition-run", number)).content.decode()
    command = page.partition("<pre><code>")[2].partition("</code></pre>")[0]
    for href in ("scored-file", "edition-scored-file"):
        name = address(run, href, *([number] if href.startswith("edition") else []))
        if f'href="{name}"' in page:
            break
    for source in (name, page.partition("<p>\n    With")[2].partition('href="')[2].partition('"')[0]):
        answer = client.get(source)
        saved = answer["Content-Disposition"].partition('filename="')[2].rstrip('"')
        (folder / saved).write_bytes(answer.getvalue())
    return shlex.split(command)


@pytest.mark.parametrize("kind", EVALUATORS)
def test_the_command_on_a_run_page_gives_its_score_from_the_files_beside_it(
    db, settings, tmp_path, client, capsys, monkeypatch, kind
):
    settings.MEDIA_ROOT = tmp_path / "media"
    world = opened(World(kind))
    world.activate()
    run = world.scored(RUNS[kind], "good")

    words = downloaded(client, run, tmp_path, 1)
    monkeypatch.chdir(tmp_path)
    assert main([*words[1:], "--format", "json"]) == 0

    told = capsys.readouterr().out
    score = Score.objects.get(evaluation__run=run, measure=EVALUATORS[kind].official)
    assert str(score.mean) in told


def test_elements_are_scored_the_same_without_the_documents(world, client, tmp_path):
    world.give_text(**{name: article(50) for name in "abcd"})
    opened(world).activate()
    run = world.scored(ELEMENTS, "paths")
    world.give_text(a=article(90))  # a later edition lies on another text
    check_run(run.pk)
    world.activate()
    score_all()

    for number in (1, 2):
        words = downloaded(client, run, tmp_path, number)
        scores = limelight.score(tmp_path / words[-2], tmp_path / words[-1], task="focused")
        stored = Score.objects.get(evaluation__run=run, evaluation__edition__number=number, measure="iMAP").mean
        assert scores.means["iMAP"] == stored
    assert client.get(address(run, "edition-scored-file", 1)).content.startswith(b"1 Q0 a 1 9.0 paths 0 50\n")
    assert client.get(address(run, "scored-file")).content.startswith(b"1 Q0 a 1 9.0 paths 0 90\n")


def test_the_file_as_submitted_is_the_very_file(world, client):
    opened(world).activate()
    run = world.scored(GOOD_RUN, "good")

    answer = client.get(address(run, "public-file"))

    assert answer.getvalue() == GOOD_RUN
    assert answer["Content-Disposition"] == 'attachment; filename="good.fol"'


@pytest.mark.parametrize("switch", ["other_scores_visible", "names_visible", "runs_visible"])
def test_files_are_there_where_scores_names_and_runs_are(world, client, switch):
    opened(world).activate()
    run = world.scored(GOOD_RUN, "good")
    Task.objects.update(**{switch: "never"})

    for name in ("public-file", "scored-file"):
        assert client.get(address(run, name)).status_code == 404
        client.force_login(world.alice)
        assert client.get(address(run, name)).status_code == 200
        client.logout()
    assert client.get(address(run, "edition-scored-file", 1)).status_code == 404


def test_no_file_is_there_of_a_run_that_left_or_of_an_edition_without_it(world, client):
    opened(world).activate()
    run = world.scored(GOOD_RUN, "good")

    assert client.get(address(run, "edition-scored-file", 7)).status_code == 404
    run.evaluations.all().delete()
    assert client.get(address(run, "scored-file")).status_code == 404
    run.withdrawn_at = run.created_at
    run.save()
    assert client.get(address(run, "public-file")).status_code == 404


def test_a_command_is_only_told_to_those_who_may_have_both_files(world, client):
    opened(world).activate()
    run = world.scored(GOOD_RUN, "good")
    assert "limelight score" in client.get(address(run, "public-run")).content.decode()

    for switch in ("names_visible", "runs_visible", "assessments_visible"):
        Task.objects.update(**(OPEN | {switch: "never"}))
        assert "limelight score" not in client.get(address(run, "public-run")).content.decode(), switch
