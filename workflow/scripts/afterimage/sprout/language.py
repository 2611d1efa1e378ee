"""The second half of the training: projector and language model, from features of the eye as it then is."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch.nn import functional
from transformers import LlavaForConditionalGeneration, PreTrainedTokenizerFast

from afterimage.sprout.drill import Optimiser, pooled, shuffled_batches
from afterimage.sprout.eye import Told
from afterimage.sprout.network import ASSISTANT, BEGIN, END, IMAGE, USER, Eye, image_tokens
from afterimage.sprout.picture import Picture, mirrored
from afterimage.sprout.recipe import Recipe
from afterimage.sprout.words import Question, ask


@dataclass(frozen=True)
class _Turn:
    """A conversation as numbers of tokens, without the image's.

    Attributes:
        before, after: What stands before and after the image, up to where the answer begins.
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
        ids, row, column, wanted = (one.to(features.device) for one in self._padded(turns))
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
        row_at, column_at = [], []
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
    told: Told,
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
        told(step, phase.steps, float(loss.detach()), float(right.float().mean()))


def _mirrored(random: np.random.Generator, picture: Picture) -> Picture:
    for axis in (0, 1):
        if random.random() < 0.5:
            picture = mirrored(picture, axis)
    return picture
