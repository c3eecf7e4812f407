"""Somebody who looks into runs and sees all or less of them, and a run of elements to look into."""

from dataclasses import replace

from campaign.services.permissions.seeing import BoardView

SEES_ALL = BoardView(
    all_scores=True,
    own_scores=True,
    names=True,
    runs=True,
    assessments=True,
    own_teams=frozenset(),
    is_organiser=False,
)
ELEMENTS = b"""\
<inex-submission participant-id="1" run-id="elements" task="Focused" query="automatic">
<topic topic-id="1"><result><file>a</file><path>/a[1]/p[2]</path><rank>1</rank></result></topic>
</inex-submission>
"""


def seeing(**changes):
    """Return the view of somebody for whom some switches stand otherwise."""
    return replace(SEES_ALL, **changes)
