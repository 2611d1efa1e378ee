"""Which stimuli of a suite are asked about, and in which shards.

Shards are static, fixed ranges of stimulus positions, so that a growing suite adds shards and moves none. Standard
library only; the Snakefile imports this module whenever it is parsed.
"""

import hashlib
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice, zip_longest
from typing import NamedTuple, TypeVar

from afterimage.contract.stimulus import StimulusSpec
from afterimage.errors import AfterimageError, config_key, fault
from afterimage.showing.pilot import Pilot

#: Form of a shard's name, for Snakemake's wildcard constraints.
SHARD_PATTERN = r"\d{6}-\d{6}"


class Positions:
    """Positions of the stimuli of a suite: each figure's in sequence, from the figure's first position."""

    def __init__(
        self,
        suite: str,
        figures: Iterable[tuple[str, int, Sequence[str]]],
        requested: Collection[tuple[str, str]] | None = None,
    ) -> None:
        """Take the figures in their order.

        Args:
            suite: How errors name the suite.
            figures: Name, position of the first stimulus, and ids of the stimuli in order. No two figures overlap.
            requested: The pairs of figure and stimulus id that are asked about; None for all. The others keep their
                places.
        """
        self._suite, self._requested = suite, requested
        self._figures = [figure for figure in figures if figure[2]]
        # By position, which is not the order of the figures: a later release of the first follows the last.
        self._order = sorted(range(len(self._figures)), key=lambda at: self._figures[at][1])
        self._firsts = [self._figures[at][1] for at in self._order]

    def __len__(self) -> int:
        """Return the number of stimuli that are asked about."""
        return self.drawn if self._requested is None else len(self._requested)

    @property
    def drawn(self) -> int:
        """The number of all stimuli."""
        return sum(len(ids) for _, _, ids in self._figures)

    @property
    def pilot(self) -> Pilot | None:
        """How many are asked about; None if it is all of them."""
        return None if self._requested is None else Pilot(len(self), self.drawn, self._suite)

    def __iter__(self) -> Iterator[tuple[str, str]]:
        """Give these stimuli as pairs of figure and stimulus id, figure by figure."""
        return filter(
            self._is_requested,
            ((figure, stimulus) for figure, _, ids in self._figures for stimulus in ids),
        )

    def shards(self, size: int) -> list[str]:
        """Return the names of the shards of ``size`` positions that hold any stimulus.

        A name gives the first and the last position that belong to the shard, whether or not they are taken:
        ``000040-000079`` stays itself when stimuli are added.
        """
        starts = {
            start
            for _, first, ids in self._figures
            for start in range(first // size * size, first + len(ids), size)
        }
        names = [f"{start:06d}-{start + size - 1:06d}" for start in sorted(starts)]
        return names if self._requested is None else [name for name in names if self._stimuli(name)]

    def members(self, shard: str) -> list[tuple[str, str]]:
        """Return the stimuli of a shard as pairs of figure and stimulus id, figure by figure.

        Raises:
            AfterimageError: It holds none.
        """
        members = self._stimuli(shard)
        if not members:
            last = max(first + len(ids) - 1 for _, first, ids in self._figures)
            raise AfterimageError(
                f"shard '{shard}' of suite '{self._suite}' holds no stimulus; expected a range of positions "
                f"up to {last}."
            )
        return members

    def _stimuli(self, shard: str) -> list[tuple[str, str]]:
        positions = shard_range(shard)
        start = max(bisect_right(self._firsts, positions.start) - 1, 0)
        end = bisect_right(self._firsts, positions.stop - 1)
        held = [
            (figure, stimulus)
            for figure, first, ids in map(self._figures.__getitem__, sorted(self._order[start:end]))
            for stimulus in ids[max(positions.start - first, 0) : max(positions.stop - first, 0)]
        ]
        return [*filter(self._is_requested, held)]

    def _is_requested(self, stimulus: tuple[str, str]) -> bool:
        return self._requested is None or stimulus in self._requested


def shard_range(name: str) -> range:
    """Return the positions that belong to the shard of this name."""
    first, last = map(int, name.split("-"))
    return range(first, last + 1)


# ---- pilots: so many images of a suite, by the config key ``limit`` ----

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
    """Return the images that a pilot asks about, as pairs of figure and stimulus id; None if that is all of them.

    They are dealt over the figures in turn. Images come in the order of their hashes, so that neither size nor place in
    a list decides, and a smaller pilot is part of every larger one. Images of a figure that differ in the suite's
    factors (``Suite.strata``) alone, as those of the conditions of ``illusion_vqa``, are compared pair by pair: they
    are asked about together or not at all.

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
    figures = {name: stimuli for name, stimuli in ids.items() if stimuli}
    if not strata and limit.images < len(figures):
        raise fault(
            config_key(f"{limit.key}"),
            f"found {limit.images}, which is less than one image for each of the "
            f"{len(figures)} figures of {suite}; expected at least {len(figures)}.",
        )
    together = {
        name: _together(specs(name), strata) if strata else [[stimulus] for stimulus in stimuli]
        for name, stimuli in figures.items()
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
    return frozenset((name, stimulus) for name, unit in chosen for stimulus in unit)


def _together(specs: Iterable[StimulusSpec], strata: Sequence[str]) -> list[list[str]]:
    """Return stimulus ids level by level, the first of each level together, the second, and so on."""
    levels: dict[tuple[str | None, ...], list[str]] = {}
    for spec in specs:
        level = tuple(spec.factors.get(name) for name in strata)
        levels.setdefault(level, []).append(spec.stimulus_id)
    return [
        [stimulus for stimulus in turn if stimulus is not None]
        for turn in zip_longest(*levels.values())
    ]


def _by_hash(units: Sequence[Sequence[str]]) -> list[Sequence[str]]:
    return sorted(units, key=lambda unit: hashlib.sha256(unit[0].encode()).digest())


def _in_turn(hands: Sequence[Sequence[_T]]) -> Iterator[_T]:
    """Yield the first of each, then the second of each that has one, and so on."""
    return (item for turn in zip_longest(*hands) for item in turn if item is not None)
