"""Questions: each question about each figure becomes an item; those that come without an image show none."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping

_SUITE = "hallusionbench"
_TRUTH = {True: "Yes", False: "No"}


def questions(
    stimuli: Iterable[Mapping],
    bank_slice: Mapping,
    settings: Mapping,
    read_png: Callable[[Mapping], bytes],
    examples: Iterable[Mapping] = (),
) -> Iterator[dict]:
    """Yield the items of a shard: each question with each prompt, schema ITEM.

    Args:
        stimuli: Stimulus records, schema STIMULUS, of the shard.
        bank_slice: ``prompts``, by id.
        settings: ``prompts``, the ids in use.
        read_png: Gives a stimulus record's PNG bytes.
        examples: Not read; no prompt uses examples.
    """
    for row in stimuli:
        shown = row["factors"]["image_shown"] == "yes"
        images = [{"pixels_sha256": row["pixels_sha256"], "png": read_png(row)}] if shown else []
        for prompt in settings["prompts"]:
            for question in json.loads(row["parameters"])["nominal"]["questions"]:
                text = bank_slice["prompts"][prompt]["text"].replace("{question}", question["text"])
                yield {
                    "item_id": f"{row['stimulus_id']}/{question['question_id']}/{prompt}",
                    "suite": _SUITE,
                    "stimulus_id": row["stimulus_id"],
                    "figure": row["figure"],
                    "prompt": prompt,
                    "question": question["question_id"],
                    "messages": [_turn(text, shown)],
                    "images": images,
                    "answer_type": "yes_no_uncertain",
                    "options": [{"option_id": word, "text": word} for word in _TRUTH.values()],
                    "key": _TRUTH[question["gold"]],
                    "factors": {**row["factors"], "question_id": question["question_id"]},
                }


def _turn(text: str, shown: bool) -> dict:
    image = [{"type": "image", "text": None, "image": 0}] if shown else []
    return {"role": "user", "parts": [*image, {"type": "text", "text": text, "image": None}]}
