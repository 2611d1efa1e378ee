"""Questions: stimuli become items, each complete in itself.

What is asked in which words is handed over as plain values (``bank.py`` of the suite cuts them out of the prompt file),
so that a change in how that file is checked asks no model anything anew. The image stands before the text.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping

from afterimage.suites.texture.classification import ClassificationItem, classification_items
from afterimage.suites.texture.data.dataset import load_dataset
from afterimage.suites.texture.data.reading import Row
from afterimage.suites.texture.generation import GenerationItem, generation_items

_SUITE = "texture"


def questions(
    stimuli: Iterable[Mapping],
    bank_slice: Mapping,
    settings: Mapping,
    read_png: Callable[[Mapping], bytes],
    examples: Iterable[Mapping] = (),
) -> Iterator[dict]:
    """Yield the items of a shard: the questions about each of its images with each prompt, schema ITEM.

    Args:
        stimuli: Stimulus records, schema STIMULUS, of the shard.
        bank_slice: What ``bank.select`` returned.
        settings: ``dataset`` (where the words are), ``rules`` (how items are made of them), ``prompts`` (ids).
        read_png: Gives a stimulus record's PNG bytes; called for images that are asked about.
        examples: Not read; no prompt uses examples.

    Raises:
        AfterimageError: A table is not what it should be.
    """
    dataset = load_dataset(settings["dataset"])
    rules = settings["rules"]
    chosen: dict[str, list] = {}
    for item in [*classification_items(dataset, rules), *generation_items(dataset, rules)]:
        chosen.setdefault(item.key[0], []).append(item)
    for row in stimuli:
        asked = chosen.get(row["stimulus_id"], [])
        if not asked:
            continue
        image = {"pixels_sha256": row["pixels_sha256"], "png": read_png(row)}
        for prompt in settings["prompts"]:
            wording = bank_slice["prompts"][prompt]
            for item in asked:
                if (wording["task"] == "generation") != isinstance(item, GenerationItem):
                    continue
                about = dataset.objects[item.key]
                part = (
                    _describe(item, wording, about)
                    if isinstance(item, GenerationItem)
                    else _choose(item, wording, about)
                )
                yield {
                    "item_id": f"{item.item_id}/{prompt}",
                    "suite": _SUITE,
                    "stimulus_id": row["stimulus_id"],
                    "figure": row["figure"],
                    "prompt": prompt,
                    "images": [image],
                    "answer_type": wording["answer_type"],
                    **part,
                    "factors": {
                        "item": item.item_id,
                        "object": str(about["object_ja"]),
                        "object_id": item.key[1],
                        "category": str(about["category"] or ""),
                        "data": "drawn" if settings["dataset"]["drawn"] else "files",
                        **part["factors"],
                    },
                }


def _choose(item: ClassificationItem, wording: Mapping, about: Row) -> dict:
    listed = wording["separator"].join(
        wording["option"].format(number=number, word=option.word)
        for number, option in enumerate(item.options)
    )
    text = wording["text"].format(object=about["object_ja"], options=listed)
    return {
        "question": f"choose_{len(item.options)}",
        "messages": [_turn(text)],
        "options": [
            {"option_id": str(number), "text": option.word}
            for number, option in enumerate(item.options)
        ],
        "key": str(item.gold_index),
        "factors": {
            "task": "classification",
            "choices": str(len(item.options)),
            "gold_word": item.gold_word,
            "options": json.dumps([option.word for option in item.options], ensure_ascii=False),
            "origins": json.dumps([option.origin for option in item.options], ensure_ascii=False),
            "words_from": item.votes or "file",
        },
    }


def _describe(item: GenerationItem, wording: Mapping, about: Row) -> dict:
    return {
        "question": "describe",
        "messages": [_turn(wording["text"].format(object=about["object_ja"]))],
        # The answer is open: no list is the right one, and graders do not look at them. People's own stands in
        # the place of the key because an item needs one.
        "options": [
            {"option_id": name, "text": "、".join(words)} for name, words in item.lists.items()
        ],
        "key": "people",
        "factors": {
            "task": "generation",
            "human_words": json.dumps(item.human_words, ensure_ascii=False),
            "words_from": item.source,
        },
    }


def _turn(text: str) -> dict:
    return {
        "role": "user",
        "parts": [
            {"type": "image", "text": None, "image": 0},
            {"type": "text", "text": text, "image": None},
        ],
    }
