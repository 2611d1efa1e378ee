"""Questions: each image with each prompt; where the target is, only about images that have one."""

from collections.abc import Iterator, Sequence

from afterimage.contract.question import Option, Question, ask
from afterimage.contract.stimulus import Json, Shown
from afterimage.suites.search.names import NO, PRESENT, YES


def questions(
    images: Sequence[Shown], words: Json, settings: Json, available: Sequence[Shown]
) -> Iterator[Question]:
    """Yield the questions about the images of a shard.

    Args:
        images: Those of the shard.
        words: What ``asking`` chose: ``prompts`` by id and ``targets`` by figure.
        settings: ``prompts`` (ids).
        available: Not read; no prompt uses examples.
    """
    for shown in images:
        is_present = shown.factors["presence"] == PRESENT
        for prompt in settings["prompts"]:
            wording = words["prompts"][prompt]
            slots = {"target": words["targets"][shown.figure]}
            if wording["question"] == "present":
                key, texts = YES if is_present else NO, {YES: YES, NO: NO}
            elif is_present:
                key, texts = shown.factors["quadrant"], wording["options"]
                slots["options"] = "\n".join(texts.values())
            else:
                continue
            yield Question(
                shown,
                prompt,
                ask(shown, wording["text"].format(**slots)),
                wording["answer_type"],
                key,
                tuple(Option(name, text) for name, text in texts.items()),
                prompt=prompt,
                question=wording["question"],
            )
