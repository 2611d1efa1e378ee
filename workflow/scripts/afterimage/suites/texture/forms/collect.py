"""Which words come to mind: people write words about an object (paper, figure 6)."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from afterimage.contract.task import Answer, Entry, Task
from afterimage.files.stimulus import Inputs
from afterimage.items.form_texts import Texts
from afterimage.suites.texture.columns import TRIPLES, WORD_SEPARATOR
from afterimage.suites.texture.dataset import load_dataset
from afterimage.suites.texture.forms.shown import definition, object_heading, shown_objects

#: What the answers become: rows of triples.csv.
COLUMNS = tuple(column.name for column in TRIPLES.columns)

#: Lines to write on; one word is enough.
_ENTRIES = 5
_LONGEST = 30
# People may write several words on one line.
_BETWEEN_WORDS = re.compile(rf"[{WORD_SEPARATOR}､,，\n]")


def tasks(inputs: Inputs, settings: Mapping[str, Any], texts: Texts) -> Iterator[Task]:
    """Yield a task per object: its picture, its name, and lines for words.

    Args:
        inputs: Its stimuli.
        settings: ``dataset``: where the objects are.
        texts: The words of the form.
    """
    dataset = load_dataset(settings["dataset"])
    for (image, name), row, png in shown_objects(inputs, dataset):
        yield Task(
            id=f"{image}:{name}",
            images=(png,),
            passages=definition(texts),
            heading=object_heading(texts, str(row["object_ja"])),
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


def rows(answers: Iterable[Answer]) -> Iterator[dict[str, str]]:
    """Yield one triple per word."""
    for answer in answers:
        words = [word.strip() for word in _BETWEEN_WORDS.split(answer.value)]
        for number, word in enumerate(filter(None, words), 1):
            place = f"{answer.task_id}:{answer.field_id}:{number}"
            yield {
                "triple_id": f"{answer.annotator_id}:{place}",
                "image_id": answer.about["image_id"],
                "object_id": answer.about["object_id"],
                "word": word,
                "worker_id": answer.annotator_id,
                "collected_at": answer.answered_at,
            }
