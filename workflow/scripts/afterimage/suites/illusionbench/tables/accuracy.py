"""Accuracy by category and difficulty, micro over questions: the paper's tables II and III."""

from collections.abc import Mapping, Sequence

import pandas as pd

from afterimage.grading.judge.columns import with_judgements
from afterimage.showing.columns import Text
from afterimage.showing.declaration import Best, Settings, Table
from afterimage.suites.illusionbench.tables.cells import AccuracyCell
from afterimage.suites.illusionbench.tables.columns import COLUMNS, HEADERS, asked, in_column, spans
from afterimage.suites.illusionbench.tables.exact import share
from afterimage.suites.illusionbench.tables.grouping import (
    HUMAN,
    PEOPLE,
    as_frame,
    competes,
    ordered_models,
)
from afterimage.suites.illusionbench.tables.human import human_rows
from afterimage.suites.illusionbench.tables.intervals import ratio_bounds
from afterimage.suites.illusionbench.tables.notes import accuracy_notes

_NONE = float("nan")


def accuracy_table(name: str, title: str, question: str) -> Table:
    """Declare a table of accuracy: the paper's columns, the best model of each in bold.

    Args:
        name: Of the table.
        title: What it shows.
        question: ``true_false`` or ``multiple_choice``.
    """
    return Table(
        name,
        title,
        rows=lambda grades, settings: accuracy_rows(grades, question, settings),
        columns=(
            Text("VLMs", "model"),
            *(AccuracyCell(HEADERS[column], column) for column in COLUMNS),
        ),
        notes=(lambda grades, settings: accuracy_notes(grades, question, settings),),
        best=Best({HEADERS[column]: column for column in COLUMNS}, among=competes),
        group_by="group",
        spans=spans(names=1),
    )


def accuracy_rows(grades: pd.DataFrame, question: str, settings: Settings) -> pd.DataFrame:
    """Count right answers per model and column; unparsed answers are wrong.

    Args:
        grades: Graded answers of all models, factors as columns.
        question: ``true_false`` or ``multiple_choice``.
        settings: "confidence", "resamples", "seed", and ``illusionbench``: ``decided_by``, ``model_groups``,
            ``human_vqa``.

    Returns:
        One row per model, in the order of the groups, and one for people where there are any: ``group``, ``model``, and
        for each column of :data:`columns.COLUMNS` the accuracy (0 to 1; empty without answers), ``_n`` (answers),
        ``_k`` (right ones), ``_unparsed_k``, ``_low`` and ``_high`` (bootstrap over images). People's accuracy is the
        mean of theirs, so that it has no ``_k``.
    """
    answers = verdicts(asked(grades, question), settings["illusionbench"]["decided_by"])
    models = ordered_models(grades, settings)
    people = human_rows(grades, question, settings["illusionbench"].get("human_vqa"))
    rows = [{"group": heading, "model": model} for heading, model in models]
    if people is not None:
        rows.append({"group": PEOPLE, "model": HUMAN})
    for column in COLUMNS:
        identity = f"{question}/{column}"
        own = answers[in_column(answers, column)]
        names = [model for _, model in models]
        bounds = ratio_bounds(own, names, "model", "right", "one", settings, identity)
        cells = {model: _cell(answered) for model, answered in own.groupby("model", sort=False)}
        for row in rows:
            cell = cells.get(row["model"], _cell(own.iloc[:0]))
            low, high = bounds.get(row["model"], (_NONE, _NONE))
            row |= _named(column, cell | {"low": low, "high": high})
        if people is not None:
            said = people[in_column(people, column)]
            rows[-1] |= _named(column, _mean_of_people(said, settings, identity))
    return as_frame(rows)


def verdicts(answers: pd.DataFrame, decided_by: str) -> pd.DataFrame:
    """Return answers with the columns ``right`` and ``one`` (1.0 each), those left out that nobody decided about.

    Args:
        answers: Graded answers.
        decided_by: ``final``, ``judge`` (answers that a judge saw) or ``parser``.
    """
    judged = with_judgements(answers)
    right = judged["correct_final"].astype("boolean")
    if decided_by == "judge":
        right = judged["correct_judge"]
    elif decided_by == "parser":
        # Where nobody else has been asked, the grade itself is the parser's.
        own = right.where((judged["decided_by"] == "parser").to_numpy())
        right = judged["correct_grader"].fillna(own)
    known = judged[right.notna()]
    return known.assign(right=right[right.notna()].astype(float), one=1.0)


def _cell(answers: pd.DataFrame) -> dict[str, float]:
    n, k = len(answers), int(answers["right"].sum())
    return {
        "": share(k, n),
        "n": n,
        "k": k,
        "unparsed_k": int((answers["outcome"] == "unparsed").sum()),
    }


def _mean_of_people(said: pd.DataFrame, settings: Settings, identity: str) -> dict[str, float]:
    """Return the mean of the evaluators' accuracies; each is graded like a model."""
    own: Sequence[float] = said.groupby("evaluator")["right"].mean().tolist()
    weighed = said.assign(share=1.0 / said.groupby("evaluator")["right"].transform("size"))
    pooled = weighed.assign(
        model=HUMAN, right=weighed["right"] * weighed["share"], one=weighed["share"]
    )
    bounds = ratio_bounds(pooled, [HUMAN], "model", "right", "one", settings, identity)[HUMAN]
    return {
        "": sum(own) / len(own) if own else _NONE,
        "n": len(said),
        "k": pd.NA,
        "unparsed_k": int((said["outcome"] == "unparsed").sum()),
        "low": bounds.low,
        "high": bounds.high,
    }


def _named(column: str, cell: Mapping[str, object]) -> dict[str, object]:
    return {f"{column}_{name}" if name else column: value for name, value in cell.items()}
