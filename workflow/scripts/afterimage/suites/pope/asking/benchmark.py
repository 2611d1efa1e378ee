"""The benchmark proper: sampled questions in the paper's words, or those of official files as they stand."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from afterimage.suites.pope.asking.question import (
    CHINESE_ANSWERS,
    ENGLISH_ANSWERS,
    Asking,
    Question,
)
from afterimage.suites.pope.language.chinese import ZH, Chinese, question_text
from afterimage.suites.pope.language.english import NATURAL, English, with_suffix
from afterimage.suites.pope.names import COCO, POPE, QUESTIONS
from afterimage.suites.pope.readers.relabelling import Relabelling, read_relabellings
from afterimage.suites.pope.record import ImageRecord
from afterimage.suites.pope.sampling import NO_NEGATIVE_LEFT, Tables, eligible, sample, tables

#: The prompt id of questions that are asked as an official file has them.
AS_RELEASED = "as_released"
#: An object of this share of the images is what one would expect in any of them.
_FREQUENT = 1 / 3

_NO_CHINESE: Mapping[str, Mapping[str, str]] = {"names": {}, "attributes": {}, "measures": {}}

# "imange" is how the first release spelled it.
_OBJECT = re.compile(r"\ban? (?P<object>.+) in the im\w+", re.IGNORECASE)


def ask(
    records: Sequence[ImageRecord], missing: Collection[str], words: Mapping, settings: Mapping
) -> Asking:
    """Ask all questions of the variant ``pope``.

    Args:
        records: The images, in order.
        missing: Ids of the images whose file is not there; questions about them are counted, not asked.
        words: What ``bank.question_words`` returned.
        settings: Those that bear on the questions.
    """
    if settings["source"] == QUESTIONS:
        records = [_with_entries(record) for record in records]
        corrected = settings.get("corrected")
        relabelled = read_relabellings(**corrected) if corrected else {}
        return _as_released(records, missing, words, tables(records), relabelled)
    records = eligible(records, settings["min_objects"])
    return _sampled(records, missing, words, settings, tables(records))


def _sampled(
    records: Sequence[ImageRecord],
    missing: Collection[str],
    words: Mapping,
    settings: Mapping,
    counted: Tables,
) -> Asking:
    english = English(**words["english"])
    chinese = Chinese(**words.get("chinese", _NO_CHINESE))
    captions_only = settings["source"] == COCO and not any(record.instances for record in records)
    asked: dict[str, list[Question]] = {record.image_id: [] for record in records}
    bookkeeping = {}
    for strategy in settings["strategies"]:
        sampled = sample(
            records, strategy, settings["pairs"], counted, settings["seed"], settings["dataset"]
        )
        count = 0
        for record in records:
            for question in sampled.questions[record.image_id]:
                count += record.image_id in missing
                factors = {
                    "variant": POPE,
                    "strategy": strategy,
                    "question_id": str(question.question_id),
                    "object": question.object,
                    "evidence": _evidence(record, question.object, question.label),
                    "weak_gold": _yes_no(
                        question.label == "no"
                        and (captions_only or question.object in record.mentioned)
                    ),
                    **expectation(record, question.object, counted, len(records)),
                }
                for template in settings["prompts"]:
                    wording = words["templates"][template]
                    in_chinese = wording["language"] == ZH
                    text = question_text(
                        wording, question.object, settings["grammar"], english, chinese
                    )
                    asked[record.image_id].append(
                        Question(
                            (strategy, f"{question.question_id:05d}"),
                            template if in_chinese else prompt_id(template, settings),
                            "existence",
                            text if in_chinese else with_suffix(text, words.get("suffix")),
                            question.label,
                            factors,
                            CHINESE_ANSWERS if in_chinese else ENGLISH_ANSWERS,
                        )
                    )
        total = sum(map(len, sampled.questions.values()))
        bookkeeping[strategy] = {
            "images": len(records),
            "questions": total,
            "image_missing": count,
            NO_NEGATIVE_LEFT: sampled.skipped,
        }
    return Asking(asked, bookkeeping)


def _as_released(
    records: Sequence[ImageRecord],
    missing: Collection[str],
    words: Mapping,
    counted: Tables,
    relabelled: Mapping[str, Relabelling],
) -> Asking:
    asked: dict[str, list[Question]] = {}
    bookkeeping: dict[str, dict[str, object]] = {}
    for record in records:
        questions = []
        for one in record.questions:
            counts = bookkeeping.setdefault(
                one.strategy, {"images": 0, "questions": 0, "image_missing": 0, NO_NEGATIVE_LEFT: 0}
            )
            counts["questions"] += 1
            counts["image_missing"] += record.image_id in missing
            name = object_of(one.text)
            factors = {
                "variant": POPE,
                "strategy": one.strategy,
                "question_id": one.question_id,
                "object": name,
                "evidence": "released",
                "weak_gold": "no",
                **expectation(record, name, counted, len(records)),
            }
            if relabelling := relabelled.get(one.strategy):
                factors["relabelled"] = relabelling.fate(record.image_id, one.text, one.label)
            suffix = words.get("suffix")
            prompt = AS_RELEASED if suffix is None else f"{AS_RELEASED}_with_suffix"
            text = with_suffix(one.text, suffix)
            place = (one.strategy, one.question_id)
            questions.append(Question(place, prompt, "existence", text, one.label, factors))
        for strategy in {one.strategy for one in record.questions}:
            bookkeeping[strategy]["images"] += 1
        asked[record.image_id] = questions
    return Asking(asked, bookkeeping)


def prompt_id(template: str, settings: Mapping) -> str:
    """Return the id of a wording: a template under one grammar and with one suffix is another prompt than without."""
    parts = [template]
    if settings["grammar"] == NATURAL:
        parts.append(NATURAL)
    if settings["suffix"] is not None:
        parts.append(settings["suffix"])
    return "_".join(parts)


def expectation(record: ImageRecord, name: str, counted: Tables, images: int) -> dict[str, str]:
    """Return what one would expect of an object without looking, for the responder ``textbook``.

    ``frequent``: it is in at least a third of the images. ``companion``: the object that it is most often seen with
    is in this image.
    """
    companions = counted.companions.get(name, ())
    return {
        "frequent": _yes_no(counted.frequencies.get(name, 0) >= _FREQUENT * images),
        "companion": _yes_no(bool(companions) and companions[0] in record.objects),
    }


def object_of(text: str) -> str:
    """Return the object that an official question asks about; empty where the words are others."""
    found = _OBJECT.search(text)
    return found["object"] if found else ""


def _with_entries(record: ImageRecord) -> ImageRecord:
    """Take the objects that the files say are in the image for its list; they know no others."""
    present = (object_of(one.text) for one in record.questions if one.label == "yes")
    return replace(record, entries=tuple(dict.fromkeys(name for name in present if name)))


def _evidence(record: ImageRecord, name: str, label: str) -> str:
    annotated, mentioned = name in record.annotated, name in record.mentioned
    if annotated or mentioned:
        return "both" if annotated and mentioned else "annotated" if annotated else "mentioned"
    return "listed" if label == "yes" else "neither"


def _yes_no(value: bool) -> str:
    return "yes" if value else "no"
