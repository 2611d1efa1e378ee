"""Sessions about search: is the target there, at a glance? A page for each condition."""

from collections.abc import Iterator, Mapping, Sequence

from afterimage.contract.stimulus import Json
from afterimage.contract.task import Session, Shown, Task
from afterimage.files.stimulus import Inputs, shown_stimuli
from afterimage.items.form_texts import Texts
from afterimage.suites.search.design import NO, PRESENT, YES
from afterimage.suites.thresholds import people

COLUMNS = people.COLUMNS
rows = people.rows

#: The groups of places that are put: all would make a page twice as heavy. Each has the target once in each quadrant.
PUT = ("0", "1")
#: Up to so many items are practised with.
_EASY = 8


def tasks(inputs: Inputs, settings: Json, texts: Texts) -> Iterator[Task]:
    """Yield a task per image of the groups that are put.

    Args:
        inputs: Its stimuli.
        settings: Not used.
        texts: The words of the form.
    """
    options = {YES: texts["present"], NO: texts["absent"]}
    for record, png in shown_stimuli(inputs):
        figure, factors = record["figure"], dict(record["factors"])
        if factors["group"] not in PUT:
            continue
        key = YES if factors["presence"] == PRESENT else NO
        cell = f"{factors['set_size']} {factors['presence']}"
        put = people.Put(figure, "", cell, YES, key)
        question = texts.filled("question", target=texts[f"targets.{figure}"])
        yield people.task(record, png, put, question, options)


def session(shown: Sequence[Shown], settings: Json) -> Session:
    """Return how trials are placed, and for how long a picture is shown.

    Args:
        shown: The tasks of the page.
        settings: ``exposure_ms``.
    """
    return people.session(shown, people.detecting, _is_easy, settings["exposure_ms"])


def _is_easy(about: Mapping[str, str]) -> bool:
    (size,) = people.sizes_of([about["cell"]])
    return size <= _EASY
