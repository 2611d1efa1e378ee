"""The paper's figures 1 and 4: people's words about objects beside each model's, and which they have in common."""

import json

import pandas as pd

from afterimage.grading.word_list import words_of
from afterimage.showing.declaration import Settings
from afterimage.showing.example_page import Answer, Chosen, Said, Verdict
from afterimage.suites.texture.glosses import glossed
from afterimage.suites.texture.tables.answers import of_task

_SAID: dict[Verdict, str] = {
    "right": "people wrote the word, too",
    "unparsed": "not three words as asked for; left out of agreement",
}


def chosen(grades: pd.DataFrame, settings: Settings) -> Chosen:
    """Return every described object with people's words and, of each model's first answer, the words one by one.

    Args:
        grades: Graded answers.
        settings: Not read.
    """
    answers = of_task(grades, "generation")
    answers = answers[answers["repeat"] == 0]
    shown: dict[str, list[Answer]] = {}
    keys = {}
    simulated = False
    for row in answers.to_dict(orient="records"):
        people = json.loads(row["human_words"])
        keys[row["item_id"]] = "\n".join([row["object"], *map(glossed, people)])
        simulated = simulated or row["words_from"] == "simulated"
        shown.setdefault(row["item_id"], []).extend(_words(row, people))
    return Chosen(
        shown,
        keys=keys,
        said=Said(
            "object, and people's words (simulated)" if simulated else "object, and people's words",
            _SAID,
            words={"right": "both", "unparsed": "invalid"},
        ),
        nothing="nothing to show: no object was described",
    )


def _words(row: dict, people: list[str]) -> list[Answer]:
    """Return the words of one answer, marked where people wrote them; one of invalid form as it was made out."""
    if not isinstance(row["answer"], str):
        return [Answer(row["model"], row["readings"]["lenient"], "unparsed")]
    return [
        Answer(row["model"], glossed(word), "right" if word in people else None)
        for word in words_of(row["answer"])
    ]
