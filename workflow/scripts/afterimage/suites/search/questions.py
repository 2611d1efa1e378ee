"""The questions about each image, and how a model answers them that does not look."""

from collections.abc import Iterator, Sequence

from afterimage.contract.question import Option, Question, ask
from afterimage.contract.stimulus import Json, Shown
from afterimage.items.wording import offered
from afterimage.suites.search.design import NO, PRESENT, YES


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


# ---- textbook ----


def answer(beside: Json, rule: str) -> str:
    """Return ``Yes``, or the first option where places are asked for.

    Args:
        beside: What stands beside the request: ``options`` as pairs of option id and text.
        rule: ``cued`` or ``gated``, which are the same here.

    Raises:
        AfterimageError: The rule is unknown, or there are no options.
    """
    texts = offered(beside, rule)
    return texts.get(YES, next(iter(texts.values())))
