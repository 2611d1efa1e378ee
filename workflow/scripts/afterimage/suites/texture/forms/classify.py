"""The questions with five options, for people (paper, figure 7): their answers make the row Human of table 1."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from afterimage.contract.task import Answer, Choice, Option, Task
from afterimage.files.parquet import read_records
from afterimage.files.records import ITEM
from afterimage.files.stimulus import Inputs
from afterimage.items.form_texts import Texts
from afterimage.items.option_order import without_probes
from afterimage.suites.texture.columns import CLASSIFIED
from afterimage.suites.texture.forms.shown import definition, japanese, object_heading

#: What the answers become: rows of classified.csv.
COLUMNS = tuple(column.name for column in CLASSIFIED.columns)

_QUESTION = "choose_5"
_FIELD = "word"
_READ = ("question", "stimulus_id", "images", "options", "factors")


def tasks(inputs: Inputs, settings: Mapping[str, Any], texts: Texts) -> Iterator[Task]:
    """Yield a task per question: the picture, the object's name, the options in the order that models get them.

    Args:
        inputs: Its items; asked in several prompts, a question is put to people once.
        settings: Not used.
        texts: The words of the form.
    """
    seen = set()
    for shard in inputs.items:
        for item in without_probes(read_records(shard, ITEM, _READ)):
            name = item["factors"]["item"]
            if item["question"] != _QUESTION or name in seen:
                continue
            seen.add(name)
            options = tuple(
                Option(option["option_id"], japanese(option["text"]), code=option["option_id"])
                for option in item["options"]
            )
            yield Task(
                id=name,
                images=(item["images"][0]["png"],),
                passages=definition(texts),
                heading=object_heading(texts, item["factors"]["object"]),
                fields=(Choice(_FIELD, texts["question"], options),),
                group=item["stimulus_id"],
                about={"item_id": name},
            )


def rows(answers: Iterable[Answer]) -> Iterator[dict[str, str]]:
    """Yield one row per answer."""
    for answer in answers:
        yield {
            "item_id": answer.about["item_id"],
            "annotator_id": answer.annotator_id,
            "option": answer.value,
            "source": "human",
            "form_id": answer.form_id,
            "answered_at": answer.answered_at,
        }
