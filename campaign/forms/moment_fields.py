"""Moments as organisers enter them: a date and time, and the zone that it is meant in."""

from datetime import UTC

from django import forms
from django.utils.dateparse import parse_datetime

from limelight.moments import ANYWHERE_ON_EARTH, spoken

ZONES = {"utc": UTC, "aoe": ANYWHERE_ON_EARTH}
ZONE_NAMES = [("aoe", "anywhere on earth (UTC−12)"), ("utc", "UTC")]
FORMAT = "%Y-%m-%dT%H:%M"


class LocalMoment(forms.Field):
    """A date and time without a zone."""

    default_error_messages = {"required": "Give a date and a time.", "invalid": "Write it as 2026-03-31 23:59."}

    def __init__(self, **options):
        super().__init__(widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format=FORMAT), **options)

    def to_python(self, value):
        """Read what a browser sends, or what somebody types."""
        if not value:
            return None
        try:
            moment = parse_datetime(str(value).strip())
        except ValueError:
            moment = None
        if moment is None or moment.tzinfo is not None or not 1950 <= moment.year <= 2200:
            raise forms.ValidationError(self.error_messages["invalid"], code="invalid")
        return moment


class MomentFields:
    """Gives a form moments that are entered in a zone of choice and come out aware, as `<name>_at`."""

    def add_moment(self, name, label, *, required=True, moment=None, zone="aoe"):
        """Add a field `<name>_on`; an existing moment is filled in, and told in both zones."""
        field = LocalMoment(label=label, required=required)
        field.moment = moment
        if moment is not None:
            field.initial = moment.astimezone(ZONES[zone]).strftime(FORMAT)
            field.help_text = f"Now: {spoken(moment)}."
        self.fields[f"{name}_on"] = field

    def add_zone(self, zone="aoe"):
        """Add the choice of the zone."""
        self.fields["zone"] = forms.ChoiceField(
            label="Times are meant in",
            choices=ZONE_NAMES,
            initial=zone,
            error_messages={"invalid_choice": "Choose UTC or anywhere on earth."},
        )

    def clean(self):
        """Put moment and zone together."""
        cleaned = super().clean()
        zone = ZONES.get(cleaned.get("zone"))
        for name in self.moments:
            local = cleaned.get(f"{name}_on")
            entered = local.replace(tzinfo=zone) if local and zone else None
            before = self.fields[f"{name}_on"].moment
            # The page shows minutes: sent back as it was shown, a moment keeps its seconds.
            same = entered and before and entered == before.replace(second=0, microsecond=0)
            cleaned[f"{name}_at"] = before if same else entered
        return cleaned
