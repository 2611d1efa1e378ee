"""Questions: stimuli become items, each complete in itself; the image stands before the text.

An image whose file is missing gives no item, so no model is ever asked about it; what is not asked is counted in the
factor ``asked_of`` of every item that is.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping

from afterimage.suites.pope.asking import benchmark, by_blog, extended
from afterimage.suites.pope.asking.question import Asking, Question
from afterimage.suites.pope.names import BLOG, EXTENDED, NESTED, POPE
from afterimage.suites.pope.record import ImageRecord

_SUITE = "pope"


def questions(
    stimuli: Iterable[Mapping],
    bank_slice: Mapping,
    settings: Mapping,
    read_png: Callable[[Mapping], bytes],
    examples: Iterable[Mapping] = (),
) -> Iterator[dict]:
    """Yield the items of a shard, schema ITEM.

    Args:
        stimuli: Stimulus records, schema STIMULUS, of the shard.
        bank_slice: What ``bank.question_words`` returned.
        settings: What ``planning.question_spec`` returned.
        read_png: Gives a stimulus record's PNG bytes.
        examples: All stimuli of the suite: objects are sampled by how often they occur in all images.
    """
    known = {row["stimulus_id"]: row for row in examples}
    records = {name: _record(row) for name, row in known.items()}
    plain = [records[name] for name, row in known.items() if row["figure"] != NESTED]
    nested = [records[name] for name, row in known.items() if row["figure"] == NESTED]
    missing = {
        records[name].image_id
        for name, row in known.items()
        if row["factors"]["image"] == "missing"
    }
    asked = _asked(plain, nested, missing, bank_slice, settings)
    for row in stimuli:
        record = _record(row)
        if record.image_id in missing:
            continue
        image = {"pixels_sha256": row["pixels_sha256"], "png": read_png(row)}
        for variant, asking in asked.items():
            bookkeeping = asking.factor()
            for question in asking.questions.get(record.image_id, ()):
                yield _item(row, variant, question, image, bookkeeping)


def _asked(
    plain: list[ImageRecord],
    nested: list[ImageRecord],
    missing: set[str],
    words: Mapping,
    settings: Mapping,
) -> dict[str, Asking]:
    asked = {}
    if POPE in settings["variants"]:
        asked[POPE] = benchmark.ask(plain, missing, words, settings)
    if BLOG in settings["variants"]:
        asked[BLOG] = by_blog.ask(plain, missing, words, settings)
    if EXTENDED in settings["variants"]:
        asked[EXTENDED] = extended.ask(plain, nested, words, settings)
    return asked


def _record(row: Mapping) -> ImageRecord:
    return ImageRecord.from_json(json.loads(row["parameters"])["nominal"]["record"])


def _item(row: Mapping, variant: str, question: Question, image: Mapping, bookkeeping: str) -> dict:
    return {
        "item_id": "/".join((row["stimulus_id"], variant, *question.place, question.prompt)),
        "suite": _SUITE,
        "stimulus_id": row["stimulus_id"],
        "figure": row["figure"],
        "prompt": question.prompt,
        "question": question.kind,
        "messages": [
            {
                "role": "user",
                "parts": [
                    {"type": "image", "text": None, "image": 0},
                    {"type": "text", "text": question.text, "image": None},
                ],
            }
        ],
        "images": [image],
        "answer_type": question.answer_type,
        "options": [{"option_id": name, "text": text} for name, text in question.answers],
        "key": question.key,
        "factors": {
            "dataset": row["factors"]["dataset"],
            "image_id": row["factors"]["image_id"],
            **question.factors,
            "asked_of": bookkeeping,
        },
    }
