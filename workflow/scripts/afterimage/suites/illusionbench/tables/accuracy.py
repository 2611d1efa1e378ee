"""Accuracy by category and difficulty, micro over questions: the paper's tables II and III.

One row per model, in the order of the groups, and one for people where there are any: ``group``, ``model``, and for
each column of :data:`columns.COLUMNS` the accuracy (0 to 1; empty without answers), ``_n`` (answers), ``_k`` (right
ones), ``_unparsed_k`` (they are wrong), of these ``_cut_off_k`` and ``_refused_k``, ``_low`` and ``_high``, whose
clusters are images. People's accuracy is the mean of theirs, so that it has no ``_k``.
"""

from collections.abc import Iterator
from functools import partial

import pandas as pd

from afterimage.showing.bounds import UNDEFINED, mean_of_groups
from afterimage.showing.columns import Text
from afterimage.showing.composed import PerKind, measured
from afterimage.showing.declaration import Best, Settings, Span, Split, Table
from afterimage.showing.judgement_columns import with_judgements
from afterimage.showing.outcomes import unparsed
from afterimage.showing.references import MEASURED
from afterimage.showing.values import (
    Count,
    Group,
    Value,
    Worked,
    answers,
    outcomes,
)
from afterimage.suites.illusionbench.tables.cells import accuracy_cell
from afterimage.suites.illusionbench.tables.columns import (
    ALL,
    COLUMNS,
    HEADERS,
    asked,
    per_column,
    spans,
)
from afterimage.suites.illusionbench.tables.exact import Exact
from afterimage.suites.illusionbench.tables.grouping import HUMAN, PEOPLE, by_model, competes
from afterimage.suites.illusionbench.tables.human import human_rows
from afterimage.suites.illusionbench.tables.intervals import OverImages
from afterimage.suites.illusionbench.tables.notes import about

_DECIDED = {
    "parser": "Right or wrong: by the parser.",
    "judge": "Right or wrong: by the judge; answers that no judge saw are left out.",
    "final": "Right or wrong: the final verdict, people's where they reviewed an answer, else the judge's, else the "
    "parser's.",
}


def accuracy_table(name: str, title: str, question: str) -> Table:
    """Declare the table of one kind of question, ``true_false`` or ``multiple_choice``; the best models in bold."""
    return Table(
        name,
        title,
        rows=(answerers(question),),
        csv=("group", "model", *per_column(_block)),
        columns=(
            Text("VLMs", "model"),
            *(accuracy_cell(HEADERS[column], column) for column in COLUMNS),
            unparsed(f"{ALL}_"),
        ),
        notes=(
            "Right answers out of all, micro over questions. Answers that could not be read are wrong, of all columns "
            "counted in the last, of each in the CSV.",
            _decided,
            "Bold: the best model of the column; reference responders and people do not compete.",
            _people_note,
            about(question),
        ),
        best=Best({HEADERS[column]: column for column in COLUMNS}, among=competes),
        group_by="group",
        spans=(*spans(names=1), Span("", 1)),
    )


def _block(column: str) -> tuple[Value, ...]:
    return (
        mean_right(""),
        answers(),
        *measured(Count("k", "right")),
        *outcomes(),
        PerKind(
            {MEASURED: OverImages("right", "one"), PEOPLE: Worked(("low", "high"), _people_bounds)}
        ),
    )


def answerers(question: str) -> Split:
    """Part the answers to one kind of question by who gave them: models, and people as the last row."""

    def split(
        grades: pd.DataFrame, settings: Settings
    ) -> Iterator[tuple[dict[str, str], pd.DataFrame]]:
        yield from by_model(partial(verdicts, question))(grades, settings)
        people = human_rows(grades, question, settings["illusionbench"].get("human_vqa"))
        if people is not None:
            yield {"role": PEOPLE, "group": PEOPLE, "model": HUMAN}, people

    return split


def mean_right(name: str) -> PerKind:
    """Return the share of right answers; of people the mean of theirs, since each is graded like a model."""
    return PerKind({MEASURED: Exact(name, "right"), PEOPLE: Worked((name,), _mean_of_people)})


def verdicts(question: str, grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Return the answers to one kind of question with the columns ``right`` and ``one`` (1.0 each).

    Args:
        question: ``true_false`` or ``multiple_choice``.
        grades: Graded answers.
        settings: In "illusionbench" ``decided_by``: ``final``, ``judge`` (answers that a judge saw) or ``parser``;
            answers about which that one did not decide are left out.
    """
    judged = with_judgements(asked(grades, question))
    decided_by = settings["illusionbench"]["decided_by"]
    right = judged["correct_final"].astype("boolean")
    if decided_by == "judge":
        right = judged["correct_judge"]
    elif decided_by == "parser":
        # Where nobody else has been asked, the grade itself is the parser's.
        own = right.where((judged["decided_by"] == "parser").to_numpy())
        right = judged["correct_grader"].fillna(own)
    known = judged[right.notna()]
    return known.assign(right=right[right.notna()].astype(float), one=1.0)


def _people_bounds(group: Group) -> tuple[float, float]:
    """Return the bounds of the mean over people: whoever answered many questions weighs no more than others."""
    each = [own for _, own in group.answers.groupby("evaluator")]
    if not each:
        return UNDEFINED
    mean = mean_of_groups([(own["right"], own["stimulus_id"]) for own in each], group.settings)
    return mean.low, mean.high


def _mean_of_people(group: Group) -> tuple[float]:
    own = group.answers.groupby("evaluator")["right"].mean().tolist()
    return (sum(own) / len(own) if own else float("nan"),)


def _decided(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
    yield _DECIDED[settings["illusionbench"]["decided_by"]]


def _people_note(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
    if settings["illusionbench"].get("human_vqa") is not None:
        yield f"{HUMAN}: mean of the people's accuracies; n is the number of their answers."
