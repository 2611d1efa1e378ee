"""Choosing the word that fits: the paper's table 1."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd
from scipy.stats import binomtest

from afterimage.showing.rounding import NOT_AVAILABLE, percent, rounded
from afterimage.showing.table_layout import Layout, PValue, Text
from afterimage.statistics.intervals import wilson_interval
from afterimage.suites.texture.people import People, read_classified
from afterimage.suites.texture.tables.answers import SIZES, by_model, data_notes, of_task

RANDOM, HUMAN = "Random", "Human"
_DECIMALS = 2
#: What is given for each number of options.
_PARTS = (
    "n",
    "k",
    "accuracy",
    "low",
    "high",
    "p_value",
    "unparsed_k",
    "digit_only_k",
    "digit_only_right_k",
    *(f"answer_{number}" for number in range(5)),
)
_COLUMNS = (
    "kind",
    "model",
    "prompt",
    "annotators",
    *(f"choose_{size}_{part}" for size in SIZES for part in _PARTS),
)


@dataclass(frozen=True)
class Accuracy:
    """Percent as the paper prints it, with its counts and its interval.

    Attributes:
        header: What stands above the column.
        size: Number of options.
    """

    header: str
    size: int
    numeric: bool = True

    def cell(self, row: Mapping) -> str:
        """Print the accuracy of one row: ``81.19 (272/335)``, ``[76.7, 85.0]``."""
        part = {name: row[f"choose_{self.size}_{name}"] for name in _PARTS}
        if pd.isna(part["accuracy"]):
            if row["kind"] == "human" and self.size == SIZES[-1]:
                return "awaited"
            return NOT_AVAILABLE if row["kind"] == "measured" else "–"
        if pd.isna(part["k"]):
            return rounded(part["accuracy"], _DECIMALS)
        bounds = f"\n[{rounded(part['low'], 1)}, {rounded(part['high'], 1)}]"
        k, n = int(part["k"]), int(part["n"])
        return f"{percent(k, n, _DECIMALS)} ({k}/{n}){bounds}"


def table(grades: pd.DataFrame, settings: Mapping) -> pd.DataFrame:
    """Count right answers by model and number of options.

    Args:
        grades: Graded answers of all models, factors as columns.
        settings: "confidence", and in "texture" the files "classified" with people's answers.

    Returns:
        Rows "Random", "Human" (mean over annotators of each one's accuracy; empty while nobody has
        answered), one for each annotator, and one for each model and prompt; ``kind`` tells them apart. For
        each number of options N, columns ``choose_N_*``: ``n`` items (times repeats), ``k`` right ones, ``accuracy`` in
        percent with its Wilson bounds ``low`` and ``high``; ``p_value``, exact two-sided binomial test against 1/N;
        ``unparsed_k`` answers that could not be read (wrong); ``digit_only_k`` answers that are a number and
        nothing else, ``digit_only_right_k`` right ones of them; ``answer_0`` and so on, how often each place
        was chosen.
    """
    answers = of_task(grades, "classification")
    rows = [_random(), *_human_rows(_people(answers, settings), answers, settings)]
    for model, prompt, own in by_model(answers):
        row: dict = {"kind": "measured", "model": model, "prompt": prompt}
        for size in SIZES:
            row |= _of_size(own[own["choices"] == str(size)], size, settings["confidence"])
        rows.append(row)
    frame = pd.DataFrame(rows, columns=list(_COLUMNS))
    for size in SIZES:
        counts = ["n", "k", "unparsed_k", "digit_only_k", "digit_only_right_k"]
        counts += [f"answer_{number}" for number in range(5)]
        whole = [f"choose_{size}_{part}" for part in counts]
        frame[whole] = frame[whole].astype("Int64")
        shares = [f"choose_{size}_{part}" for part in ("accuracy", "low", "high", "p_value")]
        frame[shares] = frame[shares].astype(float)
    return frame.astype({"annotators": "Int64"})


def layout(grades: pd.DataFrame, settings: Mapping) -> Layout:
    """Describe the reader's table, in the form of the paper's table 1."""
    answers = of_task(grades, "classification")
    people = _people(answers, settings)
    columns: list = [Text("モデル", "model")]
    if answers["prompt"].nunique() > 1:
        columns.append(Text("Prompt", "prompt"))
    for size in SIZES:
        columns += [
            Accuracy(f"{size} 択問題", size),
            PValue(f"p ({size})", f"choose_{size}_p_value"),
            Optional(f"Unparsed ({size})", f"choose_{size}_unparsed_k"),
            Optional(f"Digit alone ({size})", f"choose_{size}_digit_only_k"),
        ]
    return Layout(
        title="Texture, classification: choosing the word that fits (paper, table 1)",
        columns=tuple(columns),
        notes=(*_notes(answers, people, settings), *data_notes(answers)),
        csv_formats={f"choose_{size}_p_value": "%.6g" for size in SIZES},
        contested={f"{size} 択問題": f"choose_{size}_accuracy" for size in SIZES},
        contest=lambda row: row["kind"] == "measured",
    )


@dataclass(frozen=True)
class Optional:
    """A count that not every row has; empty where it is missing."""

    header: str
    column: str
    numeric: bool = True

    def cell(self, row: Mapping) -> str:
        """Print the count of one row."""
        return "" if pd.isna(row[self.column]) else str(row[self.column])


def _of_size(own: pd.DataFrame, size: int, confidence: float) -> dict:
    n, k = len(own), int(own["correct"].sum())
    bounds = wilson_interval(k, n, confidence)
    chosen = own["answer"].value_counts()
    strict = own["readings"].map(lambda readings: readings["strict_digit"])
    values = {
        "n": n,
        "k": k,
        "accuracy": 100 * k / n if n else math.nan,
        "low": 100 * bounds.low,
        "high": 100 * bounds.high,
        "p_value": binomtest(k, n, 1 / size).pvalue if n else math.nan,
        "unparsed_k": int((own["outcome"] == "unparsed").sum()),
        "digit_only_k": int((strict != "").sum()),
        "digit_only_right_k": int((strict == own["key"]).sum()),
        **{f"answer_{number}": int(chosen.get(str(number), 0)) for number in range(size)},
    }
    return {f"choose_{size}_{part}": value for part, value in values.items()}


def _random() -> dict:
    shares = {f"choose_{size}_accuracy": 100 / size for size in SIZES}
    return {"kind": "reference", "model": RANDOM, "prompt": "", **shares}


def _people(answers: pd.DataFrame, settings: Mapping) -> People:
    return read_classified(settings["texture"]["classified"], set(answers["item"]))


def _human_rows(people: People, answers: pd.DataFrame, settings: Mapping) -> list[dict]:
    asked = answers.drop_duplicates("item").set_index("item")
    right: dict[str, dict[int, list[bool]]] = {}
    for (item,), said in people.answers.items():
        size, key = int(asked.loc[item, "choices"]), int(asked.loc[item, "key"])
        for name, option in said.items():
            right.setdefault(name, {}).setdefault(size, []).append(option == key)
    mean: dict = {"kind": "human", "model": HUMAN, "prompt": "", "annotators": len(right)}
    rows = []
    for name in sorted(right):
        row: dict = {"kind": "annotator", "model": f"{HUMAN}: {name}", "prompt": ""}
        for size, given in right[name].items():
            n, k = len(given), sum(given)
            bounds = wilson_interval(k, n, settings["confidence"])
            values = {"n": n, "k": k, "accuracy": 100 * k / n}
            values |= {"low": 100 * bounds.low, "high": 100 * bounds.high}
            row |= {f"choose_{size}_{part}": value for part, value in values.items()}
        rows.append(row)
    for size in SIZES:
        single = [row[f"choose_{size}_accuracy"] for row in rows if f"choose_{size}_n" in row]
        if single:
            mean[f"choose_{size}_accuracy"] = math.fsum(single) / len(single)
    return [mean, *rows]


def _notes(answers: pd.DataFrame, people: People, settings: Mapping) -> list[str]:
    coverage = f"{100 * settings['confidence']:.10g} %"
    asked = answers.drop_duplicates("item")["choices"].value_counts()
    numbers = ", ".join(f"{asked.get(str(size), 0)} with {size} options" for size in SIZES)
    notes = [
        f"正解率 (accuracy) in percent (right/items) and Wilson {coverage} interval; items: {numbers} (the paper: 335 "
        "each). Bold: the best model.",
        "p: exact two-sided binomial test against guessing; not adjusted for the number of tests.",
        "Unparsed: answers that name no option or several; they count as wrong. Digit alone: answers that are the "
        "number of an option and nothing else, as the prompt asks.",
    ]
    if people.answers:
        notes.append(
            "Human: mean over annotators of each one's accuracy; below it each annotator, over the items answered."
        )
    elif len(answers):
        notes.append(
            "Human: awaited; people have not answered yet (pages results/human/forms/texture/classify-*.html)."
        )
    for count, what in (
        (people.simulated, "simulated answers are left out of the row Human"),
        (people.unknown, "of people's answers are about no item of this run and are left out"),
        (people.repeated, "of people's answers are replaced by later ones of the same annotator"),
    ):
        if count:
            notes.append(f"{count} {what}.")
    repeats = answers["repeat"].nunique()
    if repeats > 1:
        notes.append(f"Answers of {repeats} repeats are pooled as if they were independent.")
    return notes
