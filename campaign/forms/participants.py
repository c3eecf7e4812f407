"""Forms that participants fill in."""

from django import forms
from django.core.validators import RegexValidator

from campaign.forms.fields import MAY_HOLD_MARKDOWN, describe_fields
from campaign.forms.uploads import WithFile
from campaign.models import Notification, Registration, Run, Team
from campaign.models.runs import RUN_NAME
from limelight.formats.topics.inex import TOPIC_FIELDS
from limelight.wording import LONGEST_REMARK


class TeamForm(forms.Form):
    """What a team says about itself."""

    name = forms.CharField(
        label="Team name",
        max_length=500,
        widget=forms.TextInput(attrs={"dir": "auto", "autocomplete": "off"}),
        help_text="As it will stand on boards, in any script.",
        error_messages={"required": "Give the team a name."},
    )
    affiliation = forms.CharField(
        max_length=500,
        required=False,
        widget=forms.TextInput(attrs={"dir": "auto", "autocomplete": "organization"}),
        help_text="University, company or group.",
    )
    participant_number = forms.CharField(
        label="INEX participant number",
        max_length=20,
        required=False,
        validators=[RegexValidator(r"\A[0-9]*\Z", "A participant number has digits only.")],
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
        help_text="Only for teams that had one at INEX.",
    )

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        describe_fields(self)


class RegisterForm(forms.Form):
    """A leader's acceptance of a campaign's agreement for a team."""

    team = forms.ModelChoiceField(
        Team.objects.none(),
        empty_label=None,
        error_messages={
            "required": "Choose one of the teams that you lead.",
            "invalid_choice": "Choose one of the teams that you lead.",
        },
    )
    version = forms.IntegerField(widget=forms.HiddenInput)
    accepted = forms.BooleanField(required=False)

    def __init__(self, *args, user, offered, **kwargs):
        super().__init__(*args, **kwargs)
        # Any team may be sent again, by a second click; only those with something to accept are offered.
        self.fields["team"].queryset = Team.objects.led_by(user)
        self.fields["team"].widget.choices = [(team.pk, team.name) for team in offered]


class DecisionForm(forms.Form):
    """What an organiser says about a team that wants to take part."""

    approve = forms.TypedChoiceField(
        choices=[("yes", "approve"), ("no", "refuse")], coerce=lambda answer: answer == "yes"
    )
    reason = forms.CharField(required=False, max_length=LONGEST_REMARK)
    seen = forms.ChoiceField(required=False, choices=Registration.State.choices)


class SubmitForm(WithFile, forms.Form):
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
        help_text="Letters, digits and . _ + - ; left empty, it is the run id in the file.",
    )
    description = forms.CharField(
        required=False,
        max_length=LONGEST_REMARK,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=f"How the run was made, in a line or two. {MAY_HOLD_MARKDOWN}",
    )
    query = forms.ChoiceField(
        label="Queries",
        required=False,
        choices=[("", "not said"), *Run.Query.choices],
        help_text="Was a person in the loop?",
    )
    topic_fields = forms.MultipleChoiceField(
        label="Topic fields used",
        required=False,
        choices=[(name, name) for name in TOPIC_FIELDS],
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, *args, teams, **kwargs):
        super().__init__(*args, **kwargs)
        self.fields["team"].queryset = teams
        describe_fields(self)


class NotificationSettingsForm(forms.Form):
    """A tick for each kind of notification that a person wants by mail."""

    by_mail = forms.MultipleChoiceField(
        label="By mail, when",
        required=False,
        choices=Notification.Kind.choices,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"invalid_choice": "There is no notification “%(value)s”."},
    )

    def __init__(self, *args, user, **kwargs):
        self.user = user
        wanted = [kind for kind in Notification.Kind.values if kind not in user.unmailed]
        super().__init__(*args, initial={"by_mail": wanted}, **kwargs)

    def save(self):
        """Keep what is not wanted: a kind that is new one day is mailed until somebody says no."""
        self.user.unmailed = [kind for kind in Notification.Kind.values if kind not in self.cleaned_data["by_mail"]]
        self.user.save(update_fields=["unmailed"])


class TokenForm(forms.Form):
    """What a new API token is called."""

    name = forms.CharField(
        max_length=100,
        help_text="What will use it, so that you know later which one to revoke: “laptop”, “nightly script”.",
        widget=forms.TextInput(attrs={"aria-describedby": "id_name_help", "autocomplete": "off"}),
    )
