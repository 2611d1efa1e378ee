"""The questions about each image, to models and to people, and how a model answers them that does not look."""

from collections.abc import Iterator, Sequence

from afterimage.contract.question import Option, Question, ask
from afterimage.contract.stimulus import Json, Shown
from afterimage.contract.task import Task, literal
from afterimage.files.stimulus import Inputs, shown_stimuli
from afterimage.items.form_texts import Texts
from afterimage.items.wording import offered
from afterimage.suites.hidden_digits.design import PLATES, SIDES, STEPS
from afterimage.suites.thresholds import people


def questions(
    images: Sequence[Shown], words: Json, settings: Json, available: Sequence[Shown]
) -> Iterator[Question]:
    """Ask which digit is hidden, with each prompt."""
    for shown in images:
        digits = shown.factors["named"].split()
        for prompt in settings["prompts"]:
            text = words["prompts"][prompt]["text"].format(options="\n".join(digits))
            yield Question(
                shown,
                prompt,
                ask(shown, text),
                words["prompts"][prompt]["answer_type"],
                shown.factors["side"],
                tuple(map(Option, SIDES, digits)),
                prompt=prompt,
            )


# ---- textbook ----


def answer(beside: Json, rule: str) -> str:
    return offered(beside, rule)[SIDES[0]]


# ---- people: which of two digits is it? A page for each axis, sharp and blurred ----

COLUMNS, rows, session = people.COLUMNS, people.rows, people.session_of_sides

#: The plates that are put: all eight would make a page of 27 MB. Each is of other digits, half of them differ each way.
PUT = PLATES[::2]


def tasks(inputs: Inputs, settings: Json, texts: Texts) -> Iterator[Task]:
    """Yield a task per image with a difference, of the plates that are put."""
    for record, png in shown_stimuli(inputs):
        factors = dict(record["factors"])
        if factors["level"] == "0" or factors["replicate"] not in PUT:
            continue
        digits = factors["named"].split()
        put = people.Put(
            f"{factors['axis']} {factors['blur']}",
            "",
            f"{STEPS.signed(factors, SIDES):g}",
            SIDES[0],
            factors["side"],
        )
        options = dict(zip(SIDES, map(literal, digits), strict=True))
        yield people.task(record, png, put, texts["question"], options)
