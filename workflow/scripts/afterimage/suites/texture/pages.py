"""Example pages: the paper's figures 1, 4 and 5."""

import json

import pandas as pd

from afterimage.grading.word_list import words_of
from afterimage.showing.declaration import Settings
from afterimage.showing.example_page import Answer, Chosen, Said, Verdict
from afterimage.suites.texture.materials import glossed
from afterimage.suites.texture.scores import yes_no_score
from afterimage.suites.texture.tables import by_model, described, of_task
from afterimage.suites.texture.tables_written import judgements, said_of

# The paper's figures 1 and 4: people's words about objects beside each model's, and which they have in common.

_SAID: dict[Verdict, str] = {
    "right": "people wrote the word, too",
    "unparsed": "not three words as asked for; left out of agreement",
}


def chosen_in_common(grades: pd.DataFrame, settings: Settings) -> Chosen:
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


# The paper's figure 5: objects, and the words about them that every annotator found unnatural.


def chosen_rejected(grades: pd.DataFrame, settings: Settings) -> Chosen:
    """Return the words that all of at least as many annotators as asked for reject, of models judged wholly.

    Args:
        grades: Graded answers.
        settings: In "texture" "judgements" (files) and "judges".
    """
    answers = of_task(grades, "generation")
    people = judgements(answers, settings)
    shown: dict[str, list[Answer]] = {}
    for model, _, own in by_model(answers):
        score = yes_no_score(described(own), said_of(model, people), settings["texture"]["judges"])
        for item, words in score.rejected.items() if score.complete else ():
            shown.setdefault(item, []).extend(
                Answer(model, word, "wrong") for word in dict.fromkeys(words)
            )
    return Chosen(
        shown,
        keys=dict(zip(answers["item_id"], answers["object"], strict=True)) if shown else {},
        said=Said(
            "object",
            {"wrong": "every annotator finds the word unnatural"},
            words={},
        ),
        nothing="no word, of models whose every word was judged,\nthat every annotator finds unnatural",
    )
