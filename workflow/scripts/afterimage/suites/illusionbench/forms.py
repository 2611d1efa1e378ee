"""Pages for people: the questions themselves, scores of descriptions, and the review of judged answers."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from afterimage.contract.model import REFERENCE_BACKENDS
from afterimage.contract.probes import without_probes
from afterimage.contract.task import Answer, Choice, Option, Passage, Task, literal
from afterimage.errors import unknown_name
from afterimage.files.csv_rows import read_rows
from afterimage.files.parquet import read_records
from afterimage.files.records import ITEM, RESPONSE, answer_of
from afterimage.files.stimulus import Inputs, StimulusImages, read_stimuli
from afterimage.items.form_texts import Texts
from afterimage.showing.study.judges_and_people import HUMAN_COLUMNS
from afterimage.statistics.sampling import sampled
from afterimage.suites.illusionbench.names import (
    DESCRIPTIONS,
    ILLUSION,
    MULTIPLE_CHOICE,
    TRUE_FALSE,
)


class Pictures:
    """All stimulus records of a form's inputs.

    Attributes:
        records: Stimulus id to its record.
    """

    def __init__(self, inputs: Inputs) -> None:
        """Read the records; no image is read yet."""
        self._images = StimulusImages()
        self.records = {
            record["stimulus_id"]: record
            for path in inputs.stimuli
            for record in read_stimuli(path)
        }

    def png(self, stimulus_id: str) -> bytes:
        """Return an image, checked to be the recorded one.

        Raises:
            AfterimageError: There is no such stimulus, or its image is missing or another one.
        """
        if stimulus_id not in self.records:
            raise unknown_name("stimulus", stimulus_id, self.records)
        return self._images.png(self.records[stimulus_id])

    def sampled(self, settings: Mapping[str, Any]) -> list[str]:
        """Return a sample in proportion to the categories, one after the other (paper, section IV-B, appendix C).

        Args:
            settings: ``images`` (how many at most) and ``seed``.
        """
        members: dict[str, list[str]] = {}
        for name, record in self.records.items():
            members.setdefault(record["factors"]["category"], []).append(name)
        total = min(settings["images"], len(self.records))
        drawn = sampled(members, total, np.random.default_rng(settings["seed"]))
        return [name for names in drawn.values() for name in names]


# ---- the questions themselves ----

_ITEM_COLUMNS = ("item_id", "stimulus_id", "question", "options", "factors")


class Vqa:
    """The questions themselves, for the row Human of tables II and III (paper, section IV-B)."""

    #: What the answers become: the file that tables II and III take people's answers from.
    COLUMNS = ("evaluator", "item_id", "answer")

    @staticmethod
    def tasks(inputs: Inputs, settings: Mapping[str, Any], texts: Texts) -> Iterator[Task]:
        """Yield a task per sampled image with all its true-or-false and multiple-choice questions.

        Options stand in the order in which models get them, without numerals.

        Args:
            settings: ``images`` and ``seed``.
        """
        pictures = Pictures(inputs)
        chosen = pictures.sampled(settings)
        fields: dict[str, list[Choice]] = {name: [] for name in chosen}
        for path in inputs.items:
            for item in without_probes(read_records(path, ITEM, _ITEM_COLUMNS)):
                if item["stimulus_id"] in fields and _has_options(item):
                    fields[item["stimulus_id"]].append(_field(item, texts))
        for name in chosen:
            if fields[name]:
                yield Task(id=name, images=(pictures.png(name),), fields=tuple(fields[name]))

    @staticmethod
    def rows(answers: Iterable[Answer]) -> Iterator[dict[str, str]]:
        """Yield one row per answer: "True" or "False", or the numeral of an option."""
        for answer in answers:
            yield {
                "evaluator": answer.annotator_id,
                "item_id": answer.field_id,
                "answer": answer.value,
            }


def _has_options(item: Mapping[str, Any]) -> bool:
    kinds = (TRUE_FALSE, MULTIPLE_CHOICE)
    return item["question"] in kinds and item["factors"].get("shuffle_round") in (None, "0")


def _field(item: Mapping[str, Any], texts: Texts) -> Choice:
    if item["question"] == TRUE_FALSE:
        both = (Option("True", texts["true"]), Option("False", texts["false"]))
        return Choice(item["item_id"], literal(item["factors"]["asked"]), both)
    options = tuple(
        Option(option["option_id"], literal(option["text"])) for option in item["options"]
    )
    return Choice(item["item_id"], literal(item["factors"]["question_text"]), options)


# ---- scores of descriptions ----

_SCORES = ("2", "1", "0")
_DESCRIPTION_COLUMNS = ("item_id", "stimulus_id", "question", "answer_type", "key", "factors")
_RESPONSE_COLUMNS = ("item_id", "model", "repeat", "text", "answer_text", "backend")


class DescriptionScores:
    """Scores of descriptions, against which the judge's are validated (paper, appendix C-C1)."""

    #: What the answers become: people's scores, as the validation of the judge reads them.
    COLUMNS = HUMAN_COLUMNS

    @staticmethod
    def tasks(inputs: Inputs, settings: Mapping[str, Any], texts: Texts) -> Iterator[Task]:
        """Yield a task per sampled image, model and type of question; no page tells the model.

        Args:
            settings: ``images``, ``seed`` and ``models`` (names; all but the reference responders where empty).
        """
        pictures = Pictures(inputs)
        chosen = set(pictures.sampled(settings))
        items = {
            item["item_id"]: item
            for path in inputs.items
            for item in without_probes(read_records(path, ITEM, _DESCRIPTION_COLUMNS))
            if item["question"] in DESCRIPTIONS and item["stimulus_id"] in chosen
        }
        for path in inputs.responses:
            for response in read_records(path, RESPONSE, _RESPONSE_COLUMNS):
                item = items.get(response["item_id"])
                if item is not None and _is_scored(response, settings["models"]):
                    yield _scale(item, response, pictures, texts)

    @staticmethod
    def rows(answers: Iterable[Answer]) -> Iterator[dict[str, str]]:
        for answer in answers:
            yield {
                "image_id": answer.about["image_id"],
                "model_code": answer.about["model_code"],
                "question_type": answer.about["question_type"],
                "evaluator": answer.annotator_id,
                "score": answer.value,
            }


def _is_scored(response: Mapping[str, Any], models: list[str]) -> bool:
    named = response["model"] in models if models else True
    is_eligible = response["backend"] not in REFERENCE_BACKENDS and response["repeat"] == 0
    return named and is_eligible and bool(answer_of(response).strip())


def _scale(
    item: Mapping[str, Any], response: Mapping[str, Any], pictures: Pictures, texts: Texts
) -> Task:
    scale = "illusion" if item["question"] == ILLUSION else "semantic"
    options = tuple(
        Option(score, texts[f"scale.{scale}.{name}"], code=score)
        for score, name in zip(_SCORES, ("two", "one", "zero"), strict=True)
    )
    return Task(
        id=f"{response['model']}/{item['item_id']}",
        images=(pictures.png(item["stimulus_id"]),),
        passages=(
            Passage(texts["golden"], literal(item["key"])),
            Passage(texts["description"], literal(answer_of(response))),
        ),
        fields=(Choice("score", texts[f"question.{scale}"], options, level="ordinal"),),
        # Descriptions of one image that follow each other could be compared.
        group=item["stimulus_id"],
        about={
            "image_id": item["stimulus_id"],
            "model_code": response["model"],
            "question_type": item["question"],
        },
    )


# ---- the review of judged answers ----

_RIGHT, _WRONG = "true", "false"
_ABOUT = ("model", "item_id", "question_type", "answer_sha", "auto_correct")


class Review:
    """People look again at what was judged wrong or not decided (paper, appendix B-B1)."""

    #: What the answers become: decisions, as the review reads them.
    COLUMNS = (*_ABOUT, "human_correct", "reviewer", "reviewed_at", "note")

    @staticmethod
    def tasks(inputs: Inputs, settings: Mapping[str, Any], texts: Texts) -> Iterator[Task]:
        """Yield a task per answer in the queue: image, question, right answer, the answer, the judge's votes.

        Args:
            inputs: Stimuli, and as its only file the queue.
        """
        pictures = Pictures(inputs)
        (queue,) = inputs.files
        right, wrong = Option(_RIGHT, texts["right"], "1"), Option(_WRONG, texts["wrong"], "0")
        for row in read_rows(queue):
            passages = ("question", "gold", "answer", *(["votes"] if row["votes"] else []))
            yield Task(
                id=f"{row['model']}/{row['item_id']}/{row['answer_sha']}",
                images=(pictures.png(row["stimulus_id"]),),
                passages=tuple(Passage(texts[name], literal(row[name])) for name in passages),
                fields=(Choice("correct", texts["correct"], (right, wrong), layout="row"),),
                about={name: row[name] for name in _ABOUT},
            )

    @staticmethod
    def rows(answers: Iterable[Answer]) -> Iterator[dict[str, str]]:
        for answer in answers:
            yield {
                **{name: answer.about[name] for name in _ABOUT},
                "human_correct": answer.value,
                "reviewer": answer.annotator_id,
                "reviewed_at": answer.answered_at,
                "note": "",
            }
