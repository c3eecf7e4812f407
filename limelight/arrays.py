"""Names for the kinds of arrays that the library hands round; what they hold is said where they are used."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
"""An array of any kind."""

Integers = NDArray[np.integer[Any]]
"""Places, lengths, counts and numbers of names."""

Reals = NDArray[np.floating[Any]]
Flags = NDArray[np.bool_]
Words = NDArray[np.unsignedinteger[Any]]
"""Eight bytes of text each, read as a number."""
