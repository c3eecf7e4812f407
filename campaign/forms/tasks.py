"""The form in which organisers set up a task."""

from copy import copy

from django import forms

from campaign.forms.fields import MAY_HOLD_MARKDOWN, describe_fields
from campaign.forms.moment_fields import MomentFields
from campaign.forms.setup import text_area, text_input
from campaign.later import boards_of
from campaign.models import SWITCHES, Task
from campaign.services.setup.task_settings import MEASURES, faults, shown_task
from campaign.services.telling.audit import fingerprint, stale_sentence
from limelight.scoring.evaluators import ranked_by
from limelight.scoring.profiles import PROFILES

LARGEST_NUMBER = 1_000_000_000


class TaskForm(MomentFields, forms.ModelForm):
    """A task: its kind, rules, measures, dates, quota, and who sees what when."""

    moments = ("opens", "closes")
    questions = ()
    """What the page asks before it saves."""

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
            "official_measure",
            *SWITCHES,
        ]
        widgets = {"name": text_input(), "description": text_area(4), "official_measure": text_input()}
        labels = {
            "own_scores_visible": "A team's own scores",
            "other_scores_visible": "Other teams' scores",
            "names_visible": "Teams' names",
            "runs_visible": "What runs returned",
            "assessments_visible": "The assessments",
            "official_measure": "Ranked by",
            "quota": "Runs a team",
            "result_limit": "Results a topic",
            "topic_budget": "Characters a topic",
            "article_budget": "Characters an article",
        }
        help_texts = {"description": MAY_HOLD_MARKDOWN}
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
        self.has_board = task is not None and boards_of(task).take_runs
        if self.has_board:  # its measures are changed where its boards are built
            for name in MEASURES:
                del self.fields[name]
        elif self.initial.get("official_measure") == ranked_by(self.initial.get("kind")):
            self.initial["official_measure"] = ""  # so that it follows the kind
        describe_fields(self)

    @property
    def shown(self):
        """Return what tells this task, as it is now, from one that somebody changed meanwhile."""
        return fingerprint(shown_task(self.before))

    def add_faults(self, track, seen=""):
        """Tell everything that is wrong at once: what was typed, what the track says, and what somebody else saved."""
        task = self.before if self.before.pk else None
        self.full_clean()
        for field, sentence in faults(track, self.answers(), task):
            self.add_error(field if field in self.fields else None, sentence)
        if task and (sentence := stale_sentence("this task", shown_task(task), seen)):
            self.add_error(None, sentence)

    @property
    def about(self):
        """Return what the answer to the questions has to name, so that a yes to some is no yes to others."""
        return fingerprint({"questions": list(self.questions)})

    def clean_parameters(self):
        """Read a parameter a line."""
        read, wrong = {}, []
        for number, line in enumerate(self.cleaned_data["parameters"].splitlines(), start=1):
            name, equals, value = (part.strip() for part in line.partition("="))
            if not name and not equals:
                continue
            if not name or not value:
                wrong.append(f"Line {number} is not a parameter. Write it as: name = value")
            elif name in read:
                wrong.append(f"Line {number}: {name} was set before.")
            else:
                read[name] = value
        if wrong:
            raise forms.ValidationError(wrong)
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
        """Return the task's fields, as far as they could be read."""
        names = [*self.Meta.fields, "parameters", "opens_at", "closes_at"]
        kept = {name: getattr(self.before, name) for name in MEASURES} if self.has_board else {}
        read = {
            name: self.cleaned_data[name] for name in names if name in self.cleaned_data and name not in self.errors
        }
        return read | kept


def written(parameters):
    """Write parameters as they are entered, one a line.

    >>> written({"beta": "1/4", "cutoffs": [5, 10]})
    'beta = 1/4\\ncutoffs = 5,10'
    """
    return "\n".join(
        f"{name} = {','.join(map(str, value)) if isinstance(value, list | tuple) else value}"
        for name, value in parameters.items()
    )
