"""Runs of any format: recognised by their content, never by their name."""

from typing import BinaryIO

from limelight.formats.columns import RunColumns
from limelight.formats.opening import Limits, read_payload
from limelight.formats.problems import Problem
from limelight.formats.recognising import RUN, begins_as_xml, keep_to_slot
from limelight.formats.runs.fol import read_fol
from limelight.formats.runs.inex_xml import read_inex_xml

__all__ = ["Limits", "read_run"]


def read_run(stream: BinaryIO, *, limits: Limits = Limits()) -> tuple[RunColumns, list[Problem]]:
    """Return the columns of a run and the warnings about it; raise FormatError with every problem of a broken one."""
    payload = read_payload(stream, limits)
    keep_to_slot(payload, RUN)
    reader = read_inex_xml if begins_as_xml(payload) else read_fol
    return reader(payload, limits)
