"""The form in which organisers make a pool."""

from django import forms

from assessments.services.pools import DEPTH, LARGEST_DEPTH

DEPTH_SENTENCE = f"A depth is a whole number from 1 to {LARGEST_DEPTH:,}."
LIMIT_SENTENCE = "A limit is a whole number from 1, or empty for none."


class RunChoice(forms.ModelMultipleChoiceField):
    """Runs to tick, each with its team and task."""

    widget = forms.CheckboxSelectMultiple

    def label_from_instance(self, run):
        return f"{run.name} ({run.team.name}, {run.task.name})"


class PoolForm(forms.Form):
    """Which runs a pool is made of, and how deep it goes."""

    depth = forms.IntegerField(
        initial=DEPTH,
        min_value=1,
        max_value=LARGEST_DEPTH,
        help_text="How many results a topic are taken from each run; INEX 2003 took 100. A document is pooled when "
        "a part of it is among them.",
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
        error_messages=dict.fromkeys(("required", "invalid", "min_value", "max_value"), DEPTH_SENTENCE),
    )
    runs_per_team = forms.IntegerField(
        label="Runs a team at most",
        min_value=1,
        required=False,
        help_text="Of the ticked ones, a team’s official runs come first, then the others as they were submitted. "
        "Empty: no limit.",
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
        error_messages=dict.fromkeys(("invalid", "min_value"), LIMIT_SENTENCE),
    )
    version = forms.TypedChoiceField(
        label="Judged under", coerce=int, required=False, empty_value=None, help_text="What counts as judged already."
    )
    leaves_out = forms.BooleanField(label="Leave out documents that are judged already", required=False)
    runs = RunChoice(
        queryset=None,
        error_messages={
            "required": "Choose at least one run.",
            "invalid_choice": "One of these runs has been withdrawn or is no longer valid. Look at the list again.",
            "invalid_pk_value": "Choose runs from the list.",
            "invalid_list": "Choose runs from the list.",
        },
    )

    def __init__(self, runs, versions, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.fields["runs"].queryset = runs
        self.versions = {version.version: version for version in versions}
        self.fields["version"].choices = [(number, f"v{number}") for number in self.versions]
        if not self.versions:
            del self.fields["version"], self.fields["leaves_out"]
        for name, field in self.fields.items():
            if field.help_text:
                field.widget.attrs.setdefault("aria-describedby", f"id_{name}_help")

    @property
    def judged_under(self):
        """Return the version under which documents count as judged: the newest one, unless another is chosen."""
        number = self.cleaned_data.get("version")
        return self.versions.get(number) or next(iter(self.versions.values()), None)

    @property
    def without(self):
        """Return the version whose judged documents are left out, if they are."""
        return self.judged_under if self.cleaned_data.get("leaves_out") else None
