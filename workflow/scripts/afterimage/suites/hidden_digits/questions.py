"""Questions about each image, to models and to people, and the textbook's answers."""

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


def answer(metadata: Json, rule: str) -> str:
    return offered(metadata, rule)[SIDES[0]]


# ---- people: which of two digits is it? A page for each axis, sharp and blurred ----

COLUMNS, rows, session = people.COLUMNS, people.rows, people.session_of_sides

#: The plates of people's trials: all eight would make a page of 27 MB. No two share a pair of digits, and the dots of
#: half of them differ in each direction.
ASKED_PLATES = PLATES[::2]


def tasks(inputs: Inputs, settings: Json, texts: Texts) -> Iterator[Task]:
    """Yield a task for each image with a difference, of the plates in people's trials."""
    for record, png in shown_stimuli(inputs):
        factors = dict(record["factors"])
        if factors["level"] == "0" or factors["replicate"] not in ASKED_PLATES:
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
