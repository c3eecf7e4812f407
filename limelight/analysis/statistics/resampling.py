"""Random choices that all pairs of runs share: drawn once from a seed, so that every figure can be made again."""

import numpy as np

from limelight.arrays import Reals

RESAMPLES = 1_000
SEED = 2007


def bootstrap_weights(topic_count: int, resamples: int = RESAMPLES, seed: int = SEED) -> Reals:
    """Draw topics with replacement: a row a resample, how often each topic was drawn.

    >>> bootstrap_weights(4, resamples=2).sum(axis=1).tolist()
    [4.0, 4.0]
    """
    drawn = np.random.default_rng(seed).integers(topic_count, size=(resamples, topic_count))
    cells = (drawn + np.arange(resamples)[:, np.newaxis] * topic_count).ravel()
    counts = np.bincount(cells, minlength=resamples * topic_count)
    return counts.reshape(resamples, topic_count).astype(np.float64)


def bootstrap_means(scores: Reals, resamples: int = RESAMPLES, seed: int = SEED) -> Reals:
    """Average each run over each resample: a row a run, a column a resample, in one matrix product."""
    weights = bootstrap_weights(scores.shape[1], resamples, seed)
    return scores @ weights.T / scores.shape[1]


def signs(topic_count: int, resamples: int = RESAMPLES, seed: int = SEED) -> Reals:
    """Draw for each resample and topic whether two runs swap their scores: -1 or 1.

    >>> bool(np.isin(signs(3, resamples=2), (-1, 1)).all())
    True
    """
    drawn = np.random.default_rng(seed).integers(2, size=(resamples, topic_count), dtype=np.int8)
    return 2.0 * drawn - 1.0


def largest_differences(scores: Reals, resamples: int = RESAMPLES, seed: int = SEED) -> Reals:
    """Shuffle the runs' scores within every topic, and keep the largest difference between two means.

    This is what the best and the worst run would differ by if all runs were the same.
    """
    if not scores.size:
        return np.zeros(resamples)
    generator = np.random.default_rng(seed)
    by_topic = np.ascontiguousarray(scores.T)
    chunk = max(1, 2_000_000 // max(scores.size, 1))
    largest = np.empty(resamples)
    for start in range(0, resamples, chunk):
        stop = min(start + chunk, resamples)
        shuffled = generator.permuted(np.broadcast_to(by_topic, (stop - start, *by_topic.shape)), axis=2)
        means = shuffled.mean(axis=1)
        largest[start:stop] = means.max(axis=1) - means.min(axis=1)
    return largest
