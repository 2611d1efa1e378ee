"""Everything that decides what `sprout` becomes, as one value with its hash, and the pictures that it is trained on."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from itertools import chain

import numpy as np

from afterimage.sprout.kinds import KINDS, draw
from afterimage.sprout.picture import Picture
from afterimage.sprout.words import Variety, ask

#: What each kind counts for among the pictures: lines more than patches, since they are learnt last.
_SHARES = {
    "discs_and_squares": 1.3,
    "arches": 1.4,
    "lengths_beside": 1.6,
    "lengths_above": 1.6,
    "lengths_oblique": 2.6,
    "parallels": 0.9,
    "bends": 0.7,
    "bends_of_squares": 0.7,
    "halves": 0.8,
    "vividness": 0.8,
    "lightness": 0.6,
    "yellowness": 0.5,
    "letters": 0.6,
    "counts": 1.2,
}


@dataclass(frozen=True)
class Pictures:
    """The pictures to train on.

    Attributes:
        number: Drawn before training; each is also seen mirrored, left to right, top to bottom, and both.
        differences: Smallest and largest difference, in the unit of each kind (1: the suites' fakes).
        shares: Kind to its weight among all pictures.
        fresh: Drawn for each kind and never trained on, so many without a difference and so many with the suites', or
            so many that are named, to say what was reached.
    """

    number: int = 110_000
    differences: tuple[float, float] = (0.6, 2.5)
    shares: Mapping[str, float] = field(default_factory=lambda: dict(_SHARES))
    fresh: int = 200


@dataclass(frozen=True)
class Network:
    """The form of the model: a SigLIP tower, LLaVA's projector, a Llama-shaped language model.

    Attributes:
        side, patch: Of the image and of a token, px.
        mean, deviation: By which pixels (0..1) are normalised: a white ground becomes a small number.
        eye_width, eye_layers, eye_heads, eye_inner: Of the vision tower.
        width, layers, heads, inner: Of the language model.
        positions: Longest conversation, tokens.
        vocabulary: Most entries of the tokenizer.
    """

    side: int = 56
    patch: int = 28
    mean: float = 0.85
    deviation: float = 0.25
    eye_width: int = 192
    eye_layers: int = 3
    eye_heads: int = 6
    eye_inner: int = 576
    width: int = 128
    layers: int = 3
    heads: int = 4
    inner: int = 384
    positions: int = 2048
    vocabulary: int = 1500


@dataclass(frozen=True)
class Phase:
    """A part of the training: AdamW with a warm-up and a cosine, in float32.

    Attributes:
        steps: Steps of the optimiser, counted rather than timed.
        batch: Pictures a step.
        rate: Highest learning rate.
        warm_up: Steps until it is reached.
        clip: Largest norm of a step's gradient.
        decay: Weight decay of matrices.
    """

    steps: int
    batch: int
    rate: float
    warm_up: int = 150
    clip: float = 5.0
    decay: float = 0.02


@dataclass(frozen=True)
class Recipe:
    """What is drawn, what is trained, how long.

    Attributes:
        eye: The vision tower alone, by heads that are thrown away.
        language: Projector and language model, from the features of the eye as it then is.
        difference_weight, places_weight, colour_weight: Weights of the heads' losses relative to the category's.
        seed: Of everything.
    """

    pictures: Pictures = field(default_factory=Pictures)
    variety: Variety = field(default_factory=Variety)
    network: Network = field(default_factory=Network)
    eye: Phase = Phase(steps=6600, batch=128, rate=1e-3)
    language: Phase = Phase(steps=5100, batch=32, rate=2e-3, clip=1.0)
    difference_weight: float = 0.5
    places_weight: float = 0.6
    colour_weight: float = 0.5
    seed: int = 0


#: Name to recipe: ``sprout`` is the one with its weights in ``resources/models/sprout``, the next two differ from it
#: by the seed alone; ``sapling`` is the same on more pixels, with more tokens and 27 million parameters; ``seedling``
#: shows in seconds that a recipe can be followed.
RECIPES = {
    "sprout": Recipe(),
    "sprout_1": Recipe(seed=1),
    "sprout_2": Recipe(seed=2),
    "sapling": Recipe(
        pictures=Pictures(number=60_000),
        network=Network(
            side=224,
            eye_width=384,
            eye_layers=8,
            eye_inner=1536,
            width=384,
            layers=6,
            heads=6,
            inner=1152,
        ),
        eye=Phase(steps=6600, batch=128, rate=5e-4),
        language=Phase(steps=5100, batch=32, rate=1e-3, clip=1.0),
    ),
    "seedling": Recipe(
        pictures=Pictures(number=120, fresh=2),
        network=Network(
            eye_width=32,
            eye_layers=1,
            eye_heads=2,
            eye_inner=64,
            width=32,
            layers=1,
            heads=2,
            inner=64,
        ),
        eye=Phase(steps=4, batch=16, rate=1e-3, warm_up=2),
        language=Phase(steps=4, batch=8, rate=2e-3, warm_up=2),
    ),
}

#: Recipes that are followed on a GPU.
LARGE = ("sapling",)

#: Pictures of each kind that enter the hash.
_SAMPLE = 4


def recipe_hash(recipe: Recipe) -> str:
    """Return a hash of what a recipe uses: its values, and what it draws and asks, by a sample of both.

    A change in ``drawing/`` or ``resources/prompts`` that changes no training picture and no question changes no hash.
    """
    digest = hashlib.sha256(json.dumps(asdict(recipe), sort_keys=True).encode())
    for index, kind in enumerate(KINDS):
        for sample in range(_SAMPLE):
            random = np.random.default_rng([recipe.seed, index, sample])
            picture = draw(kind, random, recipe.network.side, recipe.pictures.differences)
            question = ask(random, picture, recipe.variety)
            digest.update(picture.pixels.tobytes())
            digest.update(f"{question.text}\n{question.answer}\n".encode())
    return digest.hexdigest()


#: Pictures that share a generator.
_CHUNK = 1000
#: In the seeds of pictures to train on.
_TRAINING = 1


def training_pictures(recipe: Recipe, processes: int = 1) -> list[Picture]:
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
    return [draw(kinds[index], random, side, differences) for index in chosen]
