"""Questions: images become items; ``classification.py`` and ``generation.py`` choose objects and words."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from afterimage.contract.question import Option, Question, ask
from afterimage.contract.stimulus import Json, Shown
from afterimage.suites.texture.classification import ClassificationItem, classification_items
from afterimage.suites.texture.data.dataset import load_dataset
from afterimage.suites.texture.data.reading import Row
from afterimage.suites.texture.generation import GenerationItem, generation_items


def questions(
    images: Sequence[Shown], words: Json, settings: Json, available: Sequence[Shown]
) -> Iterator[Question]:
    """Yield the questions about the objects of each image with each prompt.

    Args:
        images: Those of the shard.
        words: ``prompts``, by id.
        settings: ``dataset`` (where people's words are), ``rules`` (how items are made of them), ``prompts`` (ids).
        available: Not read; no prompt uses examples.

    Raises:
        AfterimageError: A table is not what it should be.
    """
    dataset = load_dataset(settings["dataset"])
    rules = settings["rules"]
    by_image = {
        "classification": _by_image(classification_items(dataset, rules)),
        "generation": _by_image(generation_items(dataset, rules)),
    }
    data = "drawn" if settings["dataset"]["drawn"] else "files"
    for shown in images:
        for prompt in settings["prompts"]:
            wording = words["prompts"][prompt]
            ask_about = _ASKED[wording["task"]]
            for item in by_image[wording["task"]].get(shown.stimulus_id, ()):
                about = dataset.objects[item.key]
                question = ask_about(shown, prompt, item, wording, about)
                common = {
                    "item": item.item_id,
                    "object": str(about["object_ja"]),
                    "object_id": item.key[1],
                    "category": str(about["category"] or ""),
                    "data": data,
                }
                yield question._replace(factors={**common, **question.factors})


_Item = TypeVar("_Item", ClassificationItem, GenerationItem)


def _by_image(items: Iterable[_Item]) -> dict[str, list[_Item]]:
    found: dict[str, list[_Item]] = {}
    for item in items:
        found.setdefault(item.key[0], []).append(item)
    return found


def _choose(
    shown: Shown, prompt: str, item: ClassificationItem, wording: Json, about: Row
) -> Question:
    listed = wording["separator"].join(
        wording["option"].format(number=number, word=option.word)
        for number, option in enumerate(item.options)
    )
    return Question(
        shown,
        prompt,
        ask(shown, wording["text"].format(object=about["object_ja"], options=listed)),
        wording["answer_type"],
        key=str(item.gold_index),
        options=tuple(
            Option(str(number), option.word) for number, option in enumerate(item.options)
        ),
        prompt=prompt,
        question=f"choose_{len(item.options)}",
        factors={
            "task": "classification",
            "choices": str(len(item.options)),
            "gold_word": item.gold_word,
            "options": json.dumps([option.word for option in item.options], ensure_ascii=False),
            "origins": json.dumps([option.origin for option in item.options], ensure_ascii=False),
            "words_from": item.votes or "file",
        },
        item_id=f"{item.item_id}/{prompt}",
    )


def _describe(
    shown: Shown, prompt: str, item: GenerationItem, wording: Json, about: Row
) -> Question:
    return Question(
        shown,
        prompt,
        ask(shown, wording["text"].format(object=about["object_ja"])),
        wording["answer_type"],
        # The answer is open: no list is the right one, and graders do not look at them. People's own stands in
        # the place of the key because an item needs one.
        key="people",
        options=tuple(Option(name, "、".join(words)) for name, words in item.lists.items()),
        prompt=prompt,
        question="describe",
        factors={
            "task": "generation",
            "human_words": json.dumps(item.human_words, ensure_ascii=False),
            "words_from": item.source,
        },
        item_id=f"{item.item_id}/{prompt}",
    )


_ASKED = {"classification": _choose, "generation": _describe}
