"""The desk's tables about pools: what of each run is unjudged, and how the ranking would be without a team."""

from django import forms
from django.views.decorators.http import require_safe

from assessments.forms.pools import DEPTH_SENTENCE
from assessments.models import AssessmentSet
from assessments.services.pools import DEPTH, LARGEST_DEPTH
from campaign.models import Task
from campaign.services.refusals import Refused
from campaign.views.desk.frame import desk_page, render_desk
from evaluation.models import Edition
from evaluation.services.coverage import coverage_lines
from evaluation.services.leave_one_out import check_edition, left_out_lines
from evaluation.services.slow_tables import coverage_report, leave_one_out_report

TAB = "desk-pools"


class Question(forms.Form):
    """Which board is asked about, and how deep."""

    task = forms.ModelChoiceField(
        Task.objects.none(), empty_label=None, error_messages={"invalid_choice": "Choose a task that has a board."}
    )
    depth = forms.IntegerField(
        min_value=1,
        max_value=LARGEST_DEPTH,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "size": 6}),
        error_messages=dict.fromkeys(("required", "invalid", "min_value", "max_value"), DEPTH_SENTENCE),
    )

    def __init__(self, campaign, asked):
        self.tasks = Task.objects.filter(track__campaign=campaign, editions__state=Edition.State.LIVE).for_board()
        first = self.tasks.order_by("track__position", "track", "position", "name").first()
        given = {"task": first.pk if first else "", "depth": str(DEPTH)}
        super().__init__(given | {name: value for name, value in asked.items() if value})
        self.fields["task"].queryset = self.tasks
        self.fields["task"].label_from_instance = lambda task: f"{task.track.name}: {task.name}"

    @property
    def edition(self):
        """Return the board that is asked about."""
        return Edition.objects.select_related("collection").live_for(self.cleaned_data["task"])


class CoverageQuestion(Question):
    """Which board is asked about, how deep, and under which version of the assessments."""

    version = forms.IntegerField(
        required=False, error_messages={"invalid": "Choose a version of the assessments of this track."}
    )

    def version_of(self, edition):
        """Return the version that is asked about: the board's own, unless another one is named."""
        number = self.cleaned_data.get("version")
        if number is None:
            return edition.assessment_set
        found = AssessmentSet.objects.filter(track=edition.task.track, version=number).first()
        if found is None:
            raise Refused(f"{edition.task.track.name} has no version {number} of its assessments.", "version")
        return found


@desk_page
@require_safe
def coverage(request, campaign):
    """Show how much of each run's top results lies in documents that nobody judged."""
    form = CoverageQuestion(campaign, request.GET.dict())

    def ask(edition):
        version = form.version_of(edition)
        answer = coverage_report(edition, version, form.cleaned_data["depth"])
        lines = [] if answer.value is None else coverage_lines(edition, answer.value)
        return {"version": version, "answer": answer, "lines": lines}

    return _answered(request, campaign, form, "desk/coverage.html", ask)


@desk_page
@require_safe
def leave_one_out(request, campaign):
    """Show how a board's ranking would change without what only one team found, for each team."""
    form = Question(campaign, request.GET.dict())

    def ask(edition):
        check_edition(edition)
        answer = leave_one_out_report(edition, form.cleaned_data["depth"])
        lines = [] if answer.value is None else left_out_lines(answer.value)
        return {"answer": answer, "lines": lines, "official": edition.official_measure}

    return _answered(request, campaign, form, "desk/leave_one_out.html", ask)


def _answered(request, campaign, form, template, ask):
    shown = {"form": form, "has_boards": form.tasks.exists()}
    if shown["has_boards"] and form.is_valid() and (edition := form.edition):
        shown |= {
            "edition": edition,
            "depth": form.cleaned_data["depth"],
            "run_count": edition.evaluations.on_board().count(),
            "versions": edition.task.track.assessment_sets.order_by("-version"),
        }
        try:
            shown |= ask(edition)
        except Refused as refusal:
            form.add_error(refusal.field, refusal.reason)
    status = 422 if shown["has_boards"] and form.errors else 200
    return render_desk(request, template, campaign, shown, tab=TAB, status=status)
