"""Sessions about hidden digits: which of two is it? A page for each axis, sharp and blurred."""

from collections.abc import Iterator, Sequence

from afterimage.contract.stimulus import Json
from afterimage.contract.task import Session, Shown, Task, literal
from afterimage.files.stimulus import Inputs, shown_stimuli
from afterimage.items.form_texts import Texts
from afterimage.suites.hidden_digits.design import PLATES, SIDES, STEPS
from afterimage.suites.thresholds import people

COLUMNS = people.COLUMNS
rows = people.rows

#: The plates that are put: all eight would make a page of 27 MB. Each is of other digits, half of them differ each way.
PUT = PLATES[::2]


def tasks(inputs: Inputs, settings: Json, texts: Texts) -> Iterator[Task]:
    """Yield a task per image with a difference, of the plates that are put.

    Args:
        inputs: Its stimuli.
        settings: Not used.
        texts: The words of the form.
    """
    for record, png in shown_stimuli(inputs):
        factors = dict(record["factors"])
        if factors["level"] == "0" or factors["replicate"] not in PUT:
            continue
        digits = factors["named"].split()
        put = people.Put(
            f"{factors['axis']} {factors['blur']}",
            "",
            people.signed(factors, SIDES, STEPS),
            SIDES[0],
            factors["side"],
        )
        options = dict(zip(SIDES, map(literal, digits), strict=True))
        yield people.task(record, png, put, texts["question"], options)


def session(shown: Sequence[Shown], settings: Json) -> Session:
    """Return how trials are placed; a threshold is that of the table ``hidden_digits``."""
    return people.session(shown, people.naming_sides, people.is_easy)
