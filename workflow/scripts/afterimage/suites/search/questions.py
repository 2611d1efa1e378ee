"""Questions about each image, to models and to people, and the textbook's answers."""

from collections.abc import Iterator, Mapping, Sequence

from afterimage.contract import task
from afterimage.contract.question import Option, Question, ask
from afterimage.contract.stimulus import Json, Shown
from afterimage.files.stimulus import Inputs, shown_stimuli
from afterimage.items.form_texts import Texts
from afterimage.items.wording import offered
from afterimage.suites.search.design import NO, PRESENT, YES
from afterimage.suites.thresholds import people


def questions(
    images: Sequence[Shown], words: Json, settings: Json, available: Sequence[Shown]
) -> Iterator[Question]:
    """Ask about the images of a shard; prompts for the quadrant skip images without a target.

    Args:
        images: Those of the shard.
        words: ``prompts`` by id and ``targets`` by figure.
        settings: ``prompts`` (ids).
        available: Not read.
    """
    for shown in images:
        is_present = shown.factors["presence"] == PRESENT
        for prompt in settings["prompts"]:
            wording = words["prompts"][prompt]
            slots = {"target": words["targets"][shown.figure]}
            if wording["question"] == "present":
                key, texts = YES if is_present else NO, {YES: YES, NO: NO}
            elif is_present:
                key, texts = shown.factors["quadrant"], wording["options"]
                slots["options"] = "\n".join(texts.values())
            else:
                continue
            yield Question(
                shown,
                prompt,
                ask(shown, wording["text"].format(**slots)),
                wording["answer_type"],
                key,
                tuple(Option(name, text) for name, text in texts.items()),
                prompt=prompt,
                question=wording["question"],
            )


# ---- textbook ----


def answer(metadata: Json, rule: str) -> str:
    """Return ``Yes``, or the first option where the question is about the quadrant, under either rule."""
    texts = offered(metadata, rule)
    return texts.get(YES, next(iter(texts.values())))


# ---- people: is the target there, at a glance? A page for each condition ----

COLUMNS, rows = people.COLUMNS, people.rows

#: The groups in people's trials: all would double the size of a page. Each has the target once in each quadrant.
ASKED_GROUPS = ("0", "1")
#: Largest number of items in practice trials.
_EASY = 8


def tasks(inputs: Inputs, settings: Json, texts: Texts) -> Iterator[task.Task]:
    """Yield a task for each image of the groups in people's trials."""
    options = {YES: texts["present"], NO: texts["absent"]}
    for record, png in shown_stimuli(inputs):
        figure, factors = record["figure"], dict(record["factors"])
        if factors["group"] not in ASKED_GROUPS:
            continue
        key = YES if factors["presence"] == PRESENT else NO
        cell = f"{factors['set_size']} {factors['presence']}"
        put = people.Put(figure, "", cell, YES, key)
        question = texts.filled("question", target=texts[f"targets.{figure}"])
        yield people.task(record, png, put, question, options)


def session(shown: Sequence[task.Shown], settings: Json) -> task.Session:
    return people.session(shown, people.detecting, _is_easy, settings["exposure_ms"])


def _is_easy(about: Mapping[str, str]) -> bool:
    (size,) = people.sizes_of([about["cell"]])
    return size <= _EASY
