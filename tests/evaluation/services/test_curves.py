"""Which curves a person gets: the best of each team and one's own at first, others by name, none that are hidden."""

import csv
import io
import json

import numpy as np
import pytest
from django.db import connection
from django.http import QueryDict
from django.test.utils import CaptureQueriesContext

from campaign.models import Pseudonym, Run, Task
from campaign.services.permissions.seeing import board_view
from evaluation.models import Curve, Edition, Evaluation, Score
from evaluation.services.curves import AskedCurves, as_json, curves_as_csv, curves_of
from evaluation.services.line_styles import line_styles
from limelight.figures import FEWEST_FOR_A_BAND
from tests.world import World


def curve(start, count=101):
    return start * (1 - np.linspace(0, 1, count))


class Field(World):
    """A board with runs that were made up: so many teams, each with two runs."""

    def __init__(self, teams=4):
        super().__init__()
        self.activate()
        self.edition = Edition.objects.live_for(self.task)
        self.teams = [self.alices, self.bobs, *(self.team_of(f"p{n}", f"Team-{n}")[1] for n in range(teams - 2))]
        for place, team in enumerate(self.teams):
            Pseudonym.objects.create(task=self.task, team=team, name=f"Team {place:04X}")
            for second in (0, 1):
                self.add(team, f"run-{place}-{second}", 0.9 - 0.05 * place - 0.02 * second)

    def add(self, team, name, mean, edition=None):
        edition = edition or self.edition
        run = Run.objects.filter(name=name).first() or Run.objects.create(
            task=self.task, team=team, name=name, state=Run.State.VALID, sha256="0" * 64, size=1, file_name="x"
        )
        done = Evaluation.objects.create(run=run, edition=edition, state=Evaluation.State.DONE, run_sha256="0" * 64)
        Score.objects.create(evaluation=done, measure=edition.official_measure, mean=mean, topic_values=[mean])
        Curve.objects.create(evaluation=done, name="iP", values=curve(mean))
        return run

    def figure(self, user=None, asked=None, edition=None):
        return curves_of(edition or self.edition, board_view(user or self.visitor_with_account, self.task), asked)

    def names(self, *arguments):
        return [line.name for line in self.figure(*arguments).chart.lines]


@pytest.fixture
def field(db):
    return Field()


def test_at_first_the_best_run_of_each_team_is_drawn_best_first(field):
    assert field.names() == ["run-0-0", "run-1-0", "run-2-0", "run-3-0"]


@pytest.mark.django_db
def test_at_first_there_are_eight_teams_and_ones_own():
    field = Field(teams=12)
    last = field.person("last")
    field.teams[11].memberships.create(user=last, role="member")

    assert field.names() == [f"run-{place}-0" for place in range(8)]
    assert field.names(last) == [*(f"run-{place}-0" for place in range(8)), "run-11-0"]


def test_at_first_curves_are_among_the_rows_of_the_page(field):
    rows = set(Run.objects.filter(name__endswith="-1").values_list("code", flat=True))
    view = board_view(field.visitor_with_account, field.task)

    figure = curves_of(field.edition, view, among=rows)

    assert [line.name for line in figure.chart.lines] == ["run-0-1", "run-1-1", "run-2-1", "run-3-1"]
    assert figure.chart.background.run_count == 8
    assert len(curves_of(field.edition, view, among={"none"}).drawn) == 4


def test_runs_are_drawn_by_their_codes_in_the_boards_order(field):
    codes = list(Run.objects.filter(name__in=["run-3-1", "run-0-1"]).order_by("-name").values_list("code", flat=True))

    assert field.names(None, AskedCurves(tuple(codes))) == ["run-0-1", "run-3-1"]
    assert field.names(None, AskedCurves(())) == []


@pytest.mark.parametrize(
    ("query", "codes", "zoom"),
    [
        ("", None, ""),
        ("curves=", (), ""),
        ("curves=k7,x2,k7", ("k7", "x2"), ""),
        ("curves=k7&curves=x2&zoom=1-50", ("k7", "x2"), "1-50"),
    ],
)
def test_an_address_asks_for_curves_and_a_stretch(query, codes, zoom):
    assert AskedCurves.by(QueryDict(query)) == AskedCurves(codes, zoom)


def test_a_run_that_is_not_there_is_told_in_a_sentence(field):
    figure = field.figure(None, AskedCurves(("nope", "no\u202epe2", "c", "d", "e")))

    assert figure.notes == ("There is no run “nope”, “nope2”, “c” and 2 more among those you see on this board.",)
    assert figure.chart.lines == []


@pytest.mark.django_db
def test_no_more_than_twenty_curves_are_drawn_at_once():
    field = Field(teams=12)
    codes = tuple(Run.objects.values_list("code", flat=True))

    figure = field.figure(None, AskedCurves(codes))

    assert len(figure.chart.lines) == 20
    assert figure.notes == ("The first 20 of 24 curves are drawn.",)


def test_a_stretch_that_is_none_is_told_in_a_sentence(field):
    figure = field.figure(None, AskedCurves(zoom="<b>"))

    assert figure.notes == ("“<b>” is no stretch of the curves: it is written as 0-0.1 or 0-1.",)
    assert str(figure.chart.stretch) == "0-1"


def test_stretches_are_offered_and_the_one_that_is_shown_is_marked(field):
    def offered(zoom):
        return [(zoom.label, zoom.name, zoom.is_shown) for zoom in field.figure(None, AskedCurves(zoom=zoom)).zooms]

    assert offered("") == [("all recall levels", "", True), ("recall 0 to 0.1", "0-0.1", False)]
    assert offered("0-0.1")[1] == ("recall 0 to 0.1", "0-0.1", True)
    assert offered("0.2-0.5")[2] == ("recall 0.2 to 0.5", "0.2-0.5", True)


def test_behind_fewer_than_eight_runs_are_thin_lines_and_behind_more_a_band(field):
    assert field.figure().chart.background.quartiles is not None
    Run.objects.filter(name__endswith="-1").update(withdrawn_at=field.task.opens_at)

    background = field.figure().chart.background

    assert background.run_count == 4 < FEWEST_FOR_A_BAND
    assert len(background.lines) == 4


def test_while_other_scores_are_hidden_there_are_only_ones_own_curves_and_nothing_behind_them(field):
    Task.objects.update(other_scores_visible="at-publication")
    field.task.refresh_from_db()

    figure = field.figure(field.alice)

    assert [line.name for line in figure.chart.lines] == ["run-0-0", "run-0-1"]
    assert figure.chart.background.run_count == 0
    assert field.figure(field.visitor_with_account) is None
    theirs = Run.objects.get(name="run-1-0").code
    assert field.figure(field.alice, AskedCurves((theirs,))).chart.lines == []


def test_while_names_are_hidden_codes_and_pseudonyms_stand_for_them(field):
    Task.objects.update(names_visible="never")
    field.task.refresh_from_db()

    told = json.dumps(as_json(field.figure())) + curves_as_csv(field.figure())

    assert "run-" not in told and "Lund" not in told
    assert Run.objects.get(name="run-0-0").code in told and "Team 0000" in told


def test_a_withdrawn_run_is_gone(field):
    run = Run.objects.get(name="run-0-0")
    Run.objects.filter(pk=run.pk).update(withdrawn_at=field.task.opens_at)

    assert field.names()[0] == "run-0-1"
    assert field.figure(None, AskedCurves((run.code,))).chart.lines == []


def test_a_line_stays_the_same_through_editions_sorting_and_later_runs(field):
    before = line_styles(field.task, board_view(field.alice, field.task))
    second = Edition.objects.create(
        **{name: getattr(field.edition, name) for name in ("task", "assessment_set", "profile", "official_measure")},
        number=2,
        engine_version="1",
        axis=field.edition.axis,
        topic_numbers=field.edition.topic_numbers,
        state=Edition.State.SUPERSEDED,
    )
    field.add(field.teams[3], "run-3-0", 0.99, second)
    field.add(field.teams[2], "run-2-9", 0.97)

    styles = {line.code: line.style for line in field.figure(edition=second).chart.lines}
    after = line_styles(field.task, board_view(field.alice, field.task))

    assert styles.items() <= before.items() <= after.items()
    assert len({before[run.code].hue for run in Run.objects.filter(team=field.teams[1], name__lt="run-2-9")}) == 1


@pytest.mark.parametrize("hidden", [{"names_visible": "never"}, {"other_scores_visible": "never"}])
def test_while_something_is_hidden_lines_go_by_codes_alone(field, hidden):
    Task.objects.update(**hidden)
    field.task.refresh_from_db()
    view = board_view(field.alice, field.task)
    before = line_styles(field.task, view)

    Run.objects.filter(team=field.bobs).update(team=field.teams[3])
    Pseudonym.objects.filter(team=field.alices).delete()

    assert line_styles(field.task, view) == before


def test_what_the_script_reads_is_small_and_has_four_decimals(field):
    told = as_json(field.figure())

    assert told["axis"] == {"name": "recall", "first": 0.0, "step": 0.01}
    assert told["runs"][0]["values"][:2] == [0.9, 0.891]
    assert (told["stretch"], told["height"], told["across"][:2]) == ([0.0, 1.0], 1.0, [0.0, 0.2])
    assert set(told["background"]) == {"run_count", "lower", "median", "upper"}
    assert len(json.dumps(told)) < 30_000


def test_the_table_of_a_file_has_every_point_and_by_what_it_was_made(field):
    rows = list(csv.DictReader(io.StringIO(curves_as_csv(field.figure()))))

    assert len(rows) == (4 + 3) * 101
    assert rows[1] == {
        "edition": "1",
        "assessments": "1",
        "profile": field.edition.profile,
        "engine": field.edition.engine_version,
        "code": Run.objects.get(name="run-0-0").code,
        "run": "run-0-0",
        "team": "Lund",
        "recall": "0.01",
        "iP": str(0.9 * 0.99),
    }
    assert {row["run"] for row in rows if not row["code"]} == {
        "lower quartile of 8 runs",
        "median of 8 runs",
        "upper quartile of 8 runs",
    }


def test_the_short_table_has_the_median_last(field):
    places, rows = field.figure().table

    assert places == ["0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1"]
    assert [line and line.name for line, _ in rows] == ["run-0-0", "run-1-0", "run-2-0", "run-3-0", None]
    assert rows[0][1][5] == pytest.approx(0.45)


@pytest.mark.django_db
@pytest.mark.parametrize("teams", [3, 15])
def test_a_figure_takes_three_queries_however_many_runs_there_are(teams):
    field = Field(teams)
    view = board_view(field.alice, field.task)

    with CaptureQueriesContext(connection) as caught:
        curves_of(field.edition, view)

    assert len(caught) == 3
