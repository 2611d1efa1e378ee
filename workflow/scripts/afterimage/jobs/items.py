"""Making items: each stimulus of a shard becomes the questions that are asked about it."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, islice
from typing import Any

from afterimage.contract.design import Reader, questions_digest
from afterimage.contract.parts import resolve
from afterimage.contract.question import AnswerOf, Question, Turn
from afterimage.contract.stimulus import IMAGE, UNREADABLE, Shown, is_missing
from afterimage.errors import AfterimageError
from afterimage.files.attempts import UNREADABLE_ITEMS, WHY_NOTHING
from afterimage.files.human_responses import kept_figures
from afterimage.files.parquet import write_records
from afterimage.files.records import ITEM
from afterimage.files.stimulus import StimulusImages, read_stimuli
from afterimage.jobs.running import Files

#: Images that are held at a time: that of the question, and those of its examples.
_HELD_IMAGES = 16


def make_items(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, beside: Mapping[str, Any]
) -> int:
    """Write all items of one shard and return their number.

    Args:
        spec: ``suite``, its ``version``; ``questions`` (where this part is); ``bank`` and ``settings``, the words and
            settings that bear on these questions; ``stimuli``, the shard's ids, of which those that people's decisions
            exclude give no items; ``read``, of figures with a Reader where it is, its settings and a hash of what it
            asks; ``probes``, what is asked beside the suite's own questions (docs/claims.md).
        inputs: ``stimuli``, records of all figures that the shard needs, examples included; ``decisions``, a CSV with
            people's decision for each figure, or none where nobody decides and all count.
        outputs: ``shard``, the Parquet file to write, schema ITEM.
        beside: Nothing.
    """
    decided = [kept_figures(path) for path in inputs["decisions"]]
    kept = decided[0] if decided else None
    shard = set(spec["stimuli"])
    files = [str(path) for path in inputs["stimuli"]]
    drawn = [row for path in files for row in read_stimuli(path)]
    missing = shard - {row["stimulus_id"] for row in drawn}
    if missing:
        raise AfterimageError(
            f"{', '.join(files)}: no stimulus '{min(missing)}'; delete it and run again."
        )
    available = [row for row in drawn if kept is None or row["figure"] in kept]
    asked = [
        row for row in available if row["stimulus_id"] in shard and not is_missing(row["factors"])
    ]
    rows = _items(spec, asked, available)
    if "probes" in spec:
        # By name: without probes, the code of probes is no part of the job.
        rows = resolve("afterimage.items.deriving:with_probes")(rows, spec["probes"])
    rows = iter(rows)
    first = list(islice(rows, 1))
    about = {"suite_version": spec["version"]} if "version" in spec else {}
    if shard and not first:
        about[WHY_NOTHING] = _why_nothing(available)
    if unreadable := list(_unreadable(spec, asked, available)):
        about[UNREADABLE_ITEMS] = json.dumps(unreadable, ensure_ascii=False)
    return write_records(outputs["shard"], chain(first, rows), ITEM, batch_size=64, about=about)


def _why_nothing(available: Sequence[Mapping[str, Any]]) -> str:
    """Return why none of a shard's images is asked about."""
    if not available:
        return "people's answers, or the paper's, leave out everything that it shows"
    if all(is_missing(row["factors"]) for row in available):
        return "none of the images that its files name is there"
    return "the study leaves no question about its images"


def item_row(
    question: Question, suite: str, image: Callable[[str], Mapping[str, Any]]
) -> dict[str, Any]:
    """Return a question as an item, schema ITEM, complete in itself.

    Args:
        question: The question.
        suite: The suite's name.
        image: Gives the image of a stimulus, by its id, as it stands in an item.
    """
    shown = question.shown
    pictures = [
        part.stimulus_id
        for turn in question.turns
        for part in turn.parts
        if isinstance(part, Shown)
    ]
    places = {name: place for place, name in enumerate(dict.fromkeys(pictures))}
    factors = shown.factors if question.factors is None else question.factors
    return {
        "item_id": _item_id(question),
        "suite": suite,
        "stimulus_id": shown.stimulus_id,
        "figure": shown.figure if question.figure is None else question.figure,
        "prompt": question.prompt,
        "question": question.question,
        "messages": [_message(turn, places) for turn in question.turns],
        "images": [image(name) for name in places],
        "answer_type": question.answer_type,
        "options": [option._asdict() for option in question.options],
        "key": question.key,
        "factors": dict(factors),
    }


def _items(
    spec: Mapping[str, Any], asked: list[dict[str, Any]], available: list[dict[str, Any]]
) -> Iterable[dict[str, Any]]:
    images = StimulusImages()
    records = {row["stimulus_id"]: row for row in available}

    @lru_cache(maxsize=_HELD_IMAGES)
    def image(name: str) -> dict[str, Any]:
        return {
            "pixels_sha256": records[name]["pixels_sha256"],
            "png": images.png(records[name]),
        }

    return (item_row(question, spec["suite"], image) for question in _ask(spec, asked, available))


def _ask(
    spec: Mapping[str, Any], asked: Iterable[Mapping[str, Any]], available: list[dict[str, Any]]
) -> Iterable[Question]:
    shown = _shown(spec, available)
    questions: Iterable[Question] = resolve(spec["questions"])(
        [shown[row["stimulus_id"]] for row in asked],
        spec["bank"],
        spec["settings"],
        list(shown.values()),
    )
    return questions


def _unreadable(
    spec: Mapping[str, Any], asked: Sequence[dict[str, Any]], available: Sequence[dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    """Yield what would be asked beside that if every image could be decoded; nothing where all can be."""
    broken = {
        row["stimulus_id"]
        for row in available
        if is_missing(row["factors"])
        and UNREADABLE in json.loads(row["parameters"]).get("realised", {})
    }
    if not broken:
        return
    shard = {*spec["stimuli"]}
    whole = [
        {**row, "factors": {name: own for name, own in row["factors"].items() if name != IMAGE}}
        if row["stimulus_id"] in broken
        else row
        for row in available
    ]
    here = [row for row in whole if row["stimulus_id"] in shard and not is_missing(row["factors"])]
    there = {_item_id(question) for question in _ask(spec, asked, list(available))}
    names = ("item_id", "stimulus_id", "prompt", "question", "factors", "messages")
    for question in _ask(spec, here, whole):
        if _item_id(question) not in there:
            item = item_row(question, spec["suite"], lambda name: {})
            yield {name: item[name] for name in names}


def _item_id(question: Question) -> str:
    return question.item_id or f"{question.shown.stimulus_id}/{question.question_id}"


def _shown(spec: Mapping[str, Any], records: Iterable[Mapping[str, Any]]) -> dict[str, Shown]:
    """Return the images as questions see them, those of a Reader with what it asks about them."""
    read = {
        one.stimulus_id: one
        for figure, source in spec.get("read", {}).items()
        for one in _read(spec["suite"], figure, source)
    }
    return {
        row["stimulus_id"]: read.get(row["stimulus_id"], Shown(row["stimulus_id"]))._replace(
            factors=row["factors"], figure=row["figure"]
        )
        for row in records
    }


def _read(suite: str, figure: str, source: Mapping[str, Any]) -> list[Shown]:
    reader: Reader = resolve(source["design"])
    shown = reader.shown(figure, source["settings"])
    if questions_digest(shown) != source["sha256"]:
        raise AfterimageError(
            f"{suite}/{figure}: what is asked has changed since this run began; run again."
        )
    return shown


def _message(turn: Turn, places: Mapping[str, int]) -> dict[str, Any]:
    return {"role": turn.role, "parts": [_part(part, places) for part in turn.parts]}


def _part(part: object, places: Mapping[str, int]) -> dict[str, Any]:
    if isinstance(part, Shown):
        return {"type": "image", "text": None, "image": places[part.stimulus_id]}
    if isinstance(part, AnswerOf):
        return {"type": "answer", "text": part.item_id, "image": None}
    return {"type": "text", "text": part, "image": None}
