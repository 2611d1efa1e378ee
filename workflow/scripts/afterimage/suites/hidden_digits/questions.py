"""Questions: which of two digits is hidden in each image."""

from collections.abc import Iterator, Sequence

from afterimage.contract.question import Option, Question, ask
from afterimage.contract.stimulus import Json, Shown
from afterimage.suites.hidden_digits.names import SIDES


def questions(
    images: Sequence[Shown], words: Json, settings: Json, available: Sequence[Shown]
) -> Iterator[Question]:
    """Yield the questions about the images of a shard.

    Args:
        images: Those of the shard.
        words: ``prompts`` by id, of each its ``text``.
        settings: ``prompts`` (ids).
        available: Not read; no prompt uses examples.
    """
    for shown in images:
        digits = shown.factors["named"].split()
        for prompt in settings["prompts"]:
            text = words["prompts"][prompt]["text"].format(options="\n".join(digits))
            yield Question(
                shown,
                prompt,
                ask(shown, text),
                words["prompts"][prompt]["answer_type"],
                shown.factors["side"],
                tuple(map(Option, SIDES, digits)),
                prompt=prompt,
            )
