"""Is one model better than another? Pairs of models on the same questions."""

from collections.abc import Mapping
from itertools import combinations

import pandas as pd

from afterimage.showing.table_layout import Difference, Layout, PValue, Text
from afterimage.statistics.paired import mcnemar_exact
from afterimage.suites.texture.tables.answers import SIZES, data_notes, of_task

_COLUMNS = (
    "choices",
    "prompt",
    "first",
    "second",
    "n",
    "both_k",
    "only_first_k",
    "only_second_k",
    "neither_k",
    "p_value",
)


def table(grades: pd.DataFrame, settings: Mapping) -> pd.DataFrame:
    """Compare every two models on the questions that both answered.

    Args:
        grades: Graded answers of all models, factors as columns.
        settings: Not used.

    Returns:
        One row per number of options, prompt and pair of models: ``n`` questions (times repeats), how many were
        right in both, the first alone, the second alone and neither, and McNemar's exact two-sided p value.
    """
    answers = of_task(grades, "classification")
    rows = []
    for size in SIZES:
        of_size = answers[answers["choices"] == str(size)]
        for prompt, asked in of_size.groupby("prompt", sort=False):
            right = asked.pivot_table(
                index=["item", "repeat"], columns="model", values="correct", sort=False
            )
            models = [model for model in asked["model"].unique() if model in right]
            for first, second in combinations(models, 2):
                both = right[[first, second]].dropna().astype(bool)
                rows.append(
                    {"choices": size, "prompt": prompt, "first": first, "second": second}
                    | _counts(both[first], both[second])
                )
    return pd.DataFrame(rows, columns=list(_COLUMNS))


def layout(grades: pd.DataFrame, settings: Mapping) -> Layout:
    """Describe the reader's table."""
    answers = of_task(grades, "classification")
    names = [Text("Options", "choices", numeric=True)]
    if answers["prompt"].nunique() > 1:
        names.append(Text("Prompt", "prompt"))
    return Layout(
        title="Texture, classification: models against each other, question by question",
        columns=(
            *names,
            Text("First", "first"),
            Text("Second", "second"),
            Text("n", "n", numeric=True),
            Difference("Difference", "only_first_k", "only_second_k", "n", decimals=2),
            Text("First\nalone", "only_first_k", numeric=True),
            Text("Second\nalone", "only_second_k", numeric=True),
            PValue("p", "p_value"),
        ),
        notes=(
            "Difference of the accuracies in percentage points, first minus second.",
            "p: McNemar's exact two-sided test on the questions that one of the two alone gets right; not adjusted "
            "for the number of tests.",
            *data_notes(answers),
        ),
        split_by="Options" if len(answers) else None,
        csv_formats={"p_value": "%.6g"},
    )


def _counts(first: pd.Series, second: pd.Series) -> dict:
    only_first, only_second = int((first & ~second).sum()), int((second & ~first).sum())
    return {
        "n": len(first),
        "both_k": int((first & second).sum()),
        "only_first_k": only_first,
        "only_second_k": only_second,
        "neither_k": int((~first & ~second).sum()),
        "p_value": mcnemar_exact(only_first, only_second),
    }
