"""Forms of the boards and runs on the organiser's desk."""

from django import forms

from campaign.forms import describe_fields
from campaign.models import Registration, Task, Team
from campaign.moments import MomentFields
from campaign.services.grants import MOST_RUNS
from evaluation.profiles import PROFILES, parameters_of, resolve


class MeasuresForm(forms.Form):
    """A task's profile, and the parameters one may set on top of it; what is left empty is the profile's."""

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
        initial = {"profile": task.profile}
        initial |= {f"parameter-{name}": _written(value) for name, value in task.parameters.items()}
        super().__init__(*args, initial=initial, **kwargs)
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
        self.order_fields(["profile", *(f"parameter-{name}" for name in self.parameters), "notes"])
        describe_fields(self)

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
