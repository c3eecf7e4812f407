"""How the boards of a task count text: who has boards says it at the start, so that the campaign need not know them."""

from limelight.formats.assessments.columns import CHARACTERS

_known_by = []


def measured_by(tells):
    """Have the check ask somebody on which axis the boards of a task are measured."""
    if tells not in _known_by:
        _known_by.append(tells)


def axis_of(task):
    """Return the axis that a task's boards are measured on: raw characters, unless somebody knows another."""
    return next((axis for axis in (tells(task) for tells in _known_by) if axis != CHARACTERS), CHARACTERS)
