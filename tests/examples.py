"""How many examples a property is tried on: some while one works, many when everything is tested."""

import os

from hypothesis import settings

THOROUGH = os.environ.get("LIMELIGHT_TEST_THOROUGH") == "true" or os.environ.get("CI") == "true"
SHARE = 8


def examples(count, **options):
    """Ask for so many examples in a whole test run, and for an eighth of them in a quick one."""
    return settings(max_examples=count if THOROUGH else max(5, count // SHARE), deadline=None, **options)
