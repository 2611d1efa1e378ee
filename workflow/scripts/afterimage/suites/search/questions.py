"""The questions about each image, to models and to people, and how a model answers them that does not look."""

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
    """Ask about the images of a shard; only where the target is there, also for its quadrant.

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


def answer(beside: Json, rule: str) -> str:
    """Return ``Yes``, or the first option where places are asked for, whatever the rule."""
    texts = offered(beside, rule)
    return texts.get(YES, next(iter(texts.values())))


# ---- people: is the target there, at a glance? A page for each condition ----

COLUMNS, rows = people.COLUMNS, people.rows

#: The groups of places that are put: all would make a page twice as heavy. Each has the target once in each quadrant.
PUT = ("0", "1")
#: Up to so many items are practised with.
_EASY = 8


def tasks(inputs: Inputs, settings: Json, texts: Texts) -> Iterator[task.Task]:
    """Yield a task per image of the groups that are put."""
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


def session(shown: Sequence[task.Shown], settings: Json) -> task.Session:
    return people.session(shown, people.detecting, _is_easy, settings["exposure_ms"])


def _is_easy(about: Mapping[str, str]) -> bool:
    (size,) = people.sizes_of([about["cell"]])
    return size <= _EASY
