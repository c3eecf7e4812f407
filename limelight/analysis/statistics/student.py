"""Student's t distribution, for whole arrays at once."""

import math
from functools import cache

import numpy as np
from numpy.typing import ArrayLike

from limelight.arrays import Reals

STEPS = 300
TINY = 1e-300


def upper_tail(t: ArrayLike, degrees: float) -> Reals:
    """Return the probability of a value above t.

    >>> round(float(upper_tail(2.228, 10)), 4)
    0.025
    """
    t = np.asarray(t, dtype=np.float64)
    square = np.where(np.isfinite(t), t, 1.0) ** 2
    both = np.where(np.isinf(t), 0.0, incomplete_beta(degrees / 2, 0.5, degrees / (degrees + square)))
    return np.where(np.isnan(t), np.nan, np.where(t >= 0, both / 2, 1 - both / 2))


@cache
def quantile(probability: float, degrees: float) -> float:
    """Return the value that a share of the distribution lies below.

    >>> round(quantile(0.975, 10), 3)
    2.228
    """
    if probability < 0.5:
        return -quantile(1 - probability, degrees)
    low, high = 0.0, 1.0
    while upper_tail(high, degrees) > 1 - probability:
        high *= 2
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if upper_tail(middle, degrees) > 1 - probability else (low, middle)
    return (low + high) / 2


def incomplete_beta(a: float, b: float, x: ArrayLike) -> Reals:
    """Return the regularised incomplete beta function I_x(a, b), by its continued fraction.

    >>> round(float(incomplete_beta(2.0, 3.0, 0.4)), 4)
    0.5248
    """
    x = np.asarray(x, dtype=np.float64)
    # The fraction converges fast on one side of the mean; on the other the symmetric one is taken.
    turned = x > (a + 1) / (a + b + 2)
    inner = np.where(turned, 1 - x, x)
    first, second = np.where(turned, b, a), np.where(turned, a, b)
    scale = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    with np.errstate(divide="ignore"):
        front = np.exp(scale + first * np.log(inner) + second * np.log1p(-inner)) / first
    value = front * _fraction(first, second, inner)
    return np.where(turned, 1 - value, value)


def _fraction(a: Reals, b: Reals, x: Reals) -> Reals:
    # Lentz's method: numerator and denominator of the convergents as running products, kept away from 0.
    c = np.ones_like(x)
    d = 1 / _away(1 - (a + b) * x / (a + 1))
    fraction = d.copy()
    for step in range(1, STEPS):
        for term in (
            step * (b - step) * x / ((a + 2 * step - 1) * (a + 2 * step)),
            -(a + step) * (a + b + step) * x / ((a + 2 * step) * (a + 2 * step + 1)),
        ):
            d = 1 / _away(1 + term * d)
            c = _away(1 + term / c)
            factor = c * d
            fraction *= factor
        if (np.abs(factor - 1) <= 4e-16).all():
            break
    return fraction


def _away(values: Reals) -> Reals:
    return np.where(np.abs(values) < TINY, TINY, values)
