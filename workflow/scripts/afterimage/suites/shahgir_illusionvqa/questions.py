"""Questions: images become items, in the words and the order of the authors' own scripts.

Each question is laid out as "Image 1: ..." with its lettered options, the image, and "Answer 1: ". Prompts with
examples put those before it, numbered on, with their answers; the one with reasoning asks for it first.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from afterimage.contract.question import Option, Piece, Question, ask
from afterimage.contract.stimulus import Json, Shown, is_missing
from afterimage.suites.shahgir_illusionvqa.dataset import EXAMPLES, FEW_SHOT, subset_of
from afterimage.suites.shahgir_illusionvqa.dataset import Question as Entry

_SLOT = re.compile(r"\{(number|options|question)\}")
#: An image and a question about it.
_Pair = tuple[Shown, Entry]


def questions(
    images: Sequence[Shown], words: Json, settings: Json, available: Sequence[Shown]
) -> Iterator[Question]:
    """Ask each question about each image with each prompt; examples give no items."""
    examples = [
        shown
        for shown in available
        if shown.figure.endswith(EXAMPLES) and not is_missing(shown.factors)
    ]
    for shown in images:
        if shown.figure.endswith(EXAMPLES):
            continue
        for prompt in settings["prompts"]:
            before = _examples(examples, shown.figure) if prompt in FEW_SHOT else []
            for entry in shown.questions:
                yield Question(
                    shown,
                    f"{entry.number}/{prompt}",
                    ask(*_parts(words["prompts"][prompt], [*before, (shown, entry)])),
                    "lettered_choice",
                    key=str(entry.gold_index),
                    options=tuple(
                        Option(str(index), text) for index, text in enumerate(entry.options)
                    ),
                    prompt=prompt,
                    question=str(entry.number),
                    factors={
                        "subset": subset_of(shown.figure),
                        "category": entry.category,
                        "options": str(len(entry.options)),
                    },
                )


def _examples(examples: Sequence[Shown], subset: str) -> list[_Pair]:
    """Return the examples of a subset with their images, in the order of the labels."""
    found = [
        (shown, entry)
        for shown in examples
        if subset_of(shown.figure) == subset
        for entry in shown.questions
    ]
    return sorted(found, key=lambda example: example[1].number)


def _parts(wording: Mapping[str, Any], pairs: Sequence[_Pair]) -> Iterator[Piece]:
    """Yield the parts of the prompt: the examples with their answers, if any, then the question."""
    yield wording["instruction"]
    for number, (shown, example) in enumerate(pairs[:-1], start=1):
        yield from _question_pieces(wording, number, shown, example)
        if "reasoning" in wording and example.reasoning:
            yield f"{wording['reasoning']}{example.reasoning}"
        label = wording["answer"].replace("{number}", str(number))
        yield f"{label}{_letter(example.gold_index)}"
    if pairs[1:]:
        yield wording["try_it"]
    yield from _question_pieces(wording, len(pairs), *pairs[-1])
    yield wording.get("reasoning", wording["answer"]).replace("{number}", str(len(pairs)))


def _question_pieces(
    wording: Mapping[str, Any], number: int, shown: Shown, entry: Entry
) -> Iterator[Piece]:
    options = "\n".join(f"{_letter(index)}. {option}" for index, option in enumerate(entry.options))
    slots = {"number": str(number), "options": options, "question": entry.text}
    yield _fill(wording["question"], slots)
    yield shown
    for text in wording.get("after_image", ()):
        yield _fill(text, slots)


def _fill(template: str, slots: Mapping[str, str]) -> str:
    """Fill all slots at once, so that braces in a question are never taken for a slot."""
    return _SLOT.sub(lambda match: slots[match[1]], template)


def _letter(index: int) -> str:
    return chr(ord("a") + index)
