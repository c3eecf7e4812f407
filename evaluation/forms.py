"""Forms of the boards and runs on the organiser's desk."""

from contextlib import suppress

from django import forms

from campaign.forms.fields import describe_fields
from limelight.scoring.evaluators import EVALUATORS
from limelight.scoring.profiles import PROFILES, ParameterError, parameters_of, resolve
from limelight.wording import LONGEST_REMARK


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
        max_length=LONGEST_REMARK,
        widget=forms.Textarea(attrs={"rows": 2, "dir": "auto"}),
        help_text="Kept with the edition and in the trail.",
    )

    def __init__(self, *args, task, **kwargs):
        self.parameters = [parameter.name for parameter in parameters_of(task.kind)]
        initial = {"profile": task.profile, "official_measure": task.ranked_by}
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
