"""The questions themselves, for the row Human of tables II and III (paper, section IV-B)."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from afterimage.contract.task import Answer, Choice, Option, Task, literal
from afterimage.files.parquet import read_records
from afterimage.files.records import ITEM
from afterimage.files.stimulus import Inputs
from afterimage.items.form_texts import Texts
from afterimage.items.option_order import without_probes
from afterimage.suites.illusionbench.forms.pictures import Pictures, sampled_images
from afterimage.suites.illusionbench.names import MULTIPLE_CHOICE, TRUE_FALSE

#: What the answers become: the file that tables II and III take people's answers from.
COLUMNS = ("evaluator", "item_id", "answer")

_ITEM_COLUMNS = ("item_id", "stimulus_id", "question", "options", "factors")


def tasks(inputs: Inputs, settings: Mapping[str, Any], texts: Texts) -> Iterator[Task]:
    """Yield a task per sampled image with all its true-or-false and multiple-choice questions.

    Options stand in the order in which models get them, without numerals.

    Args:
        inputs: Stimuli and items.
        settings: ``images`` and ``seed``.
        texts: The words of the form.
    """
    pictures = Pictures(inputs)
    chosen = sampled_images(pictures, settings)
    fields: dict[str, list[Choice]] = {name: [] for name in chosen}
    for path in inputs.items:
        for item in without_probes(read_records(path, ITEM, _ITEM_COLUMNS)):
            if item["stimulus_id"] in fields and _is_asked(item):
                fields[item["stimulus_id"]].append(_field(item, texts))
    for name in chosen:
        if fields[name]:
            yield Task(id=name, images=(pictures.png(name),), fields=tuple(fields[name]))


def rows(answers: Iterable[Answer]) -> Iterator[dict[str, str]]:
    """Yield one row per answer: "True" or "False", or the numeral of an option."""
    for answer in answers:
        yield {
            "evaluator": answer.annotator_id,
            "item_id": answer.field_id,
            "answer": answer.value,
        }


def _is_asked(item: Mapping[str, Any]) -> bool:
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
