"""Sessions about contrast: in which half is the pattern? A page for each spatial frequency."""

from collections.abc import Iterator, Sequence

from afterimage.contract.stimulus import Json
from afterimage.contract.task import Session, Shown, Task
from afterimage.files.stimulus import Inputs, shown_stimuli
from afterimage.items.form_texts import Texts
from afterimage.suites.contrast.design import BLANK, SIDES, STEPS
from afterimage.suites.thresholds import people

COLUMNS = people.COLUMNS
rows = people.rows


def tasks(inputs: Inputs, settings: Json, texts: Texts) -> Iterator[Task]:
    """Yield a task per image with a pattern.

    Args:
        inputs: Its stimuli.
        settings: ``pattern``, what is shown.
        texts: The words of the form.
    """
    question = texts.filled("question", pattern=texts[f"patterns.{settings['pattern']}"])
    options = {side: texts[side] for side in SIDES}
    for record, png in shown_stimuli(inputs):
        if record["figure"] == BLANK:
            continue
        factors = dict(record["factors"])
        cell = people.signed(factors, SIDES, STEPS)
        put = people.Put(factors["frequency"], "", cell, SIDES[0], factors["side"])
        yield people.task(record, png, put, question, options)


def session(shown: Sequence[Shown], settings: Json) -> Session:
    """Return how trials are placed; a threshold is that of the table ``contrast``."""
    return people.session(shown, people.naming_sides, people.is_easy)
