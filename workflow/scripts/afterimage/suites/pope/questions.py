"""Images become items: the benchmark, the blog's variant, and attributes, relations and look-alikes on drawn scenes.

And the answers of someone who does not see the image.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import permutations
from typing import NamedTuple, TypeVar

import numpy as np

from afterimage.contract.question import Option, ask
from afterimage.contract.question import Question as ItemQuestion
from afterimage.contract.stimulus import Json, Shown, is_missing
from afterimage.errors import AfterimageError, unknown_name
from afterimage.items.wording import require_known
from afterimage.statistics.sampling import generator_of
from afterimage.suites.pope import blog
from afterimage.suites.pope import sampling as benchmark
from afterimage.suites.pope.language import COUNT, Chinese, English, filled, with_suffix
from afterimage.suites.pope.names import (
    BLOG,
    EXTENDED,
    EXTENDED_EN,
    EXTENDED_ZH,
    KINDS,
    NESTED,
    POPE,
    QUESTIONS,
)
from afterimage.suites.pope.record import ImageRecord, Instance, read_image_records
from afterimage.suites.pope.sampling import (
    CHINESE_ANSWERS,
    ENGLISH_ANSWERS,
    Asking,
    Question,
    Tables,
    expectation,
    tables,
)

_T = TypeVar("_T")

# What the blog wishes for, on drawn scenes: attributes, relations and look-alikes, with keys that are exact.
#
# Every kind of question is asked in pairs, one to be answered yes and one no, so that neither answer is worth more
# than half. Relations are asked only where they hold by a wide margin, about objects that occur once.

#: Minimum distances of things that are left of or above one another, px: gap, and between the centres.
_MIN_GAP_PX, _MIN_DISTANCE_PX = 8, 90
#: Minimum ratios of a larger thing to a smaller one: area of the box, and longer side.
_MIN_AREA_RATIO, _MIN_SIDE_RATIO = 1.5, 1.15
_COUNTS = ("two", "three", "four")


class _SceneQuestion(NamedTuple):
    """A question before it is worded: about one thing, perhaps with an attribute, or about two."""

    kind: str
    label: str
    things: tuple[str, ...]
    attributes: tuple[str, ...] = ()
    similar_to: str = ""


def ask_extended(
    records: Sequence[ImageRecord], nested: Sequence[ImageRecord], words: Json, settings: Json
) -> Asking:
    """Ask all questions of the variant ``pope_extended``.

    Args:
        records: The drawn scenes, in order.
        nested: The scenes in which something lies in a box.
        words: What ``prompt_file.question_words`` returned.
    """
    english = English(**words["english"])
    wordings = [(name, *_LANGUAGES[name]) for name in settings["extended_prompts"]]
    counted = tables(records)
    colours = {instance.attributes["colour"] for record in records for instance in record.instances}
    by_image: dict[str, list[Question]] = {}
    bookkeeping = {kind: {"images": 0, "questions": 0} for kind in KINDS}
    for record in (*records, *nested):
        stream = (settings["dataset"], "extended", record.image_id)
        draw = generator_of("pope", str(settings["seed"]), *stream)
        drawn = list(
            _inside(record, draw)
            if record in nested
            else _of_scene(record, draw, english, colours, words["similar"])
        )
        numbers: Counter[str] = Counter()
        questions = []
        for question in drawn:
            numbers[question.kind] += 1
            numbered = (question.kind, str(numbers[question.kind]))
            factors = _factors(question, record, counted, len(records))
            for prompt, phrase, answers in wordings:
                text = phrase(question, words, english)
                questions.append(
                    Question(
                        numbered, prompt, question.kind, text, question.label, factors, answers
                    )
                )
        for kind, number in numbers.items():
            bookkeeping[kind]["images"] += 1
            bookkeeping[kind]["questions"] += number
        by_image[record.image_id] = questions
    return Asking(by_image, bookkeeping)


def _factors(
    question: _SceneQuestion, record: ImageRecord, counted: Tables, images: int
) -> dict[str, str]:
    first, second = question.things if len(question.things) > 1 else ("", "")
    name = question.things[0]
    return {
        "variant": EXTENDED,
        "strategy": question.kind,
        "object": name,
        "attributes": " ".join(question.attributes),
        "first": first,
        "second": second,
        "similar_to": question.similar_to,
        **expectation(record, name, counted, images),
    }


def _in_english(question: _SceneQuestion, words: Json, english: English) -> str:
    number = "plural" if english.is_plural(question.things[0]) else "text"
    text: str = words[EXTENDED_EN][question.kind][number]
    if len(question.things) == 1:
        text = filled(text, english.phrase(question.attributes, question.things[0]), english)
    else:
        text = _with_both(text, question.things)
    return with_suffix(text, words.get("suffix"))


def _in_chinese(question: _SceneQuestion, words: Json, english: English) -> str:
    chinese = Chinese(**words["chinese"])
    phrases = [chinese.phrase(question.attributes, name, english) for name in question.things]
    text: str = words[EXTENDED_ZH][question.kind]["text"]
    return text.replace("{object}", phrases[0]) if len(phrases) == 1 else _with_both(text, phrases)


def _with_both(text: str, things: Sequence[str]) -> str:
    return text.replace("{first}", things[0]).replace("{second}", things[1])


def _of_scene(
    record: ImageRecord,
    draw: np.random.Generator,
    english: English,
    colours: Collection[str],
    similar: Mapping[str, Sequence[str]],
) -> Iterator[_SceneQuestion]:
    yield from _colour(record, draw, english, colours)
    yield from _count(record, draw, english)
    for kind, holds in _RELATIONS.items():
        yield from _relation(kind, holds, record, draw)
    yield from _similar(record, draw, similar)


def _colour(
    record: ImageRecord, draw: np.random.Generator, english: English, colours: Collection[str]
) -> Iterator[_SceneQuestion]:
    """Ask for an object in its colour, and for another in a colour that none of its kind has."""
    for label in ("yes", "no"):
        chosen = _pick(record.instances, draw)
        colour = chosen.attributes["colour"]
        if label == "no":
            present = [
                instance.attributes["colour"]
                for instance in record.instances
                if instance.category == chosen.category
            ]
            allowed = [name for name in english.alternatives(colour, present) if name in colours]
            if not allowed:
                continue
            colour = _pick(allowed, draw)
        yield _SceneQuestion("colour", label, (chosen.category,), (colour,))


def _count(
    record: ImageRecord, draw: np.random.Generator, english: English
) -> Iterator[_SceneQuestion]:
    """Ask about the right and about a wrong number of objects of a class."""
    counts = Counter(instance.category for instance in record.instances)
    several = [name for name, count in counts.items() if count > 1]
    if not several:
        return
    name = _pick(several, draw)
    right = english.attributes[COUNT][counts[name] - 2]
    wrong = _pick([number for number in _COUNTS if number != right], draw)
    for label, number in (("yes", right), ("no", wrong)):
        yield _SceneQuestion("count", label, (name,), (number,))


def _relation(
    kind: str,
    holds: Callable[[Instance, Instance], bool],
    record: ImageRecord,
    draw: np.random.Generator,
) -> Iterator[_SceneQuestion]:
    """Ask about a relation that holds, and about the reverse of one."""
    counts = Counter(instance.category for instance in record.instances)
    single = [instance for instance in record.instances if counts[instance.category] == 1]
    pairs = [(first, second) for first, second in permutations(single, 2) if holds(first, second)]
    if not pairs:
        return
    first, second = _pick(pairs, draw)
    yield _SceneQuestion(kind, "yes", (first.category, second.category))
    remaining = [pair for pair in pairs if pair != (first, second)] or pairs
    first, second = _pick(remaining, draw)
    yield _SceneQuestion(kind, "no", (second.category, first.category))


def _similar(
    record: ImageRecord, draw: np.random.Generator, similar: Mapping[str, Sequence[str]]
) -> Iterator[_SceneQuestion]:
    """Ask about an object that is there, and about a look-alike that is not."""
    name = _pick(record.objects, draw)
    absent = [lookalike for lookalike in similar[name] if lookalike not in record.objects]
    if absent:
        yield _SceneQuestion("similar", "yes", (name,))
        yield _SceneQuestion("similar", "no", (absent[0],), similar_to=name)


def _inside(record: ImageRecord, draw: np.random.Generator) -> Iterator[_SceneQuestion]:
    """Ask whether the thing in the box is inside it, and the same about a thing outside it."""
    pairs = list(permutations(record.instances, 2))
    contained = [(first, second) for first, second in pairs if _is_inside(first, second)]
    for first, second in contained[:1]:
        outside = [instance for instance in record.instances if instance not in (first, second)]
        yield _SceneQuestion("inside", "yes", (first.category, second.category))
        yield _SceneQuestion("inside", "no", (_pick(outside, draw).category, second.category))


def _precedes(first: Instance, second: Instance, side: int) -> bool:
    gap = second.bbox[side] - first.bbox[side] - first.bbox[side + 2]
    middles = [instance.bbox[side] + instance.bbox[side + 2] / 2 for instance in (first, second)]
    return gap >= _MIN_GAP_PX and middles[1] - middles[0] >= _MIN_DISTANCE_PX


def _is_larger(first: Instance, second: Instance) -> bool:
    areas = [instance.bbox[2] * instance.bbox[3] for instance in (first, second)]
    sides = [max(instance.bbox[2:]) for instance in (first, second)]
    return areas[0] >= _MIN_AREA_RATIO * areas[1] and sides[0] >= _MIN_SIDE_RATIO * sides[1]


def _is_inside(first: Instance, second: Instance) -> bool:
    return all(
        second.bbox[side] < first.bbox[side]
        and first.bbox[side] + first.bbox[side + 2] < second.bbox[side] + second.bbox[side + 2]
        for side in (0, 1)
    )


def _pick(things: Sequence[_T], draw: np.random.Generator) -> _T:
    return things[int(draw.integers(len(things)))]


#: Prompt id to the function that words a question, and the two answers.
_LANGUAGES = {
    EXTENDED_EN: (_in_english, ENGLISH_ANSWERS),
    EXTENDED_ZH: (_in_chinese, CHINESE_ANSWERS),
}
_RELATIONS: Mapping[str, Callable[[Instance, Instance], bool]] = {
    "left_of": partial(_precedes, side=0),
    "above": partial(_precedes, side=1),
    "larger_than": _is_larger,
}


# Questions: images become items of one question each; the image stands before the text.
#
# An image whose file is missing gives no item, so no model is ever asked about it; what is not asked is counted in
# the factor ``asked_of`` of every item that is.


def questions(
    images: Sequence[Shown], words: Json, settings: Json, available: Sequence[Shown]
) -> Iterator[ItemQuestion]:
    """Yield the questions of all variants about each image.

    Args:
        images: Those of the shard.
        words: What ``prompt_file.question_words`` returned.
        available: All images of the suite: objects are sampled by how often they occur in all of them.
    """
    by_variant = _askings(words, settings, available)
    bookkeeping = {variant: asking.factor() for variant, asking in by_variant.items()}
    for shown in images:
        image_id = shown.factors["image_id"]
        if is_missing(shown.factors):
            continue
        common = {"dataset": shown.factors["dataset"], "image_id": image_id}
        for variant, asking in by_variant.items():
            for question in asking.questions.get(image_id, ()):
                yield ItemQuestion(
                    shown,
                    "/".join((variant, *question.identity, question.prompt)),
                    ask(shown, question.text),
                    asking.answer_type,
                    question.key,
                    tuple(Option(name, text) for name, text in question.answers),
                    prompt=question.prompt,
                    question=question.kind,
                    factors={**common, **question.factors, "asked_of": bookkeeping[variant]},
                )


def _askings(words: Json, settings: Json, available: Sequence[Shown]) -> dict[str, Asking]:
    plain, nested = _records(settings, available)
    missing = {shown.factors["image_id"] for shown in available if is_missing(shown.factors)}
    askings = {}
    if POPE in settings["variants"]:
        askings[POPE] = benchmark.ask(plain, missing, words, settings)
    if BLOG in settings["variants"]:
        askings[BLOG] = blog.ask(plain, missing, words, settings)
    if EXTENDED in settings["variants"]:
        askings[EXTENDED] = ask_extended(plain, nested, words, settings)
    return askings


def _records(
    settings: Json, available: Sequence[Shown]
) -> tuple[list[ImageRecord], list[ImageRecord]]:
    """Return what is known of the images, and of the scenes with something in a box, in order."""
    if settings["source"] == QUESTIONS:
        names = [(shown.factors["image_id"], shown.questions) for shown in available]
        return [ImageRecord(image, image, questions=questions) for image, questions in names], []
    figures = read_image_records(settings["records"])
    nested = figures.pop(NESTED, [])
    (plain,) = figures.values()
    return plain, nested


# Answers without seeing the image: how the world usually is.
#
# The knowledge behind the reference responder ``textbook``. The paper finds that models affirm what is frequent and
# what usually comes along with the things in view; both are made executable here. ``cued`` affirms an object that is
# in at least a third of the dataset's images. ``gated`` affirms it only where it is cued by what is there: the object
# that it is most often seen with. To questions about attributes and relations both answer alike: things have their
# usual colour, a house is larger than a cup, the moon is above a car, small things lie in boxes.

_USUAL_COLOURS = {
    "ball": ("red", "blue"),
    "box": ("brown",),
    "cone": ("yellow", "red"),
    "star": ("yellow",),
    "heart": ("red",),
    "moon": ("yellow", "white"),
    "cup": ("white",),
    "house": ("white", "red", "brown"),
    "tree": ("green",),
    "flower": ("red", "yellow", "purple"),
    "car": ("red", "black", "white", "blue"),
    "boat": ("white", "brown"),
    "ladder": ("brown",),
    "umbrella": ("black",),
    "scissors": ("black", "red"),
    "glasses": ("black",),
}
#: From small to large, as things are.
_BY_SIZE = (
    *("scissors", "glasses", "heart", "cup", "flower", "ball", "cone", "box"),
    *("umbrella", "ladder", "car", "boat", "tree", "house", "moon", "star"),
)
#: From low to high, as things are.
_BY_HEIGHT = (
    *("ball", "box", "cone", "scissors", "flower", "cup", "boat", "car", "glasses"),
    *("ladder", "house", "umbrella", "tree", "heart", "moon", "star"),
)


def answer(item: Json, rule: str) -> str:
    """Return the expected answer, in the words that the item offers.

    Args:
        item: Its ``question``, ``options`` as pairs of option id and text, and
            ``factors``: ``object``, ``attributes``, ``frequent``, ``companion``, ``first`` and ``second``.
        rule: ``cued`` or ``gated``.

    Raises:
        AfterimageError: The rule or the question is unknown, or the item does not offer yes and no.
    """
    require_known("rule", rule)
    kinds: Mapping[str, Callable[[Mapping[str, str], str], bool]] = {
        "existence": _exists,
        "similar": _exists,
        "attribute": _is_usual,
        "colour": _is_usual,
        "count": _exists,
        "left_of": _always,
        "inside": _always,
        "above": partial(_comes_later, _BY_HEIGHT),
        "larger_than": partial(_comes_later, _BY_SIZE),
    }
    if item["question"] not in kinds:
        raise unknown_name("question", item["question"], kinds, "textbook")
    reply = "yes" if kinds[item["question"]](item["factors"], rule) else "no"
    texts: dict[str, str] = dict(item["options"])
    if reply not in texts:
        raise AfterimageError(
            f"textbook: item '{item.get('item_id')}' does not offer '{reply}'; expected yes and no."
        )
    return texts[reply]


def _exists(factors: Mapping[str, str], rule: str) -> bool:
    return factors["frequent" if rule == "cued" else "companion"] == "yes"


def _is_usual(factors: Mapping[str, str], rule: str) -> bool:
    usual = _USUAL_COLOURS.get(factors["object"], ())
    coloured = [
        word
        for word in factors["attributes"].split()
        if any(word in colours for colours in _USUAL_COLOURS.values())
    ]
    return all(word in usual for word in coloured) if coloured else _exists(factors, rule)


def _always(factors: Mapping[str, str], rule: str) -> bool:
    return True


def _comes_later(order: tuple[str, ...], factors: Mapping[str, str], rule: str) -> bool:
    names = (factors["first"], factors["second"])
    return all(name in order for name in names) and order.index(names[0]) > order.index(names[1])
