"""Which word was chosen in the place of which: right word by chosen word, for every model."""

import json
from collections.abc import Mapping

import pandas as pd

from afterimage.showing.table_layout import Layout, Share, Text
from afterimage.suites.texture.tables.answers import SIZES, data_notes, of_task

#: In the column "chosen": the answer names no option or several.
UNPARSED = "unparsed"
_COLUMNS = ("choices", "model", "gold_word", "chosen", "right", "n", "total", "share")


def table(grades: pd.DataFrame, settings: Mapping) -> pd.DataFrame:
    """Count what was chosen where each word is right; prompts are pooled.

    Args:
        grades: Graded answers of all models, factors as columns.
        settings: Not used: nothing here is estimated.

    Returns:
        One row per number of options, model, right word and chosen word ("unparsed" where none was): ``n`` such
        answers out of ``total`` to questions with this right word, and ``share``, their ratio in percent.
    """
    answers = of_task(grades, "classification")
    rows = []
    for size in SIZES:
        asked = answers[answers["choices"] == str(size)]
        chosen = asked.assign(
            chosen=[
                json.loads(options)[int(answer)] if isinstance(answer, str) else UNPARSED
                for options, answer in zip(asked["options"], asked["answer"], strict=True)
            ]
        )
        for (model, gold), own in chosen.groupby(["model", "gold_word"], sort=False):
            for word, n in own["chosen"].value_counts().items():
                counts = {"n": int(n), "total": len(own), "share": 100 * n / len(own)}
                names = {"choices": size, "model": model, "gold_word": gold, "chosen": word}
                rows.append({**names, "right": word == gold, **counts})
    return pd.DataFrame(rows, columns=list(_COLUMNS))


def layout(grades: pd.DataFrame, settings: Mapping) -> Layout:
    """Describe the reader's table."""
    answers = of_task(grades, "classification")
    return Layout(
        title="Texture, classification: what was chosen where each word is right",
        columns=(
            Text("Options", "choices", numeric=True),
            Text("モデル", "model"),
            Text("正解", "gold_word"),
            Text("回答", "chosen"),
            Share("Share", "n", "total"),
        ),
        notes=(
            "Percent of all answers to questions with this right word (answers/all). unparsed: no option, or several.",
            *data_notes(answers),
        ),
        split_by="Options" if len(answers) else None,
    )
