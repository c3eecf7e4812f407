"""Pools, read by their paths; apart from the other files, because nobody who scores needs them."""

from limelight.face.files import File, opened
from limelight.formats.pools import PooledDocument
from limelight.formats.pools import read_pools as pools_of


def read_pools(file: File) -> list[PooledDocument]:
    """Read the documents that assessors are asked to judge, in the order of the file."""
    return opened(file, pools_of)
