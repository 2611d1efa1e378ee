"""False positives among the errors in true-or-false questions: the paper's table VI.

One row per model: ``group``, ``model``, and for each column FP / (FP + FN) (empty without errors of either kind),
``_fp_k`` (answered true, key false), ``_fn_k`` (answered false, key true), ``_negatives_n`` and ``_positives_n``
(questions with either key), ``_fp_rate``, ``_fn_rate``, ``_other_k`` (wrong answers that are neither: unparsed, or read
as the key though the verdict is wrong), ``_low`` and ``_high``.
"""

import pandas as pd

from afterimage.showing.columns import Text
from afterimage.showing.declaration import Settings, Table
from afterimage.suites.illusionbench.names import TRUE_FALSE
from afterimage.suites.illusionbench.tables.accuracy import verdicts
from afterimage.suites.illusionbench.tables.cells import FpCell
from afterimage.suites.illusionbench.tables.columns import COLUMNS, HEADERS, asked, spans
from afterimage.suites.illusionbench.tables.exact import share
from afterimage.suites.illusionbench.tables.grouping import as_frame, ordered_models
from afterimage.suites.illusionbench.tables.notes import about
from afterimage.suites.illusionbench.tables.wide import Cell, block_names, by_column, wide_rows

_PARTS = ("", "fp_k", "fn_k", "negatives_n", "positives_n", "fp_rate", "fn_rate", "other_k")
_CSV = ("group", "model", *block_names(COLUMNS, _PARTS))


def _rows(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    answers = verdicts(asked(grades, TRUE_FALSE), settings["illusionbench"]["decided_by"])
    wrong = answers["right"] == 0
    said_true, said_false = (answers["answer"] == said for said in ("True", "False"))
    key_true = answers["key"] == "True"
    answers = answers.assign(
        fp=(wrong & said_true & ~key_true).astype(float),
        fn=(wrong & said_false & key_true).astype(float),
        key_true=key_true,
        wrong=wrong,
    )
    answers["errors"] = answers["fp"] + answers["fn"]
    models = ordered_models(grades, settings)
    rows = wide_rows(
        by_column(answers), models, _cell, ("fp", "errors"), settings, identity="fp_ratio"
    )
    return as_frame(rows, _CSV)


def _cell(answers: pd.DataFrame) -> Cell:
    fp, fn = int(answers["fp"].sum()), int(answers["fn"].sum())
    positives = int(answers["key_true"].sum())
    negatives = len(answers) - positives
    return {
        "": share(fp, fp + fn),
        "fp_k": fp,
        "fn_k": fn,
        "negatives_n": negatives,
        "positives_n": positives,
        "fp_rate": share(fp, negatives),
        "fn_rate": share(fn, positives),
        "other_k": int(answers["wrong"].sum()) - fp - fn,
    }


TABLE = Table(
    "illusionbench_fp_ratio",
    "IllusionBench+: false positives among the errors in true-or-false questions (the paper's table VI)",
    rows=_rows,
    csv=_CSV,
    columns=(Text("VLMs", "model"), *(FpCell(HEADERS[column], column) for column in COLUMNS)),
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
