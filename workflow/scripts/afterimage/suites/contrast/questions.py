"""Questions about each image, to models and to people, and the textbook's answers."""

from collections.abc import Iterator, Sequence

from afterimage.contract.question import Option, Question, ask
from afterimage.contract.stimulus import Json, Shown
from afterimage.contract.task import Task
from afterimage.files.stimulus import Inputs, shown_stimuli
from afterimage.items.form_texts import Texts
from afterimage.items.wording import offered
from afterimage.suites.contrast.design import BLANK, NO, NONE, SEEN, SIDES, STEPS, WHERE, YES
from afterimage.suites.thresholds import people


def questions(
    images: Sequence[Shown], words: Json, settings: Json, available: Sequence[Shown]
) -> Iterator[Question]:
    """Ask about the images of a shard; prompts that need a side skip blanks.

    Args:
        images: Those of the shard.
        words: ``prompts`` by id, and ``pattern``, the name of the pattern.
        settings: ``prompts`` (ids).
        available: Not read.
    """
    for shown in images:
        is_blank = shown.figure == BLANK
        for prompt in settings["prompts"]:
            wording = words["prompts"][prompt]
            question = wording["question"]
            if is_blank and question == WHERE:
                continue
            if question == SEEN:
                key, options = NO if is_blank else YES, {YES: YES, NO: NO}
            else:
                key, options = NONE if is_blank else shown.factors["side"], wording["options"]
            offered = "\n".join(options.values())
            yield Question(
                shown,
                prompt,
                ask(shown, wording["text"].format(options=offered, pattern=words["pattern"])),
                wording["answer_type"],
                key,
                tuple(Option(name, text) for name, text in options.items()),
                prompt=prompt,
                question=question,
            )


# ---- textbook ----


def answer(metadata: Json, rule: str) -> str:
    """Return the option of the left side, or ``Yes``, under either rule."""
    texts = offered(metadata, rule)
    return texts.get(SIDES[0]) or texts[YES]


# ---- people: in which half is the pattern? A page for each spatial frequency ----

COLUMNS, rows, session = people.COLUMNS, people.rows, people.session_of_sides


def tasks(inputs: Inputs, settings: Json, texts: Texts) -> Iterator[Task]:
    """Yield a task per image with a pattern."""
    question = texts.filled("question", pattern=texts[f"patterns.{settings['pattern']}"])
    options = {side: texts[side] for side in SIDES}
    for record, png in shown_stimuli(inputs):
        if record["figure"] == BLANK:
            continue
        factors = dict(record["factors"])
        cell = f"{STEPS.signed(factors, SIDES):g}"
        put = people.Put(factors["frequency"], "", cell, SIDES[0], factors["side"])
        yield people.task(record, png, put, question, options)
