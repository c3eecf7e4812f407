"""A column for a vector of scores: readers always want the whole of it."""

import numpy as np
from django.db import models


class FloatArrayField(models.BinaryField):
    """A one-dimensional float64 array, stored as little-endian bytes at full precision."""

    description = "vector of float64"

    def get_prep_value(self, value):
        """Turn an array, or anything numpy takes for one, into bytes."""
        if value is None or isinstance(value, bytes | memoryview):
            return value
        return np.ascontiguousarray(value, dtype="<f8").tobytes()

    def from_db_value(self, value, expression, connection):
        """Turn the stored bytes into an array."""
        return None if value is None else np.frombuffer(bytes(value), dtype="<f8")

    def value_to_string(self, obj):
        """Serialise as the numbers themselves, so that a dump can be read."""
        return " ".join(map(repr, np.asarray(self.value_from_object(obj)).tolist()))

    def to_python(self, value):
        """Read what `value_to_string` wrote."""
        return np.array(value.split(), dtype="<f8") if isinstance(value, str) else value
