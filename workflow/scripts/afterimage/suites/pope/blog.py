"""The functions of the blog's section 3 under its names and with its arguments, each mended as docs/pope.md says.

Questions follow from what they are made of and a seed. ``words`` says which names are known: COCO's by default, those
of the drawn scenes by ``load_words("resources/lexicons/scenes.yaml")``.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from afterimage.files.root import shipped
from afterimage.grading import presence_strict
from afterimage.suites.pope.asking import by_blog
from afterimage.suites.pope.bank import load_bank
from afterimage.suites.pope.extraction import backends, by_lexicon
from afterimage.suites.pope.language.chinese import Chinese
from afterimage.suites.pope.language.english import English
from afterimage.suites.pope.language.lexicon import Lexicon
from afterimage.suites.pope.readers.coco import read_instances
from afterimage.suites.pope.record import ImageRecord
from afterimage.suites.pope.seeding import generator
from afterimage.suites.pope.settings import Settings

_SEED = 20230526


class Model(Protocol):
    """What can be asked."""

    def answer_question(self, image: Any, question: str) -> str:
        """Return the reply to a question about an image."""


@dataclass(frozen=True)
class Words:
    """What questions are made of: what finds objects in a description, their grammar, and the question's words."""

    extract: backends.Extract
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
    files = {
        "prompt_file": "resources/prompts/pope.yaml",
        "english_file": "resources/lexicons/english.yaml",
        "name_table": "resources/lexicons/chinese.yaml",
        "lexicon_file": lexicon_file,
    }
    bank = load_bank(Settings(**{key: shipped(path) for key, path in files.items()}))
    lexicon, english = Lexicon.from_data(bank["lexicon"]), English(**bank["english"])
    chinese = Chinese(**bank["chinese"])
    transformer = {"checkpoint": checkpoint, "revision": revision, "labels": ()}
    extract = backends.load(extraction, lexicon, english, chinese=chinese, transformer=transformer)
    return Words(extract, english, chinese, bank["blog"])


def extract_objects_from_description(description: str, words: Words | None = None) -> list[str]:
    """Return the known objects of a description, each once.

    Mended: a closed vocabulary in place of all lower-case words, which took "a" and "on" for objects.
    """
    return list(_record(description, words or load_words()).mentioned)


def extract_objects_with_attributes(
    description: str, words: Words | None = None
) -> dict[str, list[str]]:
    """Return each object of a description with what is said of it."""
    found: dict[str, list[str]] = {}
    for _, mention in _record(description, words or load_words()).mentions:
        found.setdefault(mention.category, []).extend(mention.attributes)
    return found


def generate_different_attribute(
    attribute: str, *, seed: int = _SEED, words: Words | None = None
) -> str | None:
    """Return another attribute of the same kind, such as a colour for a colour; None where there is none.

    Mended: never one that is easily confused with it (red and orange), and never a smaller number.
    """
    known = words or load_words()
    others = known.english.alternatives(attribute, ())
    return others[_draw(seed, "attribute", attribute).integers(len(others))] if others else None


def get_all_objects_from_coco(coco_dataset: str | Path) -> list[str]:
    """Return all categories of an ``instances_*.json``."""
    return list(read_instances(coco_dataset).categories)


def generate_pope_c_question(
    description: str, *, seed: int = _SEED, words: Words | None = None
) -> dict[str, str] | None:
    """Ask for an object of the description, key "yes"; None where it names none.

    Mended: the object has its Chinese name, and the draw a seed.
    """
    known = words or load_words()
    record = _record(description, known)
    return _question(by_blog.correct(record, (), _draw(seed, "C", description)), known)


def generate_pope_r_question(
    coco_dataset: str | Path, image_id: int | str, *, seed: int = _SEED, words: Words | None = None
) -> dict[str, str] | None:
    """Ask for an object of the dataset that is not in the image, key "no"; None where all are in it.

    Mended: what the annotations have in the image is left out, since the key would be wrong.

    Args:
        coco_dataset: Path of an ``instances_*.json``.
        image_id: The image's id in it.
        seed: Of the draw.
        words: For the object's Chinese name.

    Raises:
        KeyError: The file has no such image.
    """
    known = words or load_words()
    read = read_instances(coco_dataset)
    record, draw = read.images[str(image_id)], _draw(seed, "R", str(image_id))
    rules = by_blog.Rules(known.english)
    return _question(by_blog.random(record, read.categories, draw, rules), known)


def generate_pope_a_question(
    description: str, *, seed: int = _SEED, words: Words | None = None
) -> dict[str, str] | None:
    """Ask for an object of the description with an attribute exchanged, key "no"; None where it gives no attribute.

    Mended: the phrase is put together anew, since replacing letters may change nothing; the new attribute is of
    the same kind, is said of no object of this name, and is not easily confused with the old one.
    """
    known = words or load_words()
    draw, rules = _draw(seed, "A", description), by_blog.Rules(known.english)
    return _question(by_blog.adversarial(_record(description, known), draw, rules), known)


def answer_question(model: Model, image: Any, question: str) -> str | None:
    """Return "yes" or "no" as the model says it in English or Chinese; None where it says neither.

    Mended: replies are read by the strict rule, and a refusal is no "no". The blog's model writes captions and cannot
    be asked (docs/pope.md).
    """
    return presence_strict.strict(model.answer_question(image, question), question).answer or None


def evaluate_pope(
    model: Model,
    dataset: Iterable[tuple[Any, Any]],
    question_generation_function: Callable[..., dict[str, str] | None],
) -> float | None:
    """Return the share of right answers, 0 to 1; None where nothing could be asked (the blog's 0 is a score).

    Args:
        model: Is asked.
        dataset: Pairs of an image and what the generator takes: a description, or for R the pair of dataset and image
            id, which the blog's evaluator could not hand over.
        question_generation_function: One of the three above.
    """
    right = asked = 0
    for image, told in dataset:
        arguments = told if isinstance(told, tuple) else (told,)
        found = question_generation_function(*arguments)
        if found is None:
            continue
        asked += 1
        right += answer_question(model, image, found["question"]) == found["answer"]
    return right / asked if asked else None


def _record(description: str, words: Words) -> ImageRecord:
    return ImageRecord("", "", mentions=tuple(("", one) for one in words.extract(description)))


def _draw(seed: int, strategy: str, of: str) -> np.random.Generator:
    return generator(seed, "blog", strategy, of)


def _question(found: by_blog.Probe | str, words: Words) -> dict[str, str] | None:
    if isinstance(found, str):
        return None
    name = words.chinese.phrase(found.attributes, found.name, words.english)
    return {"question": words.template.replace("{object}", name), "answer": found.label}
