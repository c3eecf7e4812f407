"""Forms that organisers fill in about assessments."""

from django import forms

from campaign.forms.fields import describe_fields
from campaign.forms.uploads import WithFile
from limelight.wording import LONGEST_REMARK


class AssessmentsForm(WithFile, forms.Form):
    """A file of assessments, and what is to be known about it."""

    file = forms.FileField(
        label="File",
        allow_empty_file=True,  # refused with our own sentence
        error_messages={"required": "Choose a file of assessments."},
    )
    notes = forms.CharField(
        required=False,
        max_length=LONGEST_REMARK,
        widget=forms.Textarea(attrs={"rows": 2, "dir": "auto"}),
        help_text="What is new in this version, in a line or two.",
    )
    makes_topics = forms.BooleanField(
        label="Make the topics that the track doesn’t have yet, by their numbers", required=False
    )

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        describe_fields(self)


class NotesForm(forms.Form):
    """What a version is about."""

    notes = forms.CharField(
        required=False,
        max_length=LONGEST_REMARK,
        error_messages={"max_length": "Notes have at most %(limit_value)d characters."},
    )
