"""Which switches have to be open for whom: the table that permissions and every page are held against."""

from campaign.models import SWITCHES

LETTERS = dict(zip("OSNRA", SWITCHES, strict=True))  # own scores, all scores, names, runs, assessments

# What has to be open for a role to be shown something of a run of the first team, `own`: each letter a switch, with |
# either will do, a dot needs none. A method of `BoardView` a line.
TABLE = """
                 visitor  account  own      other  assessor  organiser  superuser  reviewer  naming
shows            S        S        S|O      S      S         .          .          .         .
ranks            S        S        S        S      S         .          .          .         .
names_run        N        N        .        N      N         .          .          N         .
shows_results_of SR       SR       .        SR     SR        .          .          R         R
shows_file_of    SRN      SRN      .        SRN    SRN       .          .          RN        R
shows_steps_of   SRA      SRA      SA|OA    SRA    SR        .          .          RA        RA
knows_judgements A        A        A        A      .         .          .          A         A
"""
ROLES, *LINES = [line.split() for line in TABLE.strip().splitlines()]
METHODS = [method for method, *_ in LINES]
NEEDS = {(line[0], role): need for line in LINES for role, need in zip(ROLES, line[1:], strict=True)}


def is_shown(method, role, revealed):
    """Return whether the switches that are open are enough for a role to be shown something."""
    ways = NEEDS[method, role].split("|")
    return any({LETTERS[letter] for letter in way.strip(".")} <= set(revealed) for way in ways)
