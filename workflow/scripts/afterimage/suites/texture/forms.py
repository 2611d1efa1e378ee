"""Pages for people: words for objects, words to accept, questions to answer, models' words to judge (appendix A).

And whether drawn materials are recognised.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from afterimage.contract.model import REFERENCE_BACKENDS
from afterimage.contract.probes import without_probes
from afterimage.contract.stimulus import is_missing
from afterimage.contract.task import Answer, Choice, Entry, Option, Passage, Task, Text, literal
from afterimage.files.parquet import read_records
from afterimage.files.records import ITEM, RESPONSE, answer_of
from afterimage.files.stimulus import Inputs, shown_stimuli
from afterimage.grading.readers import word_list
from afterimage.items import recognition
from afterimage.items.form_texts import Texts
from afterimage.suites.texture.columns import (
    CLASSIFIED,
    JUDGEMENTS,
    TRIPLES,
    VOTES,
    WORD_SEPARATOR,
    Row,
)
from afterimage.suites.texture.dataset import Dataset, load_dataset
from afterimage.suites.texture.materials import (
    HUES,
    MATERIALS,
    MATERIALS_FIGURE,
    SHAPES,
    Material,
    images_of,
)
from afterimage.suites.texture.verification import Key

# ---- what the pages about objects share ----

_YES, _NO = "1", "0"


def shown_objects(inputs: Inputs, dataset: Dataset) -> Iterator[tuple[Key, Row, bytes]]:
    """Yield each object that is large enough and whose image is there, its row of objects.csv and its image."""
    by_image: dict[str, list[Key]] = {}
    for key in dataset.objects:
        by_image.setdefault(key[0], []).append(key)
    for record, png in shown_stimuli(inputs):
        named = () if is_missing(record["factors"]) else by_image.get(record["stimulus_id"], ())
        for key in named:
            yield key, dataset.objects[key], png


def _heading(texts: Texts, name: str) -> Mapping[str, str]:
    return texts.filled("object", object=_japanese(name))


def _definition(texts: Texts) -> tuple[Passage, ...]:
    """Return the definition of texture, which every picture has as in the paper's forms."""
    return (Passage(texts["definition"], texts["definition_text"]),)


def _japanese(word: str) -> Text:
    """Return a Japanese word as it is, whatever the page's language."""
    return literal(word, "ja")


def _word(field: str, word: str, yes: Text, no: Text) -> Choice:
    """Return the question whether a word fits, under the name of its field."""
    options = (Option(_YES, yes, code=_YES), Option(_NO, no, code=_NO))
    return Choice(field, _japanese(word), options, layout="row")


def _origin(answer: Answer) -> dict[str, str]:
    return {
        "source": "human",
        "form_id": answer.form_id,
        "answered_at": answer.answered_at,
    }


# ---- which words come to mind ----

#: Lines to write on; one word is enough.
_ENTRIES = 5
_LONGEST = 30
# People may write several words on one line.
_BETWEEN_WORDS = re.compile(rf"[{WORD_SEPARATOR}､,，\n]")


class Collect:
    """Which words come to mind: people write words about an object (paper, figure 6)."""

    #: The result of the answers: rows of triples.csv.
    COLUMNS = tuple(column.name for column in TRIPLES.columns)

    @staticmethod
    def tasks(inputs: Inputs, settings: Mapping[str, Any], texts: Texts) -> Iterator[Task]:
        """Yield a task per object: its picture, its name, and lines for words.

        Args:
            settings: ``dataset``: where the objects are.
        """
        dataset = load_dataset(settings["dataset"])
        for (image, name), row, png in shown_objects(inputs, dataset):
            yield Task(
                id=f"{image}:{name}",
                images=(png,),
                passages=_definition(texts),
                heading=_heading(texts, str(row["object_ja"])),
                fields=tuple(
                    Entry(
                        f"word_{number}",
                        texts.filled("word", number=str(number)),
                        most=_LONGEST,
                        optional=number > 1,
                    )
                    for number in range(1, _ENTRIES + 1)
                ),
                group=image,
                about={"image_id": image, "object_id": name},
            )

    @staticmethod
    def rows(answers: Iterable[Answer]) -> Iterator[dict[str, str]]:
        for answer in answers:
            words = [word.strip() for word in _BETWEEN_WORDS.split(answer.value)]
            for number, word in enumerate(filter(None, words), 1):
                entry = f"{answer.task_id}:{answer.field_id}:{number}"
                yield {
                    "triple_id": f"{answer.annotator_id}:{entry}",
                    "image_id": answer.about["image_id"],
                    "object_id": answer.about["object_id"],
                    "word": word,
                    "worker_id": answer.annotator_id,
                    "collected_at": answer.answered_at,
                }


# ---- which words fit ----

_WORDS = 5


class Verify:
    """Which words fit: people accept or reject five words about an object (paper, section 3.1, figure 9)."""

    #: The result of the answers: rows of votes.csv.
    COLUMNS = tuple(column.name for column in VOTES.columns)

    @staticmethod
    def tasks(inputs: Inputs, settings: Mapping[str, Any], texts: Texts) -> Iterator[Task]:
        """Yield a task per row of pairs.csv: a picture, the object's name, five words in random order.

        No page tells whether a word was written about this object or about another.

        Args:
            settings: ``dataset``: where the objects and their words are.
        """
        dataset = load_dataset(settings["dataset"])
        pairs = {pair["pair_id"]: pair for pair in dataset.pairs}
        for key, row, png in shown_objects(inputs, dataset):
            for pair_id in dataset.tasks_of.get(key, ()):
                words = [str(pairs[pair_id][f"w{number}"]) for number in range(1, _WORDS + 1)]
                yield Task(
                    id=pair_id,
                    images=(png,),
                    passages=_definition(texts),
                    heading=_heading(texts, str(row["object_ja"])),
                    fields=_suitable(words, texts),
                    shuffle_fields=True,
                    group=key[0],
                    about={"pair_id": pair_id},
                )

    @staticmethod
    def attention(drawn: Sequence[Task], number: int, texts: Texts) -> Iterator[Task]:
        """Yield tasks with obvious words: each fits every object or none.

        Args:
            drawn: The form's tasks, in random order.
            number: How many are wanted; none without tasks.
            texts: The words of the form, the obvious ones among them.
        """
        fitting, unfitting = (_listed(texts, key) for key in ("fitting", "unfitting"))
        for index in range(number if drawn else 0):
            task = drawn[index % len(drawn)]
            # Sometimes three of the five fit, sometimes two, so that nobody can count.
            share = 2 + index % 2
            chosen = [
                *_rotated(fitting, index)[:share],
                *_rotated(unfitting, index)[: _WORDS - share],
            ]
            yield replace(
                task,
                id=f"attention/{index + 1}",
                fields=_suitable(chosen, texts),
                group="",
                about={},
                expected={word: _YES if word in fitting else _NO for word in chosen},
            )

    @staticmethod
    def rows(answers: Iterable[Answer]) -> Iterator[dict[str, str]]:
        for answer in answers:
            yield {
                "pair_id": answer.about["pair_id"],
                "word": answer.field_id,
                "annotator_id": answer.annotator_id,
                "vote": answer.value,
                **_origin(answer),
            }


def _suitable(words: Iterable[str], texts: Texts) -> tuple[Choice, ...]:
    return tuple(_word(word, word, texts["suitable"], texts["unsuitable"]) for word in words)


def _listed(texts: Texts, key: str) -> list[str]:
    # Japanese, as the other words of the task; a list stands as one in every language that has it.
    translations = texts[key]
    return list(translations.get("ja", next(iter(translations.values()))))


def _rotated(words: Sequence[str], by: int) -> list[str]:
    start = by % len(words)
    return [*words[start:], *words[:start]]


# ---- the questions with five options ----

_CHOOSE = "choose_5"
_CHOSEN_READ = ("question", "stimulus_id", "images", "options", "factors")


class Classify:
    """The questions with five options, for people (paper, figure 7): their answers make the row Human of table 1."""

    #: The result of the answers: rows of classified.csv.
    COLUMNS = tuple(column.name for column in CLASSIFIED.columns)

    @staticmethod
    def tasks(inputs: Inputs, settings: Mapping[str, Any], texts: Texts) -> Iterator[Task]:
        """Yield a task per question: the picture, the object's name, the options in the order that models get them.

        Args:
            inputs: Its items; asked in several prompts, a question is put to people once.
        """
        seen = set()
        for shard in inputs.items:
            for item in without_probes(read_records(shard, ITEM, _CHOSEN_READ)):
                name = item["factors"]["item"]
                if item["question"] != _CHOOSE or name in seen:
                    continue
                seen.add(name)
                options = tuple(
                    Option(option["option_id"], _japanese(option["text"]), code=option["option_id"])
                    for option in item["options"]
                )
                yield Task(
                    id=name,
                    images=(item["images"][0]["png"],),
                    passages=_definition(texts),
                    heading=_heading(texts, item["factors"]["object"]),
                    fields=(Choice("word", texts["question"], options),),
                    group=item["stimulus_id"],
                    about={"item_id": name},
                )

    @staticmethod
    def rows(answers: Iterable[Answer]) -> Iterator[dict[str, str]]:
        for answer in answers:
            yield {
                "item_id": answer.about["item_id"],
                "annotator_id": answer.annotator_id,
                "option": answer.value,
                **_origin(answer),
            }


# ---- whether a model's words are natural ----

_DESCRIBE = "describe"
_ITEM_COLUMNS = ("item_id", "question", "stimulus_id", "images", "factors")
_RESPONSE_COLUMNS = ("item_id", "model", "repeat", "text", "answer_text", "backend")


class Judge:
    """Whether a model's words are natural: people say yes or no to each (paper, section 4.2, figure 8).

    A task holds the words of one answer; answers of all models are mixed on the pages, and no page tells whose they
    are. A separate task for each answer keeps people's judgements valid when a further model is asked.
    """

    #: The result of the answers: rows of judgements.csv.
    COLUMNS = tuple(column.name for column in JUDGEMENTS.columns)

    @staticmethod
    def tasks(inputs: Inputs, settings: Mapping[str, Any], texts: Texts) -> Iterator[Task]:
        """Yield a task per answer that holds words: the picture, the object's name, and the words.

        Args:
            inputs: Its items and responses; of repeated answers the first.
        """
        items = {
            item["item_id"]: item
            for shard in inputs.items
            for item in without_probes(read_records(shard, ITEM, _ITEM_COLUMNS))
            if item["question"] == _DESCRIBE
        }
        answers = [
            row
            for path in inputs.responses
            for row in read_records(path, RESPONSE, _RESPONSE_COLUMNS)
            if row["item_id"] in items and not row["repeat"]
        ]
        # People are asked about the words of reference responders only where a study has nobody else's.
        models = [row for row in answers if row["backend"] not in REFERENCE_BACKENDS]
        for row in models or answers:
            item = items[row["item_id"]]
            lenient = word_list.parse(answer_of(row)).readings["lenient"]
            words = list(dict.fromkeys(word_list.words_of(lenient)))
            if words:
                yield Task(
                    id=f"{row['item_id']}/{row['model']}",
                    images=(item["images"][0]["png"],),
                    passages=_definition(texts),
                    heading=_heading(texts, item["factors"]["object"]),
                    # A model may write anything, also what makes no good name for a field.
                    fields=tuple(
                        _word(str(number), word, texts["yes"], texts["no"])
                        for number, word in enumerate(words)
                    ),
                    shuffle_fields=True,
                    group=item["stimulus_id"],
                    about={
                        "item_id": row["item_id"],
                        "model": row["model"],
                        "words": json.dumps(words, ensure_ascii=False),
                    },
                )

    @staticmethod
    def rows(answers: Iterable[Answer]) -> Iterator[dict[str, str]]:
        for answer in answers:
            yield {
                "item_id": answer.about["item_id"],
                "model": answer.about["model"],
                "word": json.loads(answer.about["words"])[int(answer.field_id)],
                "annotator_id": answer.annotator_id,
                "yes": answer.value,
                **_origin(answer),
            }


# ---- whether a drawn material is recognised ----

#: What each material might be mistaken for; none of these is a material.
LOOK_ALIKES = {
    "glossy": ("spotted", "glowing"),
    "matte": ("velvety", "sandy"),
    "rough": ("crumpled", "muddy"),
    "transparent": ("checked", "mirroring"),
    "metallic": ("striped", "porcelain"),
    "fluffy": ("spiky", "grassy"),
    "wet": ("blistered", "dented"),
    "cracked": ("veined", "netted"),
    "woven": ("tiled", "ridged"),
    "grainy": ("scaly", "foamy"),
}
#: Other materials among the options.
_N_MISTAKES = 3


class Recognition:
    """Is a drawn material recognised: each one as a sphere and as a tile, the two in different hues."""

    COLUMNS = recognition.COLUMNS
    rows = staticmethod(recognition.rows)

    @staticmethod
    def tasks(inputs: Inputs, settings: Mapping[str, Any], texts: Texts) -> Iterator[Task]:
        """Yield two tasks per material, with the images as models get them; further copies are not asked about."""
        chosen = _chosen()
        for record, png in shown_stimuli(inputs):
            name = record["stimulus_id"]
            if name in chosen:
                thing = chosen[name]
                named = (*LOOK_ALIKES[thing.name], *likely_mistakes(thing))
                yield recognition.task(name, name, thing.name, png, named, texts)


def likely_mistakes(thing: Material) -> list[str]:
    """Return three other materials: those first that share a word with this one, and are the likeliest mistakes."""
    index = MATERIALS.index(thing)
    following = [*MATERIALS[index + 1 :], *MATERIALS[:index]]
    near = [
        material
        for material in following
        if _words(thing) & set(material.gold) or _words(material) & set(thing.gold)
    ]
    return [material.name for material in dict.fromkeys((*near, *following))][:_N_MISTAKES]


def _words(material: Material) -> set[str]:
    return {*material.gold, *material.compatible}


def _chosen() -> dict[str, Material]:
    """Return the shown images and their materials: each shape of a material once, the two in different hues."""
    numbers = {material.name: number for number, material in enumerate(MATERIALS)}
    shapes = list(SHAPES)
    return {
        image.image_id: MATERIALS[numbers[image.material]]
        for image in images_of(MATERIALS_FIGURE)
        if image.hue
        == HUES[(numbers[image.material] + shapes.index(image.layout.shape)) % len(HUES)]
    }
