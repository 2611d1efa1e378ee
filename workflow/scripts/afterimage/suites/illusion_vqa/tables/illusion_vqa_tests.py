"""Does removing the inducer change the answer? Images against their controls, pair by pair."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from afterimage.errors import AfterimageError
from afterimage.showing.table_layout import Difference, Layout, PValue, Share, Text
from afterimage.statistics.bootstrap import cluster_bootstrap
from afterimage.statistics.paired import mcnemar_exact
from afterimage.suites.illusion_vqa.tables.four_cell_layout import (
    SUBSETS,
    coverage,
    human_notes,
    human_warnings,
)
from afterimage.suites.illusion_vqa.tables.four_cells import classified, in_subset

CAPTION = "Images against their controls: both questions right, pair by pair"


class _Comparison(NamedTuple):
    first: str
    second: str
    subsets: tuple[str, ...]

    @property
    def name(self) -> str:
        return f"{self.first} against {self.second}"


# The genuine comparison has no "conditional" subset: that one selects pairs by the outcome under
# test.
_COMPARISONS = (
    _Comparison("fake", "control_fake", ("all", "conditional", "human_16")),
    _Comparison("genuine", "control_genuine", ("all", "human_16")),
)
_PAIR = ["repeat", "figure", "variant"]
_ESTIMATES = ("first", "second", "difference")
_COLUMNS = [
    "model",
    "prompt",
    "comparison",
    "subset",
    "n",
    "only_first_k",
    "only_second_k",
    "both_k",
    "neither_k",
    "p_value",
    *(f"{name}{end}" for name in _ESTIMATES for end in ("", "_low", "_high")),
    "clusters",
    "resamples",
    "seed",
]


def table(grades: pd.DataFrame, settings: Mapping) -> pd.DataFrame:
    """Compare the share of both-correct images with that of their controls.

    Args:
        grades: Graded answers of all models, factors as columns; all four conditions.
        settings: "confidence", "resamples" and "seed" of the bootstrap.

    Returns:
        One row per model, prompt, comparison and subset: n pairs (an image and its control in one
        repeat); how many were both-correct in the first alone, the second alone, both, neither; the
        exact two-sided McNemar p value; the shares first and second in percent and their difference
        (first minus second, percentage points) with percentile bounds from resampling illusions,
        whose two variants are not independent; the number of illusions and resamples and the seed.
        All intervals rest on the same resamples of illusions. With n = 0 everything undefined is
        NaN.

    Raises:
        AfterimageError: An image has no control or a control no image.
    """
    units = classified(grades)
    rows = []
    for model, of_model in units.groupby("model", sort=False):
        for prompt, of_prompt in of_model.groupby("prompt", sort=False):
            for comparison in _COMPARISONS:
                pairs = _pairs(of_prompt, comparison, model)
                for subset in comparison.subsets:
                    names = {
                        "model": model,
                        "prompt": prompt,
                        "comparison": comparison.name,
                        "subset": subset,
                    }
                    rows.append(names | _tested(in_subset(pairs, subset, of_prompt), settings))
    return pd.DataFrame(rows, columns=_COLUMNS)


def layout(grades: pd.DataFrame, settings: Mapping) -> Layout:
    """Describe the reader's table."""
    prompts = list(grades["prompt"].unique())
    names = [Text("Model", "model")]
    if len(prompts) > 1:
        names.append(Text("Prompt", "prompt"))
    notes = [
        "An image and its control are a pair; first and second are the two sides of the "
        "comparison, in its order.",
        "p: exact two-sided McNemar test on the pairs in which one side alone is both correct; not "
        "adjusted for the number of tests.",
        f"Difference in percentage points. Intervals: {coverage(settings)}, percentile bootstrap "
        f"over illusions ({settings['resamples']} resamples, seed {settings['seed']}).",
        *human_notes(settings),
    ]
    if len(prompts) == 1:
        notes.insert(-1, f"Prompt: {prompts[0]}.")
    return Layout(
        title=CAPTION,
        columns=(
            *names,
            Text("Comparison", "comparison", _comparison_words()),
            Text("Images", "subset", SUBSETS),
            Share("First", _first_k, "n", "first_low", "first_high"),
            Share("Second", _second_k, "n", "second_low", "second_high"),
            Difference("Difference", _first_k, _second_k, "n", "difference_low", "difference_high"),
            Text("First\nalone", "only_first_k", numeric=True),
            Text("Second\nalone", "only_second_k", numeric=True),
            PValue("p", "p_value"),
        ),
        split_by="Comparison",
        notes=tuple(notes),
        warnings=human_warnings(settings),
        csv_formats={"p_value": "%.6g"},
    )


def _pairs(units: pd.DataFrame, comparison: _Comparison, model: str) -> pd.DataFrame:
    first = units[units["condition"] == comparison.first]
    second = units[units["condition"] == comparison.second]
    pairs = first.merge(
        second[[*_PAIR, "cell", "stimulus_id"]],
        on=_PAIR,
        how="outer",
        suffixes=("", "_second"),
        indicator=True,
    )
    single = pairs[pairs["_merge"] != "both"]
    if len(single):
        row = single.iloc[0]
        found = row["stimulus_id"] if row["_merge"] == "left_only" else row["stimulus_id_second"]
        raise AfterimageError(
            f"grades of model '{model}': stimulus {found} has no partner for the comparison "
            f"{comparison.name}; expected grades of all conditions."
        )
    return pairs.assign(
        first=pairs["cell"] == "both_correct", second=pairs["cell_second"] == "both_correct"
    )


def _tested(pairs: pd.DataFrame, settings: Mapping) -> dict[str, object]:
    first, second = pairs["first"].to_numpy(bool), pairs["second"].to_numpy(bool)
    only_first, only_second = int((first & ~second).sum()), int((~first & second).sum())
    row: dict[str, object] = {
        "n": len(pairs),
        "only_first_k": only_first,
        "only_second_k": only_second,
        "both_k": int((first & second).sum()),
        "neither_k": int((~first & ~second).sum()),
        "p_value": mcnemar_exact(only_first, only_second) if len(pairs) else float("nan"),
        "seed": settings["seed"],
    }
    values = {
        "first": first.astype(float),
        "second": second.astype(float),
        "difference": first.astype(float) - second,
    }
    for name in _ESTIMATES:
        estimate = cluster_bootstrap(
            100 * values[name],
            pairs["figure"].to_numpy(),
            np.random.default_rng(settings["seed"]),
            settings["resamples"],
            settings["confidence"],
        )
        row |= {
            name: estimate.estimate,
            f"{name}_low": estimate.low,
            f"{name}_high": estimate.high,
            "clusters": estimate.clusters,
            "resamples": estimate.resamples,
        }
    return row


def _first_k(row: Mapping) -> int:
    return row["both_k"] + row["only_first_k"]


def _second_k(row: Mapping) -> int:
    return row["both_k"] + row["only_second_k"]


def _comparison_words() -> dict[str, str]:
    return {
        comparison.name: comparison.name.replace("_", " of ").replace("against ", "against\n")
        for comparison in _COMPARISONS
    }
