"""Which word was chosen in the place of which: right word by chosen word, for every model.

One row per number of options, model, right word and chosen word ("unparsed" where none was): ``n`` such answers out of
``total`` to questions with this right word, and ``share``, their ratio in percent; prompts are pooled.
"""

import json
from collections.abc import Iterator

import pandas as pd

from afterimage.showing.columns import Share, Text, whole
from afterimage.showing.declaration import By, Settings, Table
from afterimage.showing.values import confused
from afterimage.suites.texture.glosses import glossed
from afterimage.suites.texture.tables.answers import by_size, classified, data_notes

#: In the column "chosen": the answer names no option or several.
UNPARSED = "unparsed"


def _said(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    asked = classified(grades, settings)
    chosen = [
        json.loads(options)[int(answer)] if isinstance(answer, str) else UNPARSED
        for options, answer in zip(asked["options"], asked["answer"], strict=True)
    ]
    return asked.assign(chosen=chosen)


def _most_often(answers: pd.DataFrame, settings: Settings) -> Iterator[tuple[dict, pd.DataFrame]]:
    """Part the answers where one word is right by the word that was chosen, the most frequent first."""
    for word in answers["chosen"].value_counts().index:
        right = word == answers["gold_word"].iloc[0]
        yield {"chosen": word, "right": right}, answers[answers["chosen"] == word]


TABLE = Table(
    "texture_words",
    "Texture, classification: what was chosen where each word is right",
    of=_said,
    rows=(by_size, By(("model", "gold_word")), _most_often),
    csv=(
        *("choices", "model", "gold_word", "chosen", "right"),
        *confused(),
    ),
    columns=(
        whole("Options", "choices"),
        Text("Model", "model"),
        Text("Right word", "gold_word", glossed),
        Text("Chosen", "chosen", glossed),
        Share("Share", "n", "total"),
    ),
    notes=(
        "Percent of all answers to questions with this right word (answers/all). unparsed: no option, or several.",
        data_notes("classification"),
    ),
    split_by="Options",
)
