"""Forms of the boards and runs on the organiser's desk."""

from datetime import UTC

from django import forms
from django.utils import timezone

from campaign.forms import describe_fields
from campaign.models import Registration, Task, Team
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


class MomentInUtc(forms.DateTimeField):
    """A moment that is meant in UTC, whatever time zone the site is set to."""

    def to_python(self, value):
        """Read the moment."""
        with timezone.override(UTC):
            return super().to_python(value)


class GrantForm(forms.Form):
    """More runs, or more time, for a team."""

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
    )
    open_until = MomentInUtc(
        label="Open until",
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "placeholder": "2026-03-31 23:59"}),
        help_text="UTC, as 2026-03-31 23:59. Until then this team may submit, although the task has closed.",
        error_messages={"invalid": "Write the moment as 2026-03-31 23:59."},
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
        describe_fields(self)
