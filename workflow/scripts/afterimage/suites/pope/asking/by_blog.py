"""The blog's C, R and A in the blog's words, with what is wrong in them mended and every mend a parameter.

C asks for an object of the description (key yes), R for any object of the vocabulary (key no), A for an object of
the description with one attribute exchanged (key no). One question per image and strategy; an image that cannot give
one is left out, with the reason. All three take (record, vocabulary, generator), which the blog's evaluator assumes
and its R does not.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from afterimage.suites.pope.asking.benchmark import expectation
from afterimage.suites.pope.asking.question import CHINESE_ANSWERS, Asking, Question
from afterimage.suites.pope.language.chinese import ZH, Chinese
from afterimage.suites.pope.language.english import COUNT, English, filled
from afterimage.suites.pope.names import BLOG
from afterimage.suites.pope.record import ImageRecord, Mention
from afterimage.suites.pope.sampling import tables
from afterimage.suites.pope.seeding import generator

#: Why an image gives no question.
NO_OBJECT = "no_object_in_description"
NO_ABSENT = "no_absent_object"
NO_ATTRIBUTE = "no_attribute_in_description"
NO_ALTERNATIVE = "no_alternative_attribute"
NOT_IN_PHRASE = "attribute_not_in_phrase"
REASONS = (NO_OBJECT, NO_ABSENT, NO_ATTRIBUTE, NO_ALTERNATIVE, NOT_IN_PHRASE)

#: The prompt id of the blog's question.
PROMPT = "blog"


class Probe(NamedTuple):
    """What is asked about an image.

    Attributes:
        name: The category.
        attributes: What is said of it in the question, values of ``english.yaml``.
        label: "yes" or "no".
        source: Id of the caption that it was taken from; empty for R.
        original: Of A, the attributes that the description has.
        gold_conflict: Whether the object is in the image although the key says no (R with
            ``r_exclude_present: false``).
    """

    name: str
    attributes: tuple[str, ...]
    label: str
    source: str = ""
    original: tuple[str, ...] = ()
    gold_conflict: bool = False


@dataclass(frozen=True)
class Rules:
    """The parameters of the mends.

    Attributes:
        english: For attributes.
        r_exclude_present: Whether R leaves out what is in the image; False is the blog's own way.
    """

    english: English
    r_exclude_present: bool = True


def probe(
    strategy: str,
    record: ImageRecord,
    vocabulary: Sequence[str],
    draw: np.random.Generator,
    rules: Rules,
) -> Probe | str:
    """Return one strategy's question about an image, or the reason why there is none (one of :data:`REASONS`)."""
    if strategy == "C":
        return correct(record, vocabulary, draw)
    if strategy == "R":
        return random(record, vocabulary, draw, rules)
    return adversarial(record, draw, rules)


def correct(
    record: ImageRecord, vocabulary: Sequence[str], draw: np.random.Generator
) -> Probe | str:
    """Draw an object of the description; the key is yes."""
    named = _first_mentions(record)
    if not named:
        return NO_OBJECT
    source, mention = named[draw.integers(len(named))]
    return Probe(mention.category, (), "yes", source)


def random(
    record: ImageRecord, vocabulary: Sequence[str], draw: np.random.Generator, rules: Rules
) -> Probe | str:
    """Draw an object of the vocabulary; the key is no."""
    present = {*record.objects, *record.annotated, *record.mentioned}
    excluded = present if rules.r_exclude_present else set()
    candidates = [name for name in vocabulary if name not in excluded]
    if not candidates:
        return NO_ABSENT
    name = candidates[draw.integers(len(candidates))]
    return Probe(name, (), "no", gold_conflict=name in present)


def adversarial(record: ImageRecord, draw: np.random.Generator, rules: Rules) -> Probe | str:
    """Draw an object with attributes out of the description and exchange one of these; the key is no.

    The phrase is put together from attributes and name, never by replacing letters: "red" also stands in "colored".
    """
    english = rules.english
    if not record.mentions:
        return NO_OBJECT
    described = [(source, mention) for source, mention in record.mentions if mention.attributes]
    if not described:
        return NO_ATTRIBUTE
    source, mention = described[draw.integers(len(described))]
    place = draw.integers(len(mention.attributes))
    old = mention.attributes[place]
    candidates = english.alternatives(old, _held(record, mention.category, old, english))
    if not candidates:
        return NO_ALTERNATIVE
    new = candidates[draw.integers(len(candidates))]
    changed = (*mention.attributes[:place], new, *mention.attributes[place + 1 :])
    if english.phrase(changed, mention.category) == english.phrase(
        mention.attributes, mention.category
    ):
        return NOT_IN_PHRASE
    return Probe(mention.category, changed, "no", source, mention.attributes)


def _first_mentions(record: ImageRecord) -> list[tuple[str, Mention]]:
    """Return each mentioned category once, with the caption that names it first."""
    named: dict[str, tuple[str, Mention]] = {}
    for source, mention in record.mentions:
        named.setdefault(mention.category, (source, mention))
    return list(named.values())


def _held(record: ImageRecord, category: str, value: str, english: English) -> set[str]:
    """Return the values of one dimension that instances of a category have or that any caption gives them."""
    dimension = english.dimension_of(value)
    annotated = {
        instance.attributes.get(dimension, "")
        for instance in record.instances
        if instance.category == category
    }
    said = {
        attribute
        for _, mention in record.mentions
        if mention.category == category
        for attribute in mention.attributes
    }
    counted = _count_word(record, category, english) if dimension == COUNT else set()
    return {name for name in annotated | said | counted if english.dimension_of(name) == dimension}


def _count_word(record: ImageRecord, category: str, english: English) -> set[str]:
    """Return the word for the number of annotated instances; captions may have counted fewer."""
    number = sum(instance.category == category for instance in record.instances)
    words = english.attributes[COUNT]
    return {words[min(number - 2, len(words) - 1)]} if number > 1 else set()


def ask(
    records: Sequence[ImageRecord], missing: Collection[str], words: Mapping, settings: Mapping
) -> Asking:
    """Ask all questions of the variant ``pope_blog``; arguments as those of :func:`benchmark.ask`.

    Raises:
        AfterimageError: An object or an attribute has no Chinese name, and one is asked for.
    """
    english = English(**words["english"])
    rules = Rules(english, settings["blog"]["r_exclude_present"])
    phrase = _phrases(english, words.get("chinese", {}), settings["blog"]["object_language"])
    counted = tables(records)
    asked: dict[str, list[Question]] = {record.image_id: [] for record in records}
    bookkeeping: dict[str, dict[str, object]] = {}
    for strategy in settings["blog"]["strategies"]:
        skipped: Counter[str] = Counter()
        questions = image_missing = 0
        for record in records:
            draw = generator(
                settings["seed"], settings["dataset"], f"blog {strategy}", record.image_id
            )
            found = probe(strategy, record, words["vocabulary"], draw, rules)
            if isinstance(found, str):
                skipped[found] += 1
                continue
            questions += 1
            image_missing += record.image_id in missing
            factors = {
                "variant": BLOG,
                "strategy": strategy,
                "object": found.name,
                "attributes": " ".join(found.attributes),
                "original": " ".join(found.original),
                "caption_id": found.source,
                "gold_conflict": "yes" if found.gold_conflict else "no",
                "weak_gold": "yes" if _is_weak(strategy, found, record, english) else "no",
                **expectation(record, found.name, counted, len(records)),
            }
            text = filled(words["blog"], phrase(found), english)
            kind = "attribute" if strategy == "A" else "existence"
            asked[record.image_id].append(
                Question(
                    *((strategy,), PROMPT, kind, text, found.label, factors),
                    answers=CHINESE_ANSWERS,
                )
            )
        bookkeeping[strategy] = {
            "images": len(records),
            "questions": questions,
            "image_missing": image_missing,
            "skipped": dict(sorted(skipped.items())),
            "extraction": next((one.extraction for one in records if one.extraction), ""),
            "caption_source": settings["blog"]["caption_source"],
        }
    return Asking(asked, bookkeeping, "presence_blog")


def _phrases(english: English, chinese: Mapping, language: str) -> Callable[[Probe], str]:
    """Return what names a probe's object with its attributes, in the caption's language or in Chinese."""
    if language != ZH:
        return lambda found: english.phrase(found.attributes, found.name)
    words = Chinese(**chinese)
    return lambda found: words.phrase(found.attributes, found.name, english)


def _is_weak(strategy: str, found: Probe, record: ImageRecord, english: English) -> bool:
    """Tell whether a key may be wrong: the object, or what it is like, is known from captions alone."""
    if strategy == "C":
        return bool(record.instances) and found.name not in record.annotated
    if strategy == "R":
        return not record.instances
    changed = set(found.attributes) - set(found.original)
    dimensions = {english.dimension_of(value) for value in changed}
    known = [one.attributes for one in record.instances if one.category == found.name]
    # Counting instances needs no attribute, but crowds are one instance.
    is_known = bool(known) and all(
        dimension == "count" or all(dimension in attributes for attributes in known)
        for dimension in dimensions
    )
    return not is_known
