"""Forms of the boards and runs on the organiser's desk."""

from contextlib import suppress

from django import forms

from campaign.forms import describe_fields
from campaign.models import Registration, Task, Team
from campaign.moments import MomentFields
from campaign.services.visibility.grants import MOST_RUNS
from limelight.scoring.evaluators import EVALUATORS
from limelight.scoring.profiles import PROFILES, ParameterError, parameters_of, resolve


class MeasuresForm(forms.Form):
    """What ranks a task's board, its profile, and the parameters on top of it; what is left empty is the profile's."""

    official_measure = forms.ChoiceField(
        label="Ranked by",
        help_text="The official measure: the board’s first column, its order and its ranks.",
        error_messages={"invalid_choice": "There is no such measure under these parameters."},
    )
    profile = forms.ChoiceField(choices=[(name, name) for name in PROFILES])
    notes = forms.CharField(
        label="Why",
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 2, "dir": "auto"}),
        help_text="Kept with the edition and in the trail.",
    )

    def __init__(self, *args, task, **kwargs):
        self.parameters = [parameter.name for parameter in parameters_of(task.kind)]
        initial = {"profile": task.profile, "official_measure": task.official_measure or EVALUATORS[task.kind].official}
        initial |= {f"parameter-{name}": _written(value) for name, value in task.parameters.items()}
        super().__init__(*args, initial=initial, **kwargs)
        if self.is_bound and "official_measure" not in self.data:  # what is not sent stays as it is
            self.data = {**self.data.dict(), "official_measure": initial["official_measure"]}
        under_profile = resolve(task.kind, task.profile)
        for parameter in parameters_of(task.kind):
            default = under_profile.get(parameter.name)
            said = f" Under {task.profile}: {_written(default)}." if default is not None else ""
            self.fields[f"parameter-{parameter.name}"] = forms.CharField(
                label=parameter.name,
                required=False,
                max_length=500,
                help_text=f"{parameter.explanation} Takes {parameter.accepts}.{said}",
                widget=forms.TextInput(attrs={"autocomplete": "off"}),
            )
        parameters = [f"parameter-{name}" for name in self.parameters]
        self.order_fields(["official_measure", "profile", *parameters, "notes"])
        self.fields["official_measure"].choices = self._choices(task)
        describe_fields(self)

    def _choices(self, task):
        """Return the measures of a task as it is, and as what was sent would make it."""
        measures = EVALUATORS[task.kind].ordered(task.profile, task.parameters)
        if self.is_bound:
            sent = {name: self.data.get(f"parameter-{name}", "").strip() for name in self.parameters}
            sent = {name: value for name, value in sent.items() if value}
            with suppress(ParameterError):  # the fault is told by its own field, or by the service
                measures += EVALUATORS[task.kind].ordered(self.data.get("profile", ""), sent)
        return [(name, f"{name}: {label}") for name, label in {found.name: found.label for found in measures}.items()]

    def given(self):
        """Return the parameters that were filled in."""
        filled = {name: self.cleaned_data[f"parameter-{name}"].strip() for name in self.parameters}
        return {name: value for name, value in filled.items() if value}


def _written(value):
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


class GrantForm(MomentFields, forms.Form):
    """More runs, or more time, for a team."""

    moments = ("until",)
    task = forms.ModelChoiceField(
        Task.objects.none(), empty_label=None, error_messages={"invalid_choice": "Choose a task of this campaign."}
    )
    team = forms.ModelChoiceField(
        Team.objects.none(), empty_label=None, error_messages={"invalid_choice": "Choose a team of this campaign."}
    )
    extra_runs = forms.IntegerField(
        label="More runs",
        required=False,
        min_value=0,
        max_value=MOST_RUNS,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
        help_text="On top of the task’s quota.",
        error_messages=dict.fromkeys(("min_value", "max_value"), f"Grant 1 to {MOST_RUNS:,} more runs."),
    )
    reason = forms.CharField(
        label="Why",
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 2, "dir": "auto"}),
        help_text="The team reads it, and the trail keeps it.",
        error_messages={"required": "Say why: the team reads it, and the trail keeps it."},
    )

    def __init__(self, *args, campaign, **kwargs):
        super().__init__(*args, **kwargs)
        self.fields["task"].queryset = Task.objects.filter(track__campaign=campaign).select_related("track__campaign")
        self.fields["task"].label_from_instance = lambda task: f"{task.track.name} › {task.name}"
        admitted = Registration.objects.filter(campaign=campaign, state=Registration.State.APPROVED)
        self.fields["team"].queryset = Team.objects.filter(registrations__in=admitted).order_by("name")
        self.add_moment("until", "Open until", required=False)
        self.fields["until_on"].help_text = "Until then this team may submit, although the task has closed."
        self.add_zone()
        self.order_fields(["task", "team", "extra_runs", "until_on", "zone", "reason"])
        describe_fields(self)

    def allowance(self):
        """Return what is to be granted, and to whom."""
        given = {name: self.cleaned_data[name] for name in ("task", "team", "extra_runs", "reason")}
        return given | {"open_until": self.cleaned_data["until_at"]}
