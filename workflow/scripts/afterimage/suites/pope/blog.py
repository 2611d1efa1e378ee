"""The blog's variant C, R and A, and the functions of its section 3 under their names."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from afterimage.contract.stimulus import Json
from afterimage.files.paths import shipped
from afterimage.grading.readers import presence_strict
from afterimage.statistics.sampling import generator_of
from afterimage.suites.pope.extraction import by_lexicon, load
from afterimage.suites.pope.language import COUNT, ZH, Chinese, English, Lexicon, filled
from afterimage.suites.pope.names import BLOG
from afterimage.suites.pope.prompt_file import load_texts
from afterimage.suites.pope.record import Extract, ImageRecord, Mention, read_instances
from afterimage.suites.pope.sampling import CHINESE_ANSWERS, Asking, Question, expectation, tables
from afterimage.suites.pope.settings import Settings

# The blog's C, R and A in the blog's words, with what is wrong in them mended and every mend a parameter.
#
# C asks for an object of the description (key yes), R for any object of the vocabulary (key no), A for an object of
# the description with one attribute exchanged (key no). One question per image and strategy; an image that cannot
# give one is left out, with the reason. All three take (record, vocabulary, generator), which the blog's evaluator
# assumes and its R does not.

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
    """Parameters of the corrections to the blog's strategies.

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
    index = draw.integers(len(mention.attributes))
    old = mention.attributes[index]
    candidates = english.alternatives(old, _known_values(record, mention.category, old, english))
    if not candidates:
        return NO_ALTERNATIVE
    new = candidates[draw.integers(len(candidates))]
    changed = (*mention.attributes[:index], new, *mention.attributes[index + 1 :])
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


def _known_values(record: ImageRecord, category: str, value: str, english: English) -> set[str]:
    """Return the values of one dimension that instances of a category have or that any caption gives them."""
    dimension = english.dimension_of(value)
    annotated = {
        attribute
        for instance in record.instances
        if instance.category == category
        for name, attribute in instance.attributes.items()
        if name == dimension
    }
    mentioned = {
        attribute
        for _, mention in record.mentions
        if mention.category == category
        for attribute in mention.attributes
    }
    counted = _count_word(record, category, english) if dimension == COUNT else set()
    return {
        name for name in annotated | mentioned | counted if english.dimension_of(name) == dimension
    }


def _count_word(record: ImageRecord, category: str, english: English) -> set[str]:
    """Return the word for the number of annotated instances; captions may have counted fewer."""
    number = sum(instance.category == category for instance in record.instances)
    words = english.attributes[COUNT]
    return {words[min(number - 2, len(words) - 1)]} if number > 1 else set()


def ask(
    records: Sequence[ImageRecord], missing: Collection[str], words: Json, settings: Json
) -> Asking:
    """Ask all questions of the variant ``pope_blog``; arguments as those of :func:`asking.ask`.

    Raises:
        AfterimageError: An object or an attribute has no Chinese name, and one is asked for.
    """
    english = English(**words["english"])
    rules = Rules(english, settings["blog"]["r_exclude_present"])
    phrase = _phrases(english, words.get("chinese", {}), settings["blog"]["object_language"])
    counted = tables(records)
    by_image: dict[str, list[Question]] = {record.image_id: [] for record in records}
    bookkeeping: dict[str, dict[str, object]] = {}
    for strategy in settings["blog"]["strategies"]:
        skipped: Counter[str] = Counter()
        questions = image_missing = 0
        for record in records:
            stream = (settings["dataset"], f"blog {strategy}", record.image_id)
            draw = generator_of("pope", str(settings["seed"]), *stream)
            drawn = probe(strategy, record, words["vocabulary"], draw, rules)
            if isinstance(drawn, str):
                skipped[drawn] += 1
                continue
            questions += 1
            image_missing += record.image_id in missing
            factors = {
                "variant": BLOG,
                "strategy": strategy,
                "object": drawn.name,
                "attributes": " ".join(drawn.attributes),
                "original": " ".join(drawn.original),
                "caption_id": drawn.source,
                "gold_conflict": "yes" if drawn.gold_conflict else "no",
                "weak_gold": "yes" if _is_weak(strategy, drawn, record, english) else "no",
                **expectation(record, drawn.name, counted, len(records)),
            }
            text = filled(words["blog"], phrase(drawn), english)
            kind = "attribute" if strategy == "A" else "existence"
            by_image[record.image_id].append(
                Question(
                    *((strategy,), PROMPT, kind, text, drawn.label, factors),
                    answers=CHINESE_ANSWERS,
                )
            )
        bookkeeping[strategy] = {
            "images": len(records),
            "questions": questions,
            "image_missing": image_missing,
            "skipped": dict(sorted(skipped.items())),
            "extraction": next((record.extraction for record in records if record.extraction), ""),
            "caption_source": settings["blog"]["caption_source"],
        }
    return Asking(by_image, bookkeeping, "presence_blog")


def _phrases(english: English, chinese: Json, language: str) -> Callable[[Probe], str]:
    """Return a function that names a probe's object with its attributes, in English or Chinese."""
    if language != ZH:
        return lambda drawn: english.phrase(drawn.attributes, drawn.name)
    words = Chinese(**chinese)
    return lambda drawn: words.phrase(drawn.attributes, drawn.name, english)


def _is_weak(strategy: str, drawn: Probe, record: ImageRecord, english: English) -> bool:
    """Tell whether a key may be wrong because the object or its attributes are known from captions alone."""
    if strategy == "C":
        return bool(record.instances) and drawn.name not in record.annotated
    if strategy == "R":
        return not record.instances
    changed = set(drawn.attributes) - set(drawn.original)
    dimensions = {english.dimension_of(value) for value in changed}
    known = [
        instance.attributes for instance in record.instances if instance.category == drawn.name
    ]
    # Counting instances needs no attribute, but crowds are one instance.
    is_known = bool(known) and all(
        dimension == "count" or all(dimension in attributes for attributes in known)
        for dimension in dimensions
    )
    return not is_known


# The functions of the blog's section 3 under its names and with its arguments, each mended as docs/pope.md says.
#
# Questions follow from what they are made of and a seed. ``words`` says which names are known: COCO's by default,
# those of the drawn scenes by ``load_words("resources/lexicons/scenes.yaml")``.

_SEED = 20230526


class Model(Protocol):
    def answer_question(self, image: Any, question: str) -> str: ...


@dataclass(frozen=True)
class Words:
    """Extraction, grammar and wording for the blog's functions."""

    extract: Extract
    english: English
    chinese: Chinese
    template: str


@cache
def load_words(
    lexicon_file: str = "resources/lexicons/coco.yaml",
    extraction: str = by_lexicon.NAME,
    checkpoint: str = "",
    revision: str = "",
) -> Words:
    """Return the words that come with the workflow.

    Args:
        lexicon_file: The names, in a file of the form of ``coco.yaml``.
        extraction: What finds objects in a description: ``lexicon``, or of its hits those that ``tagger`` or
            ``transformer`` calls nouns.
        checkpoint: For ``transformer``, a folder or a repository with a model for token classification.
        revision: The repository's commit.

    Raises:
        AfterimageError: A package is not installed, or the checkpoint cannot be used.
    """
    files = Settings(
        prompt_file=shipped("resources/prompts/pope.yaml"),
        english_file=shipped("resources/lexicons/english.yaml"),
        name_table=shipped("resources/lexicons/chinese.yaml"),
        lexicon_file=shipped(lexicon_file),
    )
    data = load_texts(files)
    lexicon, english = Lexicon.from_data(data["lexicon"]), English(**data["english"])
    chinese = Chinese(**data["chinese"])
    transformer = {"checkpoint": checkpoint, "revision": revision, "labels": ()}
    extract = load(extraction, lexicon, english, chinese=chinese, transformer=transformer)
    return Words(extract, english, chinese, data["blog"])


def extract_objects_from_description(description: str, words: Words | None = None) -> list[str]:
    """Return the known objects of a description, each once.

    Mended: a closed vocabulary in place of all lower-case words, which took "a" and "on" for objects.
    """
    return list(_record(description, words or load_words()).mentioned)


def extract_objects_with_attributes(
    description: str, words: Words | None = None
) -> dict[str, list[str]]:
    """Return each object of a description with what is said of it."""
    described: dict[str, list[str]] = {}
    for _, mention in _record(description, words or load_words()).mentions:
        described.setdefault(mention.category, []).extend(mention.attributes)
    return described


def generate_different_attribute(
    attribute: str, *, seed: int = _SEED, words: Words | None = None
) -> str | None:
    """Return another attribute of the same kind, such as a colour for a colour; None if there is none.

    Mended: never one that is easily confused with it (red and orange), and never a smaller number.
    """
    known = words or load_words()
    alternatives = known.english.alternatives(attribute, ())
    return (
        alternatives[_draw(seed, "attribute", attribute).integers(len(alternatives))]
        if alternatives
        else None
    )


def get_all_objects_from_coco(coco_dataset: str | Path) -> list[str]:
    """Return all categories of an ``instances_*.json``."""
    return list(read_instances(coco_dataset).categories)


def generate_pope_c_question(
    description: str, *, seed: int = _SEED, words: Words | None = None
) -> dict[str, str] | None:
    """Ask for an object of the description, key "yes"; None if it names none.

    Mended: the object has its Chinese name, and the draw a seed.
    """
    known = words or load_words()
    record = _record(description, known)
    return _question(correct(record, (), _draw(seed, "C", description)), known)


def generate_pope_r_question(
    coco_dataset: str | Path, image_id: int | str, *, seed: int = _SEED, words: Words | None = None
) -> dict[str, str] | None:
    """Ask for an object of the dataset that is not in the image, key "no"; None if all are in it.

    Mended: what the annotations have in the image is left out, since the key would be wrong.

    Args:
        coco_dataset: Path of an ``instances_*.json``.
        words: For the object's Chinese name.

    Raises:
        KeyError: The file has no such image.
    """
    known = words or load_words()
    read = read_instances(coco_dataset)
    record, draw = read.images[str(image_id)], _draw(seed, "R", str(image_id))
    rules = Rules(known.english)
    return _question(random(record, read.categories, draw, rules), known)


def generate_pope_a_question(
    description: str, *, seed: int = _SEED, words: Words | None = None
) -> dict[str, str] | None:
    """Ask for an object of the description with an attribute exchanged, key "no"; None if it gives no attribute.

    Mended: the phrase is put together anew, since replacing letters may change nothing; the new attribute is of
    the same kind, is said of no object of this name, and is not easily confused with the old one.
    """
    known = words or load_words()
    draw, rules = _draw(seed, "A", description), Rules(known.english)
    return _question(adversarial(_record(description, known), draw, rules), known)


def answer_question(model: Model, image: Any, question: str) -> str | None:
    """Return "yes" or "no" as the model says it in English or Chinese; None if it says neither.

    Mended: replies are read by the strict rule, and a refusal is no "no". The blog's model writes captions and cannot
    be asked (docs/pope.md).
    """
    return presence_strict.strict(model.answer_question(image, question), question).answer or None


def evaluate_pope(
    model: Model,
    dataset: Iterable[tuple[Any, Any]],
    question_generation_function: Callable[..., dict[str, str] | None],
) -> float | None:
    """Return the share of right answers, 0 to 1; None if nothing could be asked (the blog's 0 is a score).

    Args:
        model: The model under test.
        dataset: Pairs of an image and what the generator takes: a description, or for R the pair of dataset and image
            id, which the blog's evaluator could not hand over.
        question_generation_function: One of the three above.
    """
    right = total = 0
    for image, source in dataset:
        arguments = source if isinstance(source, tuple) else (source,)
        generated = question_generation_function(*arguments)
        if generated is None:
            continue
        total += 1
        right += answer_question(model, image, generated["question"]) == generated["answer"]
    return right / total if total else None


def _record(description: str, words: Words) -> ImageRecord:
    return ImageRecord(
        "", "", mentions=tuple(("", mention) for mention in words.extract(description))
    )


def _draw(seed: int, strategy: str, of: str) -> np.random.Generator:
    return generator_of("pope", str(seed), "blog", strategy, of)


def _question(drawn: Probe | str, words: Words) -> dict[str, str] | None:
    if isinstance(drawn, str):
        return None
    name = words.chinese.phrase(drawn.attributes, drawn.name, words.english)
    return {"question": words.template.replace("{object}", name), "answer": drawn.label}
