"""Graded answers as the tables need them, also where nothing has been asked yet."""

import json
from collections.abc import Callable, Iterator

import pandas as pd

from afterimage.grading.word_list import words_of
from afterimage.showing.declaration import Settings
from afterimage.suites.texture.scores import Described

#: Sizes of classification items, as tables name them.
SIZES = (2, 5)

_FACTORS = ("item", "category", "choices", "gold_word", "options", "human_words", "words_from")


def of_task(grades: pd.DataFrame, task: str) -> pd.DataFrame:
    """Return the answers to one task, ``classification`` or ``generation``; none where nothing was asked."""
    # Without items there are no factors either.
    own = grades[grades["task"] == task] if "task" in grades else grades.iloc[:0]
    missing = [name for name in _FACTORS if name not in own]
    return own.assign(**{name: pd.Series(dtype=str) for name in missing})


def by_model(answers: pd.DataFrame) -> Iterator[tuple[str, str, pd.DataFrame]]:
    """Yield model, prompt and their answers, in the order of the configuration."""
    for (model, prompt), own in answers.groupby(["model", "prompt"], sort=False):
        yield str(model), str(prompt), own


def described(answers: pd.DataFrame) -> list[Described]:
    """Return one model's answers to the generation task, in order."""
    return [
        Described(
            item_id=row["item_id"],
            category=row["category"],
            words=words_of(row["readings"]["lenient"]),
            valid=words_of(row["answer"]) if isinstance(row["answer"], str) else None,
            human=frozenset(json.loads(row["human_words"])),
        )
        for row in answers.to_dict(orient="records")
    ]


def data_notes(task: str) -> Callable[[pd.DataFrame, Settings], Iterator[str]]:
    """Return what says where the words of a task came from, and marks what nobody but a program said."""

    def told(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
        answers = of_task(grades, task)
        if not len(answers):
            yield "Nothing was asked: the words have not been collected or verified yet."
            return
        sources = set(answers["words_from"].unique())
        if "simulated" in sources:
            yield (
                "The words and votes behind the right answers are simulated (drawn materials), not people's."
            )
        if "file" in sources:
            yield "Items of items_cls.csv are taken as they are."

    return told


def classified(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Return the answers to the classification task."""
    return of_task(grades, "classification")


def by_size(
    answers: pd.DataFrame, settings: Settings
) -> Iterator[tuple[dict[str, int], pd.DataFrame]]:
    """Part classified answers by the number of options."""
    for size in SIZES:
        yield {"choices": size}, answers[answers["choices"] == str(size)]
