"""Scores of descriptions, against which the judge's are validated (paper, appendix C-C1)."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from afterimage.contract.task import Answer, Choice, Option, Passage, Task, literal
from afterimage.files.parquet import read_records
from afterimage.files.records import ITEM, RESPONSE
from afterimage.files.stimulus import Inputs
from afterimage.grading.reasoning import answer_of
from afterimage.items.form_texts import Texts
from afterimage.items.option_order import without_probes
from afterimage.showing.study.judges_and_people import HUMAN_COLUMNS
from afterimage.suites.illusionbench.forms.pictures import Pictures, sampled_images
from afterimage.suites.illusionbench.names import DESCRIPTIONS, ILLUSION

#: What the answers become: people's scores, as the validation of the judge reads them.
COLUMNS = HUMAN_COLUMNS

_SCORES = ("2", "1", "0")
_ITEM_COLUMNS = ("item_id", "stimulus_id", "question", "answer_type", "key", "factors")
_RESPONSE_COLUMNS = ("item_id", "model", "repeat", "text", "answer_text", "backend")
#: Responders whose descriptions are the options' own words.
_REFERENCE_BACKENDS = ("chance", "textbook", "pixels")


def tasks(inputs: Inputs, settings: Mapping[str, Any], texts: Texts) -> Iterator[Task]:
    """Yield a task per sampled image, model and type of question; no page tells the model.

    Args:
        inputs: Stimuli, items and responses.
        settings: ``images``, ``seed`` and ``models`` (names; all but the reference responders where empty).
        texts: The words of the form.
    """
    pictures = Pictures(inputs)
    chosen = set(sampled_images(pictures, settings))
    items = {
        item["item_id"]: item
        for path in inputs.items
        for item in without_probes(read_records(path, ITEM, _ITEM_COLUMNS))
        if item["question"] in DESCRIPTIONS and item["stimulus_id"] in chosen
    }
    for path in inputs.responses:
        for response in read_records(path, RESPONSE, _RESPONSE_COLUMNS):
            item = items.get(response["item_id"])
            if item is not None and _is_scored(response, settings["models"]):
                yield _task(item, response, pictures, texts)


def rows(answers: Iterable[Answer]) -> Iterator[dict[str, str]]:
    """Yield one row per score."""
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
    asked = response["backend"] not in _REFERENCE_BACKENDS and response["repeat"] == 0
    return named and asked and bool(answer_of(response).strip())


def _task(
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
