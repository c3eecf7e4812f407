"""Forms in which organisers set up campaigns, tracks and their material."""

from django import forms
from django.utils import timezone

from campaign.forms.fields import MAY_HOLD_MARKDOWN, describe_fields
from campaign.forms.moment_fields import MomentFields
from campaign.forms.uploads import WithFile
from campaign.models import Campaign, Collection


def text_input(**attributes):
    """Return a line for text in any script."""
    return forms.TextInput(attrs={"dir": "auto", "autocomplete": "off", **attributes})


class Lines(forms.Textarea):
    """Lines of text, which browsers send with CR LF and we keep with LF: sent back unchanged, nothing has changed."""

    def value_from_datadict(self, data, files, name):
        """Return what was entered, with our line ends."""
        value = super().value_from_datadict(data, files, name)
        return value.replace("\r\n", "\n") if isinstance(value, str) else value


def text_area(rows):
    """Return some lines for text in any script."""
    return Lines(attrs={"dir": "auto", "rows": rows})


class CampaignForm(forms.ModelForm):
    """What a campaign is and who may see what of it."""

    class Meta:
        model = Campaign
        fields = [
            "name",
            "year",
            "series",
            "summary",
            "description",
            "contact",
            "agreement",
            "needs_approval",
            "gates_topics",
            "gates_collection",
            "is_public",
        ]
        widgets = {
            "name": text_input(),
            "year": forms.NumberInput(attrs={"min": 1950, "max": 2200}),
            "series": text_input(),
            "summary": text_input(),
            "description": text_area(5),
            "contact": text_input(),
            "agreement": text_area(6),
        }
        labels = {
            "needs_approval": "Organisers approve each team",
            "gates_topics": "Topics only for registered teams",
            "gates_collection": "Collection only for registered teams",
            "is_public": "Listed for everyone",
        }
        help_texts = {
            "name": "Its address is made from it and stays.",
            "series": "What it is one of, as INEX: campaigns of a series are found together. May stay empty.",
            "summary": "One line, for the list of campaigns.",
            "description": MAY_HOLD_MARKDOWN,
            "contact": "Whom teams can ask: an e-mail or web address. Everybody who sees the campaign reads it.",
            "is_public": "Until then only organisers and admitted teams see the campaign.",
        }
        error_messages = {"name": {"required": "Give the campaign a name."}}

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.fields["year"].min_value, self.fields["year"].max_value = 1950, 2200
        describe_fields(self)

    def clean_year(self):
        """Refuse years that no campaign has."""
        year = self.cleaned_data["year"]
        if not 1950 <= year <= 2200:
            raise forms.ValidationError("A campaign's year lies between 1950 and 2200.")
        return year


class SettingsForm(CampaignForm):
    """A campaign's settings; a changed agreement asks whether it is a new version."""

    agreement_is_new = forms.ChoiceField(
        label="If the agreement's text changed",
        required=False,
        choices=[
            ("", "choose"),
            ("yes", "it is a new version: every team accepts it anew before its next run"),
            ("no", "it says the same as before: nobody is asked"),
        ],
    )

    field_order = [
        "name",
        "year",
        "summary",
        "description",
        "agreement",
        "agreement_is_new",
        "needs_approval",
        "gates_topics",
        "gates_collection",
        "is_public",
    ]

    def clean(self):
        """Ask for a decision where the agreement's text is another one."""
        cleaned = super().clean()
        before = Campaign.objects.values_list("agreement", flat=True).get(pk=self.instance.pk)
        before = before.replace("\r\n", "\n")
        if cleaned.get("agreement", before) != before and not cleaned.get("agreement_is_new"):
            self.add_error(
                "agreement_is_new", "The agreement's text changed. Say whether teams have to accept it anew."
            )
        return cleaned

    def answers(self):
        """Return the settings and whether the agreement is a new version."""
        entered = {name: self.cleaned_data[name] for name in CampaignForm.Meta.fields}
        return entered | {"new_version": self.cleaned_data["agreement_is_new"] == "yes"}


class PersonForm(forms.Form):
    """Somebody, by user name or e-mail address."""

    person = forms.CharField(
        label="User name or e-mail address",
        max_length=254,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        error_messages={"required": "Give a user name or an e-mail address."},
    )


class CopyForm(MomentFields, forms.Form):
    """What the copy of a campaign is called, when it opens and what it takes along."""

    moments = ("opens",)

    name = forms.CharField(max_length=200, widget=text_input())
    year = forms.IntegerField(min_value=1950, max_value=2200)
    with_collections = forms.BooleanField(label="Take the collections along", required=False, initial=True)
    with_topics = forms.BooleanField(label="Take the topics along", required=False)

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.add_moment("opens", "First task opens", required=False)
        self.fields["opens_on"].help_text = "All dates move by as much. Left empty, they move by whole years."
        self.add_zone()
        describe_fields(self)

    def clean(self):
        """Refuse an opening that has passed."""
        cleaned = super().clean()
        if cleaned.get("opens_at") and cleaned["opens_at"] <= timezone.now():
            self.add_error("opens_on", "This moment has passed. The copy opens in the future.")
        return cleaned

    def answers(self):
        """Return what the copy is to be."""
        names = ("name", "year", "opens_at", "with_collections", "with_topics")
        return {name: self.cleaned_data[name] for name in names}


class TrackForm(forms.Form):
    """A track, its collection and its assessors."""

    name = forms.CharField(max_length=200, widget=text_input(), error_messages={"required": "Give the track a name."})
    description = forms.CharField(required=False, widget=text_area(4), help_text=MAY_HOLD_MARKDOWN)
    collection = forms.ModelChoiceField(
        Collection.objects.none(),
        required=False,
        empty_label="none yet",
        help_text="Collections of campaigns that you can see.",
        error_messages={"invalid_choice": "This collection is not open to you."},
    )
    new_collection = forms.CharField(
        label="Or a new collection",
        max_length=200,
        required=False,
        widget=text_input(),
        help_text="Its name; the documents are uploaded afterwards.",
    )
    assessors = forms.CharField(
        required=False,
        max_length=5000,
        widget=forms.Textarea(attrs={"rows": 2, "autocomplete": "off"}),
        help_text="User names or e-mail addresses, separated by blanks, commas or lines.",
    )

    def __init__(self, *args, collections, **kwargs):
        super().__init__(*args, **kwargs)
        keys = [collection.pk for collection in collections]
        self.fields["collection"].queryset = Collection.objects.filter(pk__in=keys)
        describe_fields(self)


class UploadForm(WithFile, forms.Form):
    """A file of topics or documents."""

    file = forms.FileField(
        allow_empty_file=True,  # refused with our own sentence
        error_messages={"required": "Choose a file."},
    )

    def __init__(self, *args, label, **kwargs):
        super().__init__(*args, **kwargs)
        self.fields["file"].label = label
