"""Forms that participants fill in."""

from django import forms

from campaign.models import Run, Team
from campaign.models.runs import RUN_NAME

TOPIC_FIELDS = [(name, name) for name in ("title", "castitle", "phrasetitle", "description", "narrative")]


class SubmitForm(forms.Form):
    """A run file and what its team says about it."""

    team = forms.ModelChoiceField(Team.objects.none(), empty_label=None)
    file = forms.FileField(
        label="Run file",
        allow_empty_file=True,  # refused with our own sentence
        error_messages={"required": "Choose the run file to submit."},
    )
    name = forms.CharField(
        label="Run name",
        max_length=64,
        required=False,
        validators=[RUN_NAME],
        help_text="Letters, digits and . _ + - ; left empty, it is made from the file’s name.",
    )
    description = forms.CharField(
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="How the run was made, in a line or two.",
    )
    query = forms.ChoiceField(
        label="Queries",
        required=False,
        choices=[("", "not said"), *Run.Query.choices],
        help_text="Was a person in the loop?",
    )
    topic_fields = forms.MultipleChoiceField(
        label="Topic fields used", required=False, choices=TOPIC_FIELDS, widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, *args, teams, **kwargs):
        super().__init__(*args, **kwargs)
        self.fields["team"].queryset = teams
        for name, field in self.fields.items():
            field.widget.attrs.setdefault("aria-describedby", f"id_{name}_help") if field.help_text else None


class TokenForm(forms.Form):
    """What a new API token is called."""

    name = forms.CharField(
        max_length=100,
        help_text="What will use it, so that you know later which one to revoke: “laptop”, “nightly script”.",
        widget=forms.TextInput(attrs={"aria-describedby": "id_name_help", "autocomplete": "off"}),
    )
