"""The demo's accounts: public passwords, for a server that only this machine can reach."""

from typing import NamedTuple


class Account(NamedTuple):
    """A demo account as it is printed and made."""

    username: str
    password: str
    role: str


ACCOUNTS = (
    Account("participant", "limelight", "participant, in the team Argand"),
    Account("rival", "limelight", "participant, in the team Drummond"),
    Account("assessor", "limelight", "assessor of the Ad hoc track"),
    Account("organiser", "limelight", "organiser of the demo campaign, with the administration"),
)
