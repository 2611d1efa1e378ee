"""The whole training: pictures, tokenizer, eye, language, in this order, from one seed."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import torch
from transformers import LlavaForConditionalGeneration, PreTrainedTokenizerFast

from afterimage.sprout.network import Eye, learn_tokenizer, new_model
from afterimage.sprout.phases import pooled, train_eye, train_language
from afterimage.sprout.picture import Picture
from afterimage.sprout.recipe import Recipe, training_pictures
from afterimage.sprout.words import ask

logger = logging.getLogger(__name__)

#: Threads of torch: of the two cores of a laptop, both.
_THREADS = 2
#: Questions from which the tokenizer is learnt.
_QUESTIONS = 6000
#: Points of each phase's curve.
_POINTS = 40


@dataclass
class Curve:
    """How a phase went: means over so many steps.

    Attributes:
        phase: ``eye`` or ``language``.
        rows: Step, loss, and share right of what was trained on, each the mean since the row before.
    """

    phase: str
    rows: list[tuple[int, float, float]] = field(default_factory=list)
    _since: list[tuple[float, float]] = field(default_factory=list)

    def add(self, step: int, steps: int, loss: float, right: float) -> None:
        """Take a step's loss and share."""
        self._since.append((loss, right))
        if (step + 1) % max(1, steps // _POINTS) == 0 or step + 1 == steps:
            loss, right = np.mean(self._since, axis=0).tolist()
            self.rows.append((step + 1, loss, right))
            self._since.clear()
            logger.info(
                "%s: step %d of %d, loss %.3f, right %.3f", self.phase, step + 1, steps, loss, right
            )


@dataclass(frozen=True)
class Trained:
    model: LlavaForConditionalGeneration
    tokenizer: PreTrainedTokenizerFast
    curves: tuple[Curve, Curve]


def train(recipe: Recipe, threads: int, device: str = "cpu") -> Trained:
    """Follow a recipe, in float32.

    On the CPU torch computes with as many threads whatever the number of cores, because sums in another order would be
    other weights. On a GPU, where products are rounded to TF32, no two trainings need to end alike.

    Args:
        threads: Processes that draw.
        device: Where torch computes.
    """
    torch.set_num_threads(_THREADS)
    torch.use_deterministic_algorithms(device == "cpu")
    torch.set_float32_matmul_precision("highest" if device == "cpu" else "high")
    torch.manual_seed(recipe.seed)
    pictures = training_pictures(recipe, threads)
    logger.info("%d pictures drawn", len(pictures))
    tokenizer = _tokenizer(recipe, pictures)
    model = new_model(recipe.network, tokenizer).to(device)
    logger.info("%d parameters, %d tokens", _size(model), len(tokenizer))
    generator = torch.Generator().manual_seed(recipe.seed)
    eye, curves = Eye(model, recipe.network), (Curve("eye"), Curve("language"))
    train_eye(eye, recipe, pooled(pictures), generator, curves[0].add)
    train_language(model, tokenizer, eye, recipe, pictures, generator, curves[1].add)
    eye.give_back()
    return Trained(model.to("cpu"), tokenizer, curves)


def _tokenizer(recipe: Recipe, pictures: Sequence[Picture]) -> PreTrainedTokenizerFast:
    random = np.random.default_rng([recipe.seed, 4])
    questions = (
        ask(random, pictures[number % len(pictures)], recipe.variety)
        for number in range(_QUESTIONS)
    )
    texts = (f"{question.text}\n{question.answer}" for question in questions)
    return learn_tokenizer(texts, recipe.network.vocabulary, recipe.network.positions)


def _size(model: torch.nn.Module) -> int:
    return sum(parameter.numel() for parameter in model.parameters())
