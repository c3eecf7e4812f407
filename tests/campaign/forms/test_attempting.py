"""A form's deed: done with its answers, or refused beside the field that it is about."""

from django import forms

from campaign.forms.attempting import attempted
from campaign.services.refusals import Refused


class NameForm(forms.Form):
    name = forms.CharField(max_length=5)


def greet(place, *, name):
    if name == "Bob":
        raise Refused("Bob was greeted already.", "name")
    if name == "Eve":
        raise Refused("Nobody is greeted at night.")
    return f"{name} in {place}"


def test_a_deed_is_done_with_what_was_entered():
    assert attempted(NameForm({"name": "Ada"}), greet, "Lund") == "Ada in Lund"


def test_nothing_is_done_where_a_form_is_empty_or_wrong():
    assert attempted(NameForm(), greet, "Lund") is None
    assert attempted(NameForm({"name": "Ada Lovelace"}), greet, "Lund") is None


def test_a_refusal_stands_beside_its_field_or_above_the_form():
    by_field, by_form = NameForm({"name": "Bob"}), NameForm({"name": "Eve"})

    assert (attempted(by_field, greet, "Lund"), attempted(by_form, greet, "Lund")) == (None, None)

    assert by_field.errors == {"name": ["Bob was greeted already."]}
    assert by_form.non_field_errors() == ["Nobody is greeted at night."]


def test_a_form_with_answers_of_its_own_gives_those():
    class LoudForm(NameForm):
        def answers(self):
            return {"name": self.cleaned_data["name"].upper()}

    assert attempted(LoudForm({"name": "Ada"}), greet, "Lund") == "ADA in Lund"
