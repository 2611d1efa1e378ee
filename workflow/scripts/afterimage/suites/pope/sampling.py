"""The paper's sampling, and questions in its words or in others."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from afterimage.contract.stimulus import Json
from afterimage.errors import config_path, fault
from afterimage.suites.pope.files import Relabelling, read_relabellings
from afterimage.suites.pope.language import (
    NATURAL,
    ZH,
    Chinese,
    English,
    question_text,
    with_suffix,
)
from afterimage.suites.pope.names import COCO, POPE, QUESTIONS
from afterimage.suites.pope.record import ImageRecord

# One question about one image, before it becomes an item.

#: The two answers, as a reader of the question would give them.
ENGLISH_ANSWERS = (("yes", "Yes"), ("no", "No"))
CHINESE_ANSWERS = (("yes", "是"), ("no", "否"))


class Question(NamedTuple):
    """A question about an image.

    Attributes:
        place: Its identity within image and variant: strategy and number.
        prompt: Id of the wording.
        kind: What is asked: "existence", "attribute", or a kind of the extended variant.
        key: "yes" or "no".
        factors: What tables group by.
        answers: The two answers, as pairs of option id and text.
    """

    identity: tuple[str, ...]
    prompt: str
    kind: str
    text: str
    key: str
    factors: Mapping[str, str]
    answers: tuple[tuple[str, str], ...] = ENGLISH_ANSWERS


class Asking(NamedTuple):
    """All questions of a variant.

    Attributes:
        questions: Image id to its questions.
        bookkeeping: Strategy to counts: what was asked, what was not, and why.
        answer_type: The grader.
    """

    questions: Mapping[str, Sequence[Question]]
    bookkeeping: Mapping[str, Mapping[str, object]]
    answer_type: str = "presence"

    def factor(self) -> str:
        """Return the bookkeeping as the factor ``asked_of`` that every item of the variant carries.

        A question that is not asked leaves no item; without this its absence would leave no trace.
        """
        return json.dumps(self.bookkeeping, sort_keys=True)


# The paper's sampling: three objects that are in the image, three that are not, one after the other.
#
# It follows the authors' code where that departs from the paper's words: positives are the first objects in the
# ground truth's order, frequencies count the drawn images only, and adversarial negatives go with the positive just
# asked. Unlike the code it draws from the list of valid candidates, which is the same distribution but ends where
# none is left. Each (dataset, strategy, image) has its own random order of objects and takes the first valid one, so
# that further images and the frequencies that they change move no random draw.

#: Why a pair of questions is not asked: every object of the vocabulary is in the image or was asked about.
NO_NEGATIVE_LEFT = "no_negative_left"


class Tables(NamedTuple):
    """Counts by which popular and adversarial negatives are chosen.

    Attributes:
        frequencies: Object to its number of entries, most frequent first, ties in order of appearance.
        companions: Object to those that share images with it, most frequent first, ties in order of appearance.
    """

    frequencies: Mapping[str, int]
    companions: Mapping[str, tuple[str, ...]]


class Sampled(NamedTuple):
    """One sampled question.

    Attributes:
        question_id: Number within the strategy, from 1.
        object: What is asked about.
        label: "yes" or "no".
    """

    question_id: int
    object: str
    label: str


class Sample(NamedTuple):
    """The questions of one strategy.

    Attributes:
        questions: Image id to its questions, in the order in which they are asked.
        skipped: Pairs of questions that were not asked because no negative was left.
    """

    questions: Mapping[str, tuple[Sampled, ...]]
    skipped: int


def chosen_images(
    records: Iterable[ImageRecord], count: int, min_objects: int, seed: int, dataset: str
) -> list[ImageRecord]:
    """Draw images with enough objects, without replacement.

    The images are put in random order and the first ``count`` are taken, so that a larger count keeps what a smaller
    one drew.

    Args:
        min_objects: Entries that an image's list needs.

    Raises:
        AfterimageError: There are not enough images.
    """
    enough = eligible(records, min_objects)
    if len(enough) < count:
        raise fault(
            config_path("suites.pope.images"),
            f"{count} images with at least {min_objects} objects are wanted, and dataset "
            f"'{dataset}' has {len(enough)}; expected a smaller number of images or of objects.",
        )
    return sorted(enough, key=lambda record: rank(seed, dataset, record.image_id))[:count]


def rank(seed: int, *identity: str) -> str:
    """Return a key for sorting in random order; a further identity does not change the order of the others."""
    return hashlib.sha256("/".join(("pope", str(seed), *identity)).encode()).hexdigest()


def eligible(records: Iterable[ImageRecord], min_objects: int) -> list[ImageRecord]:
    return [record for record in records if len(record.entries) >= min_objects]


def tables(records: Iterable[ImageRecord]) -> Tables:
    frequencies: Counter[str] = Counter()
    together: dict[str, Counter[str]] = {}
    for record in records:
        frequencies.update(record.entries)
        for name in record.objects:
            companions = together.setdefault(name, Counter())
            companions.update(companion for companion in record.objects if companion != name)
    return Tables(
        dict(_by_count(frequencies)),
        {
            name: tuple(companion for companion, _ in _by_count(companions))
            for name, companions in together.items()
        },
    )


def sample(
    records: Sequence[ImageRecord],
    strategy: str,
    pairs: int,
    counted: Tables,
    seed: int,
    dataset: str,
) -> Sample:
    """Sample one strategy's questions.

    Args:
        records: The drawn images, in order.
        strategy: random, popular or adversarial.
        pairs: Positives, and negatives, per image.
    """
    questions: dict[str, tuple[Sampled, ...]] = {}
    skipped, number = 0, 0
    for record in records:
        random_order = partial(rank, seed, dataset, strategy, record.image_id)
        asked_about: list[str] = []
        of_image: list[Sampled] = []
        for positive in record.objects[:pairs]:
            excluded = {*record.objects, *asked_about, positive}
            valid = [name for name in counted.frequencies if name not in excluded]
            if not valid:
                skipped += 1
                continue
            negative = _negative(strategy, positive, valid, counted, min(valid, key=random_order))
            asked_about += [positive, negative]
            of_image.append(Sampled(number + 1, positive, "yes"))
            of_image.append(Sampled(number + 2, negative, "no"))
            number += 2
        questions[record.image_id] = tuple(of_image)
    return Sample(questions, skipped)


def _negative(
    strategy: str, positive: str, valid: Sequence[str], counted: Tables, by_chance: str
) -> str:
    if strategy == "popular":
        return valid[0]
    if strategy == "adversarial":
        allowed = set(valid)
        companions = [name for name in counted.companions.get(positive, ()) if name in allowed]
        if companions:
            return companions[0]
    return by_chance


def _by_count(counts: Counter[str]) -> list[tuple[str, int]]:
    # Sorting is stable: ties keep the order in which they were first seen.
    return sorted(counts.items(), key=lambda pair: -pair[1])


# The benchmark proper: sampled questions in the paper's words, or those of official files as they stand.

#: The prompt id of questions that are asked as an official file has them.
AS_RELEASED = "as_released"
#: An object in this share of the images is expected in any of them.
_FREQUENT = 1 / 3

_NO_CHINESE: Mapping[str, Mapping[str, str]] = {"names": {}, "attributes": {}, "measures": {}}

# "imange" is how the first release spelled it.
_OBJECT = re.compile(r"\ban? (?P<object>.+) in the im\w+", re.IGNORECASE)


def ask(
    records: Sequence[ImageRecord], missing: Collection[str], words: Json, settings: Json
) -> Asking:
    """Ask all questions of the variant ``pope``.

    Args:
        missing: Ids of the images whose file is not there; questions about them are counted, not asked.
        words: What ``prompt_file.question_words`` returned.
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
    words: Json,
    settings: Json,
    counted: Tables,
) -> Asking:
    english = English(**words["english"])
    chinese = Chinese(**words.get("chinese", _NO_CHINESE))
    captions_only = settings["source"] == COCO and not any(record.instances for record in records)
    by_image: dict[str, list[Question]] = {record.image_id: [] for record in records}
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
                    by_image[record.image_id].append(
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
    return Asking(by_image, bookkeeping)


def _as_released(
    records: Sequence[ImageRecord],
    missing: Collection[str],
    words: Json,
    counted: Tables,
    relabelled: Mapping[str, Relabelling],
) -> Asking:
    by_image: dict[str, list[Question]] = {}
    bookkeeping: dict[str, dict[str, int]] = {}
    for record in records:
        questions = []
        for question in record.questions:
            counts = bookkeeping.setdefault(
                question.strategy,
                {"images": 0, "questions": 0, "image_missing": 0, NO_NEGATIVE_LEFT: 0},
            )
            counts["questions"] += 1
            counts["image_missing"] += record.image_id in missing
            name = object_of(question.text)
            factors = {
                "variant": POPE,
                "strategy": question.strategy,
                "question_id": question.question_id,
                "object": name,
                "evidence": "released",
                "weak_gold": "no",
                **expectation(record, name, counted, len(records)),
            }
            if relabelling := relabelled.get(question.strategy):
                factors["relabelled"] = relabelling.fate(
                    record.image_id, question.text, question.label
                )
            suffix = words.get("suffix")
            prompt = AS_RELEASED if suffix is None else f"{AS_RELEASED}_with_suffix"
            text = with_suffix(question.text, suffix)
            identity = (question.strategy, question.question_id)
            questions.append(Question(identity, prompt, "existence", text, question.label, factors))
        for strategy in {question.strategy for question in record.questions}:
            bookkeeping[strategy]["images"] += 1
        by_image[record.image_id] = questions
    return Asking(by_image, bookkeeping)


def prompt_id(template: str, settings: Json) -> str:
    """Return the id of a wording; grammar and suffix make another prompt of a template."""
    parts = [template]
    if settings["grammar"] == NATURAL:
        parts.append(NATURAL)
    if settings["suffix"] is not None:
        parts.append(settings["suffix"])
    return "_".join(parts)


def expectation(record: ImageRecord, name: str, counted: Tables, images: int) -> dict[str, str]:
    """Return what is expected of an object by someone who does not see the image (the responder ``textbook``).

    ``frequent``: it is in at least a third of the images. ``companion``: the object that it is most often seen with
    is in this image.
    """
    companions = counted.companions.get(name, ())
    return {
        "frequent": _yes_no(counted.frequencies.get(name, 0) >= _FREQUENT * images),
        "companion": _yes_no(bool(companions) and companions[0] in record.objects),
    }


def object_of(text: str) -> str:
    """Return the object that an official question asks about; empty for any other wording."""
    match = _OBJECT.search(text)
    return match["object"] if match else ""


def _with_entries(record: ImageRecord) -> ImageRecord:
    """Fill the list of objects with those that the question files say are in the image."""
    present = (object_of(question.text) for question in record.questions if question.label == "yes")
    return replace(record, entries=tuple(dict.fromkeys(name for name in present if name)))


def _evidence(record: ImageRecord, name: str, label: str) -> str:
    annotated, mentioned = name in record.annotated, name in record.mentioned
    if annotated or mentioned:
        return "both" if annotated and mentioned else "annotated" if annotated else "mentioned"
    return "listed" if label == "yes" else "neither"


def _yes_no(value: bool) -> str:
    return "yes" if value else "no"
