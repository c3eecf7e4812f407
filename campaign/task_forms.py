"""The form in which organisers set up a task."""

from copy import copy

from django import forms

from campaign.forms import describe_fields
from campaign.models import Task
from campaign.moments import MomentFields
from campaign.services.changes import fingerprint
from campaign.setup_forms import text_area, text_input
from evaluation.profiles import PROFILES

LARGEST_NUMBER = 1_000_000_000


class TaskForm(MomentFields, forms.ModelForm):
    """A task: its kind, rules, measures, dates, quota, and who sees what when."""

    moments = ("opens", "closes")
    asks_about = 0
    """So many runs would be checked again: the page asks first."""

    parameters = forms.CharField(
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false"}),
        help_text="On top of the profile, one a line: beta = 1/4",
    )
    profile = forms.ChoiceField(
        choices=[(name, name) for name in PROFILES], error_messages={"invalid_choice": "There is no such profile."}
    )

    class Meta:
        model = Task
        fields = [
            "name",
            "kind",
            "description",
            "result_limit",
            "topic_budget",
            "article_budget",
            "quota",
            "profile",
            "own_scores_visible",
            "other_scores_visible",
            "names_visible",
            "assessments_visible",
        ]
        widgets = {"name": text_input(), "description": text_area(4)}
        labels = {
            "own_scores_visible": "A team's own scores",
            "other_scores_visible": "Other teams' scores",
            "names_visible": "Teams' names",
            "assessments_visible": "The assessments",
            "quota": "Runs a team",
            "result_limit": "Results a topic",
            "topic_budget": "Characters a topic",
            "article_budget": "Characters an article",
        }
        error_messages = {"name": {"required": "Give the task a name."}}

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        task = self.instance if self.instance.pk else None
        self.before = copy(self.instance)  # a bound form writes what was typed onto the instance
        self.add_moment("opens", "Opens", moment=task and task.opens_at)
        self.add_moment("closes", "Closes", moment=task and task.closes_at)
        self.add_zone()
        for name in ("result_limit", "topic_budget", "article_budget"):
            self.fields[name].max_value = LARGEST_NUMBER
            self.fields[name].widget.attrs["min"] = 1
        if task:
            self.fields["parameters"].initial = written(task.parameters)
        self.has_board = task is not None and task.editions.scoring().exists()
        if self.has_board:  # its measures are changed where its boards are built
            del self.fields["profile"], self.fields["parameters"]
        describe_fields(self)

    @property
    def shown(self):
        """Return what tells this task, as it is now, from one that somebody changed meanwhile."""
        return fingerprint(self.before, [*self.Meta.fields, "parameters", "opens_at", "closes_at"])

    def clean_parameters(self):
        """Read a parameter a line."""
        read = {}
        for number, line in enumerate(self.cleaned_data["parameters"].splitlines(), start=1):
            name, equals, value = (part.strip() for part in line.partition("="))
            if not name and not equals:
                continue
            if not name or not value:
                raise forms.ValidationError(f"Line {number} is not a parameter. Write it as: name = value")
            if name in read:
                raise forms.ValidationError(f"Line {number}: {name} was set before.")
            read[name] = value
        return read

    def clean(self):
        """Refuse budgets of nothing and numbers that no column holds."""
        cleaned = super().clean()
        for name in ("result_limit", "topic_budget", "article_budget"):
            if cleaned.get(name) is not None and not 1 <= cleaned[name] <= LARGEST_NUMBER:
                self.add_error(name, f"Write a whole number from 1 to {LARGEST_NUMBER:,}.")
        if cleaned.get("quota") is not None and not 1 <= cleaned["quota"] <= 32_767:
            self.add_error("quota", "Write a whole number from 1 to 32,767.")
        return cleaned

    def answers(self):
        """Return the task's fields."""
        names = [*self.Meta.fields, "parameters", "opens_at", "closes_at"]
        kept = {"profile": self.instance.profile, "parameters": self.instance.parameters} if self.has_board else {}
        return {name: self.cleaned_data[name] for name in names if name not in kept} | kept


def written(parameters):
    """Write parameters as they are entered, one a line.

    >>> written({"beta": "1/4", "cutoffs": [5, 10]})
    'beta = 1/4\\ncutoffs = 5,10'
    """
    return "\n".join(
        f"{name} = {','.join(map(str, value)) if isinstance(value, list | tuple) else value}"
        for name, value in parameters.items()
    )
