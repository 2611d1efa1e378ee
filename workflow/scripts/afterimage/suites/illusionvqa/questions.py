"""Questions: images become items, in the words and the order of the authors' own scripts.

Each question is laid out as "Image 1: ..." with its lettered options, the image, and "Answer 1: ". Prompts with
examples put those before it, numbered on, with their answers; the one with reasoning asks for it first.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from afterimage.suites.illusionvqa.names import EXAMPLES, FEW_SHOT, subset_of

_SUITE = "illusionvqa"
_SLOT = re.compile(r"\{(number|options|question)\}")


def questions(
    stimuli: Iterable[Mapping],
    bank_slice: Mapping,
    settings: Mapping,
    read_png: Callable[[Mapping], bytes],
    examples: Iterable[Mapping] = (),
) -> Iterator[dict]:
    """Yield the items of a shard: each question about each image with each prompt, schema ITEM.

    Args:
        stimuli: Stimulus records, schema STIMULUS, of the shard; those of examples give no items.
        bank_slice: ``prompts``, by id.
        settings: ``prompts``, the ids in use.
        read_png: Gives a stimulus record's PNG bytes.
        examples: All stimulus records that the shard needs, the examples' among them.
    """
    shown = [row for row in examples if row["figure"].endswith(EXAMPLES)]
    for row in stimuli:
        if row["figure"].endswith(EXAMPLES):
            continue
        image = _image(row, read_png)
        for prompt in settings["prompts"]:
            before = _examples(shown, row["figure"]) if prompt in FEW_SHOT else []
            images = [*(_image(example, read_png) for example, _ in before), image]
            for question in _asked(row):
                yield {
                    "item_id": f"{row['stimulus_id']}/{question['number']}/{prompt}",
                    "suite": _SUITE,
                    "stimulus_id": row["stimulus_id"],
                    "figure": row["figure"],
                    "prompt": prompt,
                    "question": str(question["number"]),
                    "messages": [_turn(bank_slice["prompts"][prompt], before, question)],
                    "images": images,
                    "answer_type": "lettered_choice",
                    "options": [
                        {"option_id": str(place), "text": text}
                        for place, text in enumerate(question["options"])
                    ],
                    "key": str(question["gold_index"]),
                    "factors": {
                        "subset": subset_of(row["figure"]),
                        "category": question["category"],
                        "options": str(len(question["options"])),
                    },
                }


def _asked(row: Mapping) -> list[dict]:
    return json.loads(row["parameters"])["nominal"]["questions"]


def _examples(shown: Sequence[Mapping], subset: str) -> list[tuple[Mapping, dict]]:
    """Return the examples of a subset with their images, in the order of the labels."""
    found = [
        (row, question)
        for row in shown
        if subset_of(row["figure"]) == subset
        for question in _asked(row)
    ]
    return sorted(found, key=lambda example: example[1]["number"])


def _image(row: Mapping, read_png: Callable[[Mapping], bytes]) -> dict:
    return {"pixels_sha256": row["pixels_sha256"], "png": read_png(row)}


def _turn(wording: Mapping, before: Sequence[tuple[Mapping, Mapping]], question: Mapping) -> dict:
    parts = [_text(wording["instruction"])]
    for place, (_, example) in enumerate(before, start=1):
        parts += _laid_out(wording, place, example)
        if "reasoning" in wording and example["reasoning"]:
            parts.append(_text(f"{wording['reasoning']}{example['reasoning']}"))
        label = wording["answer"].replace("{number}", str(place))
        parts.append(_text(f"{label}{_letter(example['gold_index'])}"))
    if before:
        parts.append(_text(wording["try_it"]))
    last = len(before) + 1
    parts += _laid_out(wording, last, question)
    ending = wording.get("reasoning", wording["answer"])
    parts.append(_text(ending.replace("{number}", str(last))))
    return {"role": "user", "parts": parts}


def _laid_out(wording: Mapping, place: int, question: Mapping) -> list[dict]:
    options = "\n".join(
        f"{_letter(number)}. {option}" for number, option in enumerate(question["options"])
    )
    slots = {"number": str(place), "options": options, "question": question["text"]}
    return [
        _text(_filled(wording["question"], slots)),
        {"type": "image", "text": None, "image": place - 1},
        *(_text(_filled(text, slots)) for text in wording.get("after_image", ())),
    ]


def _filled(template: str, slots: Mapping[str, str]) -> str:
    """Fill the slots in, all at once: what a question says is never taken for a slot."""
    return _SLOT.sub(lambda found: slots[found[1]], template)


def _letter(index: int) -> str:
    return chr(ord("a") + index)


def _text(text: str) -> dict:
    return {"type": "text", "text": text, "image": None}
