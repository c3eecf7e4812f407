"""Rank tiers: runs that the topics cannot tell from the best of them."""

from limelight.analysis.statistics.pairwise import SignificanceMatrix


def tiers(matrix: SignificanceMatrix) -> list[list[int]]:
    """Return the places of the matrix in tiers.

    The best remaining run opens a tier, and takes in every following run until the first that is significantly below.

    >>> import numpy as np
    >>> from limelight.analysis.statistics.pairwise import bootstrap
    >>> tiers(bootstrap(np.array([[0.5, 0.9, 0.4], [0.4, 0.95, 0.5], [0.1, 0.2, 0.1]])))
    [[0, 1], [2]]
    """
    grouped: list[list[int]] = []
    for place in range(len(matrix.order)):
        if not grouped or matrix.significant[grouped[-1][0], place]:
            grouped.append([])
        grouped[-1].append(place)
    return grouped
