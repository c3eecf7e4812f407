"""Confidence intervals of means over topics."""

import numpy as np
from numpy.typing import ArrayLike

from limelight.analysis.statistics.resampling import RESAMPLES, SEED, bootstrap_means
from limelight.analysis.statistics.student import quantile
from limelight.arrays import Reals


def bootstrap_intervals(
    scores: ArrayLike, confidence: float = 0.95, resamples: int = RESAMPLES, seed: int = SEED
) -> Reals:
    """Return the lower and upper ends between which the middle share of resampled means lies, for each run."""
    means = bootstrap_means(np.atleast_2d(np.asarray(scores, dtype=np.float64)), resamples, seed)
    return np.quantile(means, [(1 - confidence) / 2, (1 + confidence) / 2], axis=1)


def student_intervals(scores: ArrayLike, confidence: float = 0.95) -> Reals:
    """Return mean - h and mean + h for each run, h = t * standard deviation / sqrt(topics); NaN for a single topic.

    >>> student_intervals([[0.0, 0.5, 1.0]]).round(3).tolist()
    [[-0.742], [1.742]]
    """
    scores = np.atleast_2d(np.asarray(scores, dtype=np.float64))
    topics = scores.shape[1]
    mean = scores.mean(axis=1)
    if topics < 2:
        return np.full((2, len(scores)), np.nan)
    half = quantile((1 + confidence) / 2, topics - 1) * scores.std(axis=1, ddof=1) / np.sqrt(topics)
    return np.stack((mean - half, mean + half))
