"""False positives among the errors in true-or-false questions: the paper's table VI.

One row per model: ``group``, ``model``, and for each column FP / (FP + FN) (empty without errors of either kind),
``_fp_k`` (answered true, key false), ``_fn_k`` (answered false, key true), ``_negatives_n`` and ``_positives_n``
(questions with either key), ``_fp_rate``, ``_fn_rate``, ``_other_k`` (wrong answers that are neither: unparsed, or read
as the key though the verdict is wrong), ``_low`` and ``_high``.
"""

import pandas as pd

from afterimage.showing.columns import Text
from afterimage.showing.declaration import Settings, Table
from afterimage.showing.values import Count, Value
from afterimage.suites.illusionbench.names import TRUE_FALSE
from afterimage.suites.illusionbench.tables.accuracy import verdicts
from afterimage.suites.illusionbench.tables.cells import fp_cell
from afterimage.suites.illusionbench.tables.columns import COLUMNS, HEADERS, per_column, spans
from afterimage.suites.illusionbench.tables.exact import Exact
from afterimage.suites.illusionbench.tables.grouping import by_model
from afterimage.suites.illusionbench.tables.intervals import OverImages
from afterimage.suites.illusionbench.tables.notes import about


def _errors(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    answers = verdicts(TRUE_FALSE, grades, settings)
    wrong = answers["right"] == 0
    said_true, said_false = (answers["answer"] == said for said in ("True", "False"))
    positive = answers["key"] == "True"
    fp, fn = wrong & said_true & ~positive, wrong & said_false & positive
    return answers.assign(
        **{"fp": fp, "fn": fn, "errors": fp | fn, "other": wrong & ~fp & ~fn},
        **{"positive": positive, "negative": ~positive},
    ).astype(dict.fromkeys(("fp", "fn", "errors"), float))


def _block(column: str) -> tuple[Value, ...]:
    return (
        Exact("", "fp", "errors"),
        *(Count("fp_k", "fp"), Count("fn_k", "fn")),
        *(Count("negatives_n", "negative"), Count("positives_n", "positive")),
        *(Exact("fp_rate", "fp", "negative"), Exact("fn_rate", "fn", "positive")),
        Count("other_k", "other"),
        OverImages("fp", "errors"),
    )


TABLE = Table(
    "illusionbench_fp_ratio",
    "IllusionBench+: false positives among the errors in true-or-false questions (the paper's table VI)",
    rows=(by_model(_errors),),
    csv=("group", "model", *per_column(_block)),
    columns=(Text("VLMs", "model"), *(fp_cell(HEADERS[column], column) for column in COLUMNS)),
    notes=(
        "FP / (FP + FN) over the errors: FP answered true where false is right, FN the other way round. 1: leans to "
        "true, 0: leans to false. It depends on how many keys are false, so both kinds stand below it out of the "
        "questions in which they can be made.",
        "Answers that could not be read are errors of neither kind and counted in the CSV.",
        about(TRUE_FALSE),
    ),
    group_by="group",
    spans=spans(names=1),
)
