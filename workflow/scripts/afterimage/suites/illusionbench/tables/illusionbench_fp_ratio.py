"""False positives among the errors in true-or-false questions: the paper's table VI.

One row per model, and those of who does not look, without intervals: ``group``, ``model``, and for each column FP / (FP
+ FN) (empty without errors of either kind), ``_fp_k`` (answered true, key false), ``_fn_k`` (answered false, key true),
``_negatives_n`` and ``_positives_n`` (questions with either key), ``_fp_rate``, ``_fn_rate``, ``_other_k`` (wrong
answers that are neither: unparsed, or read as the key though the verdict is wrong), ``_low`` and ``_high``.
"""

from collections.abc import Iterator

import pandas as pd

from afterimage.showing.columns import Text
from afterimage.showing.composed import PerKind, measured
from afterimage.showing.declaration import PaperForm, Settings, Table
from afterimage.showing.references import GUESSING, MEASURED, REFERENCE
from afterimage.showing.values import Count
from afterimage.suites.illusionbench.names import TRUE_FALSE
from afterimage.suites.illusionbench.tables.accuracy import verdicts
from afterimage.suites.illusionbench.tables.cells import fp_cell
from afterimage.suites.illusionbench.tables.columns import (
    COLUMNS,
    HEADERS,
    UNSEEING,
    by_model,
    per_column,
    spans,
)
from afterimage.suites.illusionbench.tables.exact import Exact, OverImages
from afterimage.suites.illusionbench.tables.in_paper import alone_in_columns, models_and_people
from afterimage.suites.illusionbench.tables.notes import about

#: Both constant answers.
_ALWAYS = {"always true": "True", "always false": "False"}


def _errors(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    return _with_errors(verdicts(TRUE_FALSE, grades, settings))


def _with_errors(answers: pd.DataFrame) -> pd.DataFrame:
    wrong = answers["right"] == 0
    said_true, said_false = (answers["answer"] == said for said in ("True", "False"))
    positive = answers["key"] == "True"
    fp, fn = wrong & said_true & ~positive, wrong & said_false & positive
    return answers.assign(
        **{"fp": fp, "fn": fn, "errors": fp | fn, "other": wrong & ~fp & ~fn},
        **{"positive": positive, "negative": ~positive},
    ).astype(dict.fromkeys(("fp", "fn", "errors"), float))


def _answerers(
    grades: pd.DataFrame, settings: Settings
) -> Iterator[tuple[dict[str, str], pd.DataFrame]]:
    """Part the answers by model; below stands who does not look."""
    yield from by_model(_errors)(grades, settings)
    items = _errors(grades, settings).drop_duplicates("item_id")
    if items.empty:
        return
    unseeing = {"kind": REFERENCE, "group": UNSEEING}
    # Whoever guesses errs in half of the questions of either key.
    guessed = items.assign(fp=items["negative"] / 2, fn=items["positive"] / 2)
    yield {**unseeing, "model": GUESSING}, guessed
    for name, said in _ALWAYS.items():
        right = (items["key"] == said).astype(float)
        yield {**unseeing, "model": name}, _with_errors(items.assign(answer=said, right=right))


_RATIO, _GUESSED = Exact("", "fp", "errors"), Exact("", "negative", "one")
_BLOCK = (
    PerKind({**dict.fromkeys((MEASURED, *_ALWAYS), _RATIO), GUESSING: _GUESSED}),
    *measured(Count("fp_k", "fp"), Count("fn_k", "fn"), also=tuple(_ALWAYS)),
    *(Count("negatives_n", "negative"), Count("positives_n", "positive")),
    *(Exact("fp_rate", "fp", "negative"), Exact("fn_rate", "fn", "positive")),
    *measured(Count("other_k", "other"), also=tuple(_ALWAYS)),
    *measured(OverImages("fp", "errors")),
)


TABLE = Table(
    "illusionbench_fp_ratio",
    "IllusionBench+: false positives among the errors in true-or-false questions (the paper's table VI)",
    rows=(_answerers,),
    csv=("group", "model", *per_column(_BLOCK)),
    columns=(Text("VLMs", "model"), *(fp_cell(HEADERS[column], column) for column in COLUMNS)),
    notes=(
        "FP / (FP + FN) over the errors: FP answered true where false is right, FN the other way round. 1: leans to "
        "true, 0: leans to false. It depends on how many keys are false, so both kinds stand below it out of the "
        "questions in which they can be made.",
        "Without looking: the share of false keys at random, 1 for always true, 0 for always false.",
        "Answers that could not be read are errors of neither kind and counted in the CSV.",
        about(TRUE_FALSE),
    ),
    group_by="group",
    spans=spans(names=1),
    paper=PaperForm(
        "False positives among the errors in true-or-false questions, by category and difficulty (table VI of Zhang et "
        "al.).",
        (Text("VLMs", "model"), *alone_in_columns(fp_cell)),
        models_and_people,
        "FP / (FP + FN); 1: errs towards true, 0: errs towards false.",
        group_by="group",
        spans=spans(names=1),
    ),
)
