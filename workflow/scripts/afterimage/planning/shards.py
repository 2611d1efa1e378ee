"""Static shards: fixed ranges of stimulus positions, so that a growing suite adds shards and moves none.

Standard library only; the Snakefile imports this module whenever it is parsed.
"""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence

from afterimage.errors import AfterimageError

#: Form of a shard's name, for Snakemake's wildcard constraints.
SHARD_PATTERN = r"\d{6}-\d{6}"


class Positions:
    """Where the stimuli of a suite lie: each figure's one after the other, from the figure's own first position."""

    def __init__(
        self,
        suite: str,
        figures: Iterable[tuple[str, int, Sequence[str]]],
        asked: Collection[tuple[str, str]] | None = None,
    ) -> None:
        """Take the figures in their order.

        Args:
            suite: How errors name the suite.
            figures: Name, position of the first stimulus, and ids of the stimuli in order. No two figures overlap.
            asked: The pairs of figure and stimulus id that are asked about; None for all. The others keep their
                places.
        """
        self._suite, self._asked = suite, asked
        self._figures = [figure for figure in figures if figure[2]]
        # By position, which is not the order of the figures: a later release of the first lies behind the last.
        self._order = sorted(range(len(self._figures)), key=lambda at: self._figures[at][1])
        self._firsts = [self._figures[at][1] for at in self._order]

    def __len__(self) -> int:
        """Return the number of stimuli that are asked about."""
        return self.drawn if self._asked is None else len(self._asked)

    @property
    def drawn(self) -> int:
        """The number of all stimuli."""
        return sum(len(ids) for _, _, ids in self._figures)

    @property
    def pilot(self) -> str:
        """How many are asked about, in words; "" where it is all of them."""
        return (
            "" if self._asked is None else f"{len(self)} of {self.drawn:,} images of {self._suite}"
        )

    def __iter__(self) -> Iterator[tuple[str, str]]:
        """Give these stimuli as pairs of figure and stimulus id, figure by figure."""
        return filter(
            self._is_asked,
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
        return names if self._asked is None else [name for name in names if self._held(name)]

    def members(self, shard: str) -> list[tuple[str, str]]:
        """Return the stimuli of a shard as pairs of figure and stimulus id, figure by figure.

        Raises:
            AfterimageError: It holds none.
        """
        members = self._held(shard)
        if not members:
            last = max(first + len(ids) - 1 for _, first, ids in self._figures)
            raise AfterimageError(
                f"shard '{shard}' of suite '{self._suite}' holds no stimulus; expected a range of positions "
                f"up to {last}."
            )
        return members

    def _held(self, shard: str) -> list[tuple[str, str]]:
        positions = shard_range(shard)
        start = max(bisect_right(self._firsts, positions.start) - 1, 0)
        end = bisect_right(self._firsts, positions.stop - 1)
        held = [
            (figure, stimulus)
            for figure, first, ids in map(self._figures.__getitem__, sorted(self._order[start:end]))
            for stimulus in ids[max(positions.start - first, 0) : max(positions.stop - first, 0)]
        ]
        return [*filter(self._is_asked, held)]

    def _is_asked(self, stimulus: tuple[str, str]) -> bool:
        return self._asked is None or stimulus in self._asked


def shard_range(name: str) -> range:
    """Return the positions that belong to the shard of this name."""
    first, last = map(int, name.split("-"))
    return range(first, last + 1)
