"""What both halves of the training share: pictures as tensors, mirrored at random, and the optimiser."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch

from afterimage.sprout.kinds import KINDS
from afterimage.sprout.network import learning_rate
from afterimage.sprout.picture import COLOURS, FIRST, NEITHER, Picture
from afterimage.sprout.recipe import Phase

#: In place of a colour's number, where no colour tells the targets apart or neither has more.
NO_COLOUR = -1


@dataclass(frozen=True)
class Pool:
    """Pictures as tensors, one row each.

    Attributes:
        pixels: uint8, shape (pictures, side, side, 3).
        kinds: Number of the kind.
        categories: ``FIRST``, ``SECOND`` or ``NEITHER``, or the place of a name.
        differences: Signed, in the kind's unit.
        places: Shape (pictures, 8).
        orders: Shape (pictures, 2): whether targets change their order when mirrored top to bottom, left to right.
        in_order: Whether places keep theirs.
        mirrors: Whether the picture may be mirrored.
        colours: Number of the colour of the target that has more, or ``NO_COLOUR``; mirroring does not change it.
    """

    pixels: torch.Tensor
    kinds: torch.Tensor
    categories: torch.Tensor
    differences: torch.Tensor
    places: torch.Tensor
    orders: torch.Tensor
    in_order: torch.Tensor
    mirrors: torch.Tensor
    colours: torch.Tensor

    def at(self, rows: torch.Tensor) -> "Pool":
        """Return some of the pictures."""
        return Pool(**{name: values[rows] for name, values in vars(self).items()})

    def to(self, device: torch.device) -> "Pool":
        """Return the pictures on another device."""
        return Pool(**{name: values.to(device) for name, values in vars(self).items()})


def pooled(pictures: Sequence[Picture]) -> Pool:
    """Return pictures as tensors."""
    names = list(KINDS)
    return Pool(
        pixels=torch.from_numpy(np.stack([picture.pixels for picture in pictures])),
        kinds=torch.tensor([names.index(picture.kind) for picture in pictures]),
        categories=torch.tensor([picture.category for picture in pictures]),
        differences=torch.tensor([picture.difference for picture in pictures]).float(),
        places=torch.from_numpy(np.stack([picture.places for picture in pictures])),
        orders=torch.tensor([(picture.upright, picture.sideways) for picture in pictures]),
        in_order=torch.tensor([picture.in_order for picture in pictures]),
        mirrors=torch.tensor([picture.mirrors for picture in pictures]),
        colours=torch.tensor([_colour_with_more(picture) for picture in pictures]),
    )


def _colour_with_more(picture: Picture) -> int:
    first, second = picture.words["first"], picture.words["second"]
    if picture.category == NEITHER or first == second:
        return NO_COLOUR
    return list(COLOURS).index(first if picture.category == FIRST else second)


def mirrored_at_random(pool: Pool, generator: torch.Generator) -> Pool:
    """Mirror each picture or not, along each axis, as ``picture.mirrored`` does."""
    pixels, categories, differences = pool.pixels, pool.categories, pool.differences
    places = pool.places.clone()
    for axis, along in ((0, 1), (1, 0)):
        turned = (torch.rand(len(pixels), generator=generator) < 0.5) & pool.mirrors
        pixels = torch.where(turned[:, None, None, None], pixels.flip(axis + 1), pixels)
        swapped = turned & pool.orders[:, axis]
        categories = torch.where(swapped & (categories != NEITHER), 1 - categories, categories)
        differences = torch.where(swapped, -differences, differences)
        places[:, [along, along + 4]] *= torch.where(turned, -1.0, 1.0)[:, None]
        rolled = (swapped & ~pool.in_order)[:, None]
        places = torch.where(rolled, places.roll(4, 1), places)
    changed = {"pixels": pixels, "categories": categories, "differences": differences}
    return replace(pool, **changed, places=places)


def shuffled_batches(
    number: int, phase: Phase, generator: torch.Generator
) -> Iterator[torch.Tensor]:
    """Yield rows for every step of a phase, all rows once before any comes again."""
    given = 0
    while given < phase.steps:
        for rows in torch.randperm(number, generator=generator).split(phase.batch):
            if len(rows) == min(phase.batch, number) and given < phase.steps:
                given += 1
                yield rows


class Optimiser:
    """AdamW over some parameters, with a phase's learning rates and clipping."""

    def __init__(self, parameters: Sequence[torch.nn.Parameter], phase: Phase) -> None:
        """Take the parameters that learn; matrices decay, biases and gains do not."""
        self._parameters, self._phase, self._step = list(parameters), phase, 0
        groups = [
            {"params": [one for one in parameters if one.dim() > 1], "weight_decay": phase.decay},
            {"params": [one for one in parameters if one.dim() < 2], "weight_decay": 0.0},
        ]
        self._optimiser = torch.optim.AdamW(groups, lr=phase.rate, betas=(0.9, 0.98), fused=True)

    def learn(self, loss: torch.Tensor) -> None:
        """Make one step down a loss."""
        phase = self._phase
        for group in self._optimiser.param_groups:
            group["lr"] = learning_rate(self._step, phase.steps, phase.rate, phase.warm_up)
        self._optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self._parameters, phase.clip)
        self._optimiser.step()
        self._step += 1
