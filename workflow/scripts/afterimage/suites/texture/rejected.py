"""The paper's figure 5: objects, and the words about them that every annotator found unnatural."""

import pandas as pd

from afterimage.showing.declaration import Settings
from afterimage.showing.example_page import Answer, Chosen, Said
from afterimage.suites.texture.scores import yes_no_score
from afterimage.suites.texture.tables.answers import by_model, described, of_task
from afterimage.suites.texture.tables.judged import judgements, said_of


def chosen(grades: pd.DataFrame, settings: Settings) -> Chosen:
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
