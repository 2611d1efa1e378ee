"""The questions about each image, and how a model answers them that does not look."""

from collections.abc import Iterator, Sequence

from afterimage.contract.question import Option, Question, ask
from afterimage.contract.stimulus import Json, Shown
from afterimage.items.wording import offered
from afterimage.suites.hidden_digits.design import SIDES


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


# ---- textbook ----


def answer(beside: Json, rule: str) -> str:
    """Return the first digit.

    Args:
        beside: What stands beside the request: ``options`` as pairs of option id and text.
        rule: ``cued`` or ``gated``, which are the same here.

    Raises:
        AfterimageError: The rule is unknown, or there are no options.
    """
    return offered(beside, rule)[SIDES[0]]
