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
#: In the seeds of pictures to train on.
_TRAINING = 1


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


def _chunk(recipe: Recipe, start: int, size: int) -> Sequence[Picture]:
    random = np.random.default_rng([recipe.seed, _TRAINING, start])
    kinds, weights = zip(*recipe.pictures.shares.items(), strict=True)
    chosen = random.choice(len(kinds), size=size, p=np.array(weights) / sum(weights))
    side, differences = recipe.network.side, recipe.pictures.differences
    return [draw(kinds[place], random, side, differences) for place in chosen]
