"""A pilot asks about so many images of a suite (config key ``limit``), dealt over its figures in turn.

Images come in the order of their hashes, so that neither size nor place in a list decides, and a smaller pilot is part
of every larger one. Images of a figure that differ in the suite's factors (``Suite.strata``) alone, as those of the
conditions of ``illusion_vqa``, are compared pair by pair: they are asked about together or not at all. Standard library
only.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice, zip_longest
from typing import NamedTuple, TypeVar

from afterimage.contract.stimulus import StimulusSpec
from afterimage.errors import config_key, fault

_T = TypeVar("_T")


class Limit(NamedTuple):
    """How many images of a suite are asked about at most, and the key that says so."""

    images: int
    key: str


def dealt(
    ids: Mapping[str, Sequence[str]],
    strata: Sequence[str],
    specs: Callable[[str], Iterable[StimulusSpec]],
    limit: Limit,
    suite: str,
) -> frozenset[tuple[str, str]] | None:
    """Return the images that a pilot asks about, as pairs of figure and stimulus id; None where that is all of them.

    Args:
        ids: Figure to its stimulus ids.
        strata: The factors whose levels take turns; none for all as one level.
        specs: Returns a figure's stimuli with their factors; asked only where there are strata.
        limit: How many there are to be.
        suite: How the error names the suite.

    Raises:
        AfterimageError: There would be fewer than one of each figure.
    """
    if limit.images >= sum(map(len, ids.values())):
        return None
    figures = {name: own for name, own in ids.items() if own}
    if not strata and limit.images < len(figures):
        raise fault(
            config_key(f"{limit.key}"),
            f"found {limit.images}, which is less than one image for each of the "
            f"{len(figures)} figures of {suite}; expected at least {len(figures)}.",
        )
    together = {
        name: _together(specs(name), strata) if strata else [[one] for one in own]
        for name, own in figures.items()
    }
    size = max(len(unit) for units in together.values() for unit in units)
    if limit.images % size or limit.images < size * len(figures):
        raise fault(
            config_key(f"{limit.key}"),
            f"found {limit.images}; {suite} asks about {size} images of a figure together "
            f"and has {len(figures)} figures; expected a multiple of {size}, at least {size * len(figures)}.",
        )
    hands = [[(name, unit) for unit in _by_hash(units)] for name, units in together.items()]
    chosen = islice(_in_turn(hands), limit.images // size)
    return frozenset((name, one) for name, unit in chosen for one in unit)


def in_words(pilots: Iterable[str]) -> dict[str, str]:
    """Return what a table says whose suites are pilots, each in its words or ""; {} where none is one."""
    said = [words for words in pilots if words]
    return {"pilot": f"pilot: {', '.join(said)} (config key 'limit')"} if said else {}


def _together(specs: Iterable[StimulusSpec], strata: Sequence[str]) -> list[list[str]]:
    """Return stimulus ids level by level, the first of each level together, the second, and so on."""
    levels: dict[tuple[str | None, ...], list[str]] = {}
    for spec in specs:
        level = tuple(spec.factors.get(name) for name in strata)
        levels.setdefault(level, []).append(spec.stimulus_id)
    return [[one for one in turn if one is not None] for turn in zip_longest(*levels.values())]


def _by_hash(units: Sequence[Sequence[str]]) -> list[Sequence[str]]:
    return sorted(units, key=lambda unit: hashlib.sha256(unit[0].encode()).digest())


def _in_turn(hands: Sequence[Sequence[_T]]) -> Iterator[_T]:
    """Yield the first of each, then the second of each that has one, and so on."""
    return (one for turn in zip_longest(*hands) for one in turn if one is not None)
