"""Accuracy by category and difficulty, micro over questions: the paper's tables II and III.

One row per model, in the order of the groups, and one for people where there are any: ``group``, ``model``, and for
each column of :data:`columns.COLUMNS` the accuracy (0 to 1; empty without answers), ``_n`` (answers), ``_k`` (right
ones), ``_unparsed_k`` (they are wrong), ``_low`` and ``_high`` (bootstrap over images). People's accuracy is the mean
of theirs, so that it has no ``_k``.
"""

from collections.abc import Iterator
from functools import partial

import pandas as pd

from afterimage.showing.columns import Text
from afterimage.showing.declaration import Best, Settings, Table
from afterimage.showing.judgement_columns import with_judgements
from afterimage.showing.values import Count, answers, outcomes, worked
from afterimage.suites.illusionbench.tables.cells import AccuracyCell
from afterimage.suites.illusionbench.tables.columns import COLUMNS, HEADERS, asked, spans
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
from afterimage.suites.illusionbench.tables.notes import about
from afterimage.suites.illusionbench.tables.wide import (
    Cell,
    block_names,
    by_column,
    named,
    wide_rows,
)

_DECIDED = {
    "parser": "Right or wrong: by the parser.",
    "judge": "Right or wrong: by the judge; answers that no judge saw are left out.",
    "final": "Right or wrong: the final verdict, people's where they reviewed an answer, else the judge's, else the "
    "parser's.",
}
_COUNTS = (answers(), Count("k", "right"), *outcomes())
_CSV = ("group", "model", *block_names(COLUMNS, ("", "n", "k", "unparsed_k")))


def accuracy_table(name: str, title: str, question: str) -> Table:
    """Declare the table of one kind of question, ``true_false`` or ``multiple_choice``; the best models in bold."""
    return Table(
        name,
        title,
        rows=partial(accuracy_rows, question),
        csv=_CSV,
        columns=(
            Text("VLMs", "model"),
            *(AccuracyCell(HEADERS[column], column) for column in COLUMNS),
        ),
        notes=(
            "Right answers out of all, micro over questions. Answers that could not be read are wrong and counted in "
            "the CSV.",
            _decided,
            "Bold: the best model of the column; reference responders and people do not compete.",
            _people_note,
            about(question),
        ),
        best=Best({HEADERS[column]: column for column in COLUMNS}, among=competes),
        group_by="group",
        spans=spans(names=1),
    )


def accuracy_rows(question: str, grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Count right answers to one kind of question per model and column.

    Args:
        question: ``true_false`` or ``multiple_choice``.
        grades: Graded answers of all models, factors as columns.
        settings: "confidence", "resamples", "seed", and ``illusionbench``: ``decided_by``, ``model_groups``,
            ``human_vqa``.
    """
    given = verdicts(asked(grades, question), settings["illusionbench"]["decided_by"])

    def cell(own: pd.DataFrame) -> Cell:
        counts = worked(_COUNTS, own, settings)
        return {"": share(counts["k"], counts["n"]), **counts}

    models = ordered_models(grades, settings)
    rows = wide_rows(by_column(given), models, cell, ("right", "one"), settings, question)
    people = human_rows(grades, question, settings["illusionbench"].get("human_vqa"))
    if people is not None:
        row: dict[str, object] = {"group": PEOPLE, "model": HUMAN}
        for column, said in by_column(people).items():
            row |= named(column, _mean_of_people(said, settings, f"{question}/{column}"))
        rows.append(row)
    return as_frame(rows, _CSV)


def verdicts(given: pd.DataFrame, decided_by: str) -> pd.DataFrame:
    """Return answers with the columns ``right`` and ``one`` (1.0 each), those left out that nobody decided about.

    Args:
        given: Graded answers.
        decided_by: ``final``, ``judge`` (answers that a judge saw) or ``parser``.
    """
    judged = with_judgements(given)
    right = judged["correct_final"].astype("boolean")
    if decided_by == "judge":
        right = judged["correct_judge"]
    elif decided_by == "parser":
        # Where nobody else has been asked, the grade itself is the parser's.
        own = right.where((judged["decided_by"] == "parser").to_numpy())
        right = judged["correct_grader"].fillna(own)
    known = judged[right.notna()]
    return known.assign(right=right[right.notna()].astype(float), one=1.0)


def _mean_of_people(said: pd.DataFrame, settings: Settings, identity: str) -> Cell:
    """Return the mean of the evaluators' accuracies; each is graded like a model."""
    own = said.groupby("evaluator")["right"].mean().tolist()
    weighed = said.assign(share=1.0 / said.groupby("evaluator")["right"].transform("size"))
    pooled = weighed.assign(
        model=HUMAN, right=weighed["right"] * weighed["share"], one=weighed["share"]
    )
    bounds = ratio_bounds(pooled, [HUMAN], "model", "right", "one", settings, identity)[HUMAN]
    return {
        "": sum(own) / len(own) if own else float("nan"),
        **worked((answers(), *outcomes()), said, settings),
        "k": pd.NA,
        **bounds._asdict(),
    }


def _decided(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
    yield _DECIDED[settings["illusionbench"]["decided_by"]]


def _people_note(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
    if settings["illusionbench"].get("human_vqa") is not None:
        yield f"{HUMAN}: mean of the people's accuracies; n is the number of their answers."
