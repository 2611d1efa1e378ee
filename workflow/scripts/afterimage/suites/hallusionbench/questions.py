"""Questions: each question about each figure becomes an item; those that come without an image show none."""

from collections.abc import Iterator, Sequence

from afterimage.contract.question import Option, Question, ask
from afterimage.contract.stimulus import Json, Shown

_TRUTH = {True: "Yes", False: "No"}


def questions(
    images: Sequence[Shown], words: Json, settings: Json, available: Sequence[Shown]
) -> Iterator[Question]:
    """Yield each question about each image with each prompt.

    Args:
        images: Those of the shard, with what the release asks about them.
        words: ``prompts``, by id.
        settings: ``prompts``, the ids in use.
        available: Not read; no prompt uses examples.
    """
    for shown in images:
        for prompt in settings["prompts"]:
            for asked in shown.questions:
                name = asked.question_id if asked.row == 1 else f"{asked.question_id}_{asked.row}"
                text = words["prompts"][prompt]["text"].replace("{question}", asked.text)
                yield Question(
                    shown,
                    f"{name}/{prompt}",
                    ask(text) if shown.file is None else ask(shown, text),
                    "yes_no_uncertain",
                    key=_TRUTH[asked.gold],
                    options=tuple(Option(word, word) for word in _TRUTH.values()),
                    prompt=prompt,
                    question=asked.question_id,
                    factors={**shown.factors, "question_id": asked.question_id},
                )
