"""Runs of any format: recognised by their content, never by their name."""

from campaign.formats.fol import read_fol
from campaign.formats.inex_xml import read_inex_xml
from campaign.formats.opening import Limits, read_payload

__all__ = ["Limits", "read_run"]


def read_run(stream, *, limits=Limits()):  # noqa: B008 - a frozen dataclass
    """Return the columns of a run and the warnings about it; raise FormatError with every problem of a broken one."""
    payload = read_payload(stream, limits)
    reader = read_inex_xml if payload.lstrip()[:1] == b"<" else read_fol
    return reader(payload, limits)
