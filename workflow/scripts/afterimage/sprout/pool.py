"""Many pictures at once: drawn by several processes, the same whatever their number."""

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import chain

import numpy as np

from afterimage.sprout.kinds import draw
from afterimage.sprout.picture import Picture
from afterimage.sprout.recipe import Recipe

#: Pictures that share a generator.
_CHUNK = 1000
#: First numbers of the seeds of pictures to train on, and of pictures that are never trained on.
_TRAINING, _FRESH = 1, 2


def training_pictures(recipe: Recipe, processes: int = 1) -> list[Picture]:
    """Draw the pictures to train on."""
    starts = range(0, recipe.pictures.number, _CHUNK)
    sizes = [min(_CHUNK, recipe.pictures.number - start) for start in starts]
    if processes == 1:
        chunks = [_chunk(recipe, *job) for job in zip(starts, sizes, strict=True)]
    else:
        with ProcessPoolExecutor(processes) as pool:
            chunks = list(pool.map(_chunk, [recipe] * len(sizes), starts, sizes))
    return list(chain.from_iterable(chunks))


def fresh_pictures(recipe: Recipe, kind: str) -> list[Picture]:
    """Draw pictures of a kind that are never trained on, without a difference and with the suites', in turn."""
    random = np.random.default_rng([recipe.seed, _FRESH, list(recipe.pictures.shares).index(kind)])
    wanted, found = recipe.pictures.fresh, {True: [], False: []}
    while min(map(len, found.values())) < wanted // 2:
        picture = draw(kind, random, recipe.network.side, (1.0, 1.0))
        found[picture.difference == 0].append(picture)
    return [*found[True][: wanted // 2], *found[False][: wanted // 2]]


def _chunk(recipe: Recipe, start: int, size: int) -> Sequence[Picture]:
    random = np.random.default_rng([recipe.seed, _TRAINING, start])
    kinds, weights = zip(*recipe.pictures.shares.items(), strict=True)
    chosen = random.choice(len(kinds), size=size, p=np.array(weights) / sum(weights))
    side, differences = recipe.network.side, recipe.pictures.differences
    return [draw(kinds[place], random, side, differences) for place in chosen]
