"""Drawing by lot so that the lot of each thing follows from what it is, not from when it is drawn.

Standard library only, because the Snakefile imports this module whenever it is parsed.
"""

import hashlib
from collections.abc import Iterator

_DRAWS = 64


def rank(seed: int, *identity: str) -> str:
    """Return a text by which things are put into an order of chance; no other thing changes it."""
    return hashlib.sha256("\0".join(("texture", str(seed), *identity)).encode()).hexdigest()


def walk(position: int, count: int, seed: int, *identity: str) -> Iterator[int]:
    """Yield every other position of a list that may grow at its end, in an order that growing only prolongs.

    What is taken from the beginning of the walk is then the same before and after the list has grown: first
    earlier positions, drawn by lot, and then later ones in turn.

    Args:
        position: The place that is walked from; it is not yielded.
        count: Length of the list.
        seed: Of the study.
        identity: What is looked for, and for what.
    """
    seen = {position}
    for draw in range(_DRAWS if position else 0):
        earlier = int(rank(seed, *identity, str(draw)), 16) % position
        if earlier not in seen:
            seen.add(earlier)
            yield earlier
    yield from (place for place in range(position - 1, -1, -1) if place not in seen)
    yield from range(position + 1, count)
