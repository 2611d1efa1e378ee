"""The first half of the training: the vision tower, by heads that are thrown away."""

from collections.abc import Callable

import torch
from torch.nn import functional

from afterimage.sprout.drill import NO_COLOUR, Optimiser, Pool, mirrored_at_random, shuffled_batches
from afterimage.sprout.kinds import KINDS
from afterimage.sprout.network import Eye, image_tokens
from afterimage.sprout.picture import CATEGORIES, COLOURS
from afterimage.sprout.recipe import Recipe

#: Told of a step: its number, how many there are, the loss and the share of right categories.
Told = Callable[[int, int, float, float], None]


class Heads(torch.nn.Module):
    """Linear readings of the eye's features, one set for each kind.

    What is true and how large the difference is are read from the mean token, places from all of them. Which colour
    the target has that has more is read alike for all kinds: it binds colour to size, which the language half, that
    sees far fewer pictures, does not learn by itself.
    """

    def __init__(self, recipe: Recipe) -> None:
        """Start at random, from torch's own generator."""
        super().__init__()
        width, tokens, kinds = recipe.network.eye_width, image_tokens(recipe.network), len(KINDS)
        self.category = torch.nn.Linear(width, CATEGORIES * kinds)
        self.difference = torch.nn.Linear(width, kinds)
        self.places = torch.nn.Linear(tokens * width, 8 * kinds)
        self.colour = torch.nn.Linear(width, len(COLOURS))

    def forward(
        self, features: torch.Tensor, pool: Pool, recipe: Recipe
    ) -> tuple[torch.Tensor, ...]:
        """Return the loss, and which categories were read rightly, shape (pictures,)."""
        rows, mean = torch.arange(len(features), device=features.device), features.mean(1)
        categories = self.category(mean).view(-1, len(KINDS), CATEGORIES)[rows, pool.kinds]
        differences = self.difference(mean)[rows, pool.kinds]
        places = self.places(features.flatten(1)).view(-1, len(KINDS), 8)[rows, pool.kinds]
        loss = functional.cross_entropy(categories, pool.categories)
        wanted = pool.differences.clamp(-2, 2)
        loss = loss + recipe.difference_weight * functional.l1_loss(differences, wanted)
        loss = loss + recipe.places_weight * functional.l1_loss(places, pool.places)
        colours = functional.cross_entropy(
            self.colour(mean), pool.colours, ignore_index=NO_COLOUR, reduction="sum"
        )
        coloured = (pool.colours != NO_COLOUR).sum().clamp(min=1)
        loss = loss + recipe.colour_weight * colours / coloured
        return loss, categories.argmax(1) == pool.categories


def train_eye(eye: Eye, recipe: Recipe, pool: Pool, generator: torch.Generator, told: Told) -> None:
    """Train the eye on a pool."""
    device, phase = eye.tower.device, recipe.eye
    heads = Heads(recipe).to(device)
    optimiser = Optimiser([*eye.tower.parameters(), *heads.parameters()], phase)
    for step, rows in enumerate(shuffled_batches(len(pool.kinds), phase, generator)):
        batch = mirrored_at_random(pool.at(rows), generator).to(device)
        loss, right = heads(eye.look(batch.pixels), batch, recipe)
        optimiser.learn(loss)
        told(step, phase.steps, float(loss.detach()), float(right.float().mean()))
