"""The form in which organisers grant a team more runs, or more time."""

from django import forms

from campaign.forms.fields import describe_fields
from campaign.forms.moment_fields import MomentFields
from campaign.models import Registration, Task, Team
from campaign.services.visibility.grants import MOST_RUNS
from limelight.wording import LONGEST_REMARK


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
        max_length=LONGEST_REMARK,
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

    def add_error(self, field, error):
        """Put what is wrong with a moment beside its first field."""
        super().add_error("until_on" if field == "open_until" else field, error)

    def answers(self):
        """Return what is to be granted, and to whom."""
        given = {name: self.cleaned_data[name] for name in ("task", "team", "extra_runs", "reason")}
        return given | {"open_until": self.cleaned_data["until_at"]}
