"""Static shards: fixed ranges of stimulus positions, so that a growing suite adds shards and moves none.

Standard library only; the Snakefile imports this module whenever it is parsed.
"""

from collections.abc import Iterable

#: Form of a shard's name, for Snakemake's wildcard constraints.
SHARD_PATTERN = r"\d{6}-\d{6}"


def shard_names(positions: Iterable[int], size: int) -> list[str]:
    """Return the names of the shards of ``size`` positions that hold any of ``positions``.

    A name gives the first and the last position that belong to the shard, whether or not they are taken:
    ``000040-000079`` stays itself when stimuli are added.
    """
    starts = sorted({position // size * size for position in positions})
    return [f"{start:06d}-{start + size - 1:06d}" for start in starts]


def shard_range(name: str) -> range:
    """Return the positions that belong to the shard of this name."""
    first, last = map(int, name.split("-"))
    return range(first, last + 1)
