"""Samples proportional to the sizes of categories, and random generators seeded by names."""

import hashlib
from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    from _typeshed import SupportsRichComparison

Category = TypeVar("Category", bound=Hashable)
Member = TypeVar("Member", bound="SupportsRichComparison")


def generator_of(*identity: str) -> np.random.Generator:
    """Return a generator that is seeded by names alone: the same names give the same numbers, whenever."""
    return np.random.default_rng(
        int.from_bytes(hashlib.sha256("/".join(identity).encode()).digest())
    )


def allocation(sizes: Mapping[Category, int], total: int) -> dict[Category, int]:
    """Share out a sample over categories in proportion to their sizes, by largest remainder (Hamilton).

    Of equal remainders the category that comes first gets the place. The arithmetic is in whole numbers.

    Args:
        sizes: Category to its number of members.
        total: The sample's size, at most that of all categories together.

    Raises:
        ValueError: The sample is larger than what it is drawn from, or a size is negative.
    """
    everything = sum(sizes.values())
    if not 0 <= total <= everything or any(size < 0 for size in sizes.values()):
        raise ValueError(
            f"expected a sample of 0 to {everything} out of {dict(sizes)}, found {total}"
        )
    if not everything:
        return dict.fromkeys(sizes, 0)
    quotas = {category: divmod(size * total, everything) for category, size in sizes.items()}
    left = total - sum(whole for whole, _ in quotas.values())
    # Sorting is stable: of equal remainders the first stays first.
    favoured = sorted(quotas, key=lambda category: -quotas[category][1])[:left]
    return {category: whole + (category in favoured) for category, (whole, _) in quotas.items()}


def sampled(
    members: Mapping[Category, Sequence[Member]], total: int, generator: np.random.Generator
) -> dict[Category, list[Member]]:
    """Draw a sample without replacement, as large in each category as :func:`allocation` says.

    Args:
        members: Category to its members, sortable, each once.
        total: The sample's size.
        generator: Source of chance; members are put in order first, so that theirs does not matter.
    """
    shares = allocation({category: len(ids) for category, ids in members.items()}, total)
    drawn = {}
    for category, ids in members.items():
        ordered = sorted(ids)
        chosen = generator.choice(len(ordered), size=shares[category], replace=False)
        drawn[category] = [ordered[index] for index in sorted(chosen)]
    return drawn
