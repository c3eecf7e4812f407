"""A good run, and when two readings of a run are the same."""

import numpy as np

from limelight.formats.columns import RunColumns

GOOD = b"""\
2009001 Q0 1528075 1 -0.00075 RUN 9760 1848
2009001 Q0 198076 2 -0.00083 RUN 1946 1439
2009002 Q0 1528075 1 3.5e-2 RUN 0 12
"""


def same(first, second):
    names = RunColumns.__dataclass_fields__.keys() - {"rsv"}
    return np.array_equal(first.rsv, second.rsv, equal_nan=True) and all(
        np.array_equal(getattr(first, name), getattr(second, name)) for name in names
    )
