"""The two halves of the training, and what they share: pictures as tensors, mirrored at random, and the optimiser.

First the vision tower, by heads that are thrown away; then projector and language model, from features of the eye as it
then is.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch.nn import functional
from transformers import LlavaForConditionalGeneration, PreTrainedTokenizerFast

from afterimage.sprout.kinds import KINDS
from afterimage.sprout.network import (
    ASSISTANT,
    BEGIN,
    END,
    IMAGE,
    USER,
    Eye,
    image_tokens,
    learning_rate,
)
from afterimage.sprout.picture import CATEGORIES, COLOURS, FIRST, NEITHER, Picture, mirrored
from afterimage.sprout.recipe import Phase, Recipe
from afterimage.sprout.words import Question, ask

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
        return Pool(**{name: values[rows] for name, values in vars(self).items()})

    def to(self, device: torch.device) -> "Pool":
        return Pool(**{name: values.to(device) for name, values in vars(self).items()})


def pooled(pictures: Sequence[Picture]) -> Pool:
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
    points = pool.places.clone()
    for axis, along in ((0, 1), (1, 0)):
        turned = (torch.rand(len(pixels), generator=generator) < 0.5) & pool.mirrors
        pixels = torch.where(turned[:, None, None, None], pixels.flip(axis + 1), pixels)
        swapped = turned & pool.orders[:, axis]
        categories = torch.where(swapped & (categories != NEITHER), 1 - categories, categories)
        differences = torch.where(swapped, -differences, differences)
        points[:, [along, along + 4]] *= torch.where(turned, -1.0, 1.0)[:, None]
        rolled = (swapped & ~pool.in_order)[:, None]
        points = torch.where(rolled, points.roll(4, 1), points)
    changed = {"pixels": pixels, "categories": categories, "differences": differences}
    return replace(pool, **changed, places=points)


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
            {
                "params": [parameter for parameter in parameters if parameter.dim() > 1],
                "weight_decay": phase.decay,
            },
            {
                "params": [parameter for parameter in parameters if parameter.dim() < 2],
                "weight_decay": 0.0,
            },
        ]
        self._optimiser = torch.optim.AdamW(groups, lr=phase.rate, betas=(0.9, 0.98), fused=True)

    def learn(self, loss: torch.Tensor) -> None:
        phase = self._phase
        for group in self._optimiser.param_groups:
            group["lr"] = learning_rate(self._step, phase.steps, phase.rate, phase.warm_up)
        self._optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self._parameters, phase.clip)
        self._optimiser.step()
        self._step += 1


#: Is given of each step: its number, how many there are, the loss and the share of right categories.
# ---- The eye ----

Progress = Callable[[int, int, float, float], None]


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
        points = self.places(features.flatten(1)).view(-1, len(KINDS), 8)[rows, pool.kinds]
        loss = functional.cross_entropy(categories, pool.categories)
        wanted = pool.differences.clamp(-2, 2)
        loss = loss + recipe.difference_weight * functional.l1_loss(differences, wanted)
        loss = loss + recipe.places_weight * functional.l1_loss(points, pool.places)
        colours = functional.cross_entropy(
            self.colour(mean), pool.colours, ignore_index=NO_COLOUR, reduction="sum"
        )
        coloured = (pool.colours != NO_COLOUR).sum().clamp(min=1)
        loss = loss + recipe.colour_weight * colours / coloured
        return loss, categories.argmax(1) == pool.categories


def train_eye(
    eye: Eye, recipe: Recipe, pool: Pool, generator: torch.Generator, progress: Progress
) -> None:
    device, phase = eye.tower.device, recipe.eye
    heads = Heads(recipe).to(device)
    optimiser = Optimiser([*eye.tower.parameters(), *heads.parameters()], phase)
    for step, rows in enumerate(shuffled_batches(len(pool.kinds), phase, generator)):
        batch = mirrored_at_random(pool.at(rows), generator).to(device)
        loss, right = heads(eye.look(batch.pixels), batch, recipe)
        optimiser.learn(loss)
        progress(step, phase.steps, float(loss.detach()), float(right.float().mean()))


# ---- The language ----


@dataclass(frozen=True)
class _Turn:
    """A conversation as numbers of tokens, without the image's.

    Attributes:
        before, after: Tokens before and after the image, up to the answer.
        answer: The answer with the end.
    """

    before: list[int]
    after: list[int]
    answer: list[int]


class Reader:
    """Turns questions into tokens and losses, for one model."""

    def __init__(
        self, model: LlavaForConditionalGeneration, tokenizer: PreTrainedTokenizerFast, tokens: int
    ) -> None:
        """Take the model, its tokenizer and how many tokens an image becomes."""
        self._model, self._tokenizer, self._tokens = model, tokenizer, tokens
        number = tokenizer.convert_tokens_to_ids
        self._begin, self._end, self._image = number(BEGIN), number(END), number(IMAGE)
        self._user, self._assistant, self._pad = (
            number(USER),
            number(ASSISTANT),
            tokenizer.pad_token_id,
        )

    def loss(
        self, features: torch.Tensor, questions: Sequence[Question]
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the loss of the answers and which of them would be said in full, shape (questions,)."""
        turns = [self._turn(question) for question in questions]
        ids, row, column, wanted = (tensor.to(features.device) for tensor in self._padded(turns))
        language = self._model.model.language_model
        words = language.embed_tokens(ids)
        seen = self._model.model.multi_modal_projector(features)
        known = torch.cat([words[:, :2], seen, words[:, 2 + self._tokens :]], 1)
        hidden = language(inputs_embeds=known, use_cache=False).last_hidden_state
        logits = self._model.lm_head(hidden[row, column])
        loss = functional.cross_entropy(logits, wanted)
        wrong = torch.zeros(len(turns), device=row.device)
        return loss, wrong.index_add_(0, row, (logits.argmax(1) != wanted).float()) == 0

    def _turn(self, question: Question) -> _Turn:
        text, answer = (
            self._tokenizer(part).input_ids for part in (question.text, question.answer)
        )
        return _Turn([self._begin, self._user], [*text, self._assistant], [*answer, self._end])

    def _padded(
        self, turns: Sequence[_Turn]
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return tokens, shape (turns, longest), row and column where an answer's are foretold, and which they are."""
        image = [self._image] * self._tokens
        rows = [[*turn.before, *image, *turn.after, *turn.answer] for turn in turns]
        longest = max(map(len, rows))
        ids = torch.tensor([row + [self._pad] * (longest - len(row)) for row in rows])
        row_at: list[int] = []
        column_at: list[int] = []
        for number, (row, turn) in enumerate(zip(rows, turns, strict=True)):
            first = len(row) - len(turn.answer) - 1
            row_at += [number] * len(turn.answer)
            column_at += range(first, first + len(turn.answer))
        where, column = torch.tensor(row_at), torch.tensor(column_at)
        return ids, where, column, ids[where, column + 1]


def train_language(
    model: LlavaForConditionalGeneration,
    tokenizer: PreTrainedTokenizerFast,
    eye: Eye,
    recipe: Recipe,
    pictures: Sequence[Picture],
    generator: torch.Generator,
    progress: Progress,
) -> None:
    """Train projector and language model on pictures and questions that change from round to round."""
    phase, random = recipe.language, np.random.default_rng([recipe.seed, 3])
    reader = Reader(model, tokenizer, image_tokens(recipe.network))
    projector, language = model.model.multi_modal_projector, model.model.language_model
    optimiser = Optimiser([*projector.parameters(), *language.parameters()], phase)
    for step, rows in enumerate(shuffled_batches(len(pictures), phase, generator)):
        batch = [_mirrored(random, pictures[row]) for row in rows.tolist()]
        with torch.no_grad():
            features = eye.look(pooled(batch).pixels)
        questions = [ask(random, picture, recipe.variety) for picture in batch]
        loss, right = reader.loss(features, questions)
        optimiser.learn(loss)
        progress(step, phase.steps, float(loss.detach()), float(right.float().mean()))


def _mirrored(random: np.random.Generator, picture: Picture) -> Picture:
    for axis in (0, 1):
        if random.random() < 0.5:
            picture = mirrored(picture, axis)
    return picture
