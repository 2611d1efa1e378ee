"""The cells of IllusionBench+'s printed numbers."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypedDict

from afterimage.contract.paper import CellRef, Number, Size, nowhere
from afterimage.suites.illusionbench.names import CATEGORIES

_SUITE = "illusionbench"
_TF, _MCQ, _FP = "illusionbench_tf", "illusionbench_mcq", "illusionbench_fp_ratio"
_SCORES, _STEPS = "illusionbench_description", "illusionbench_step_by_step"
_DETAIL, _DATA = "illusionbench_description_detail", "illusionbench_data"
_VALIDATION = "illusionbench_judge_validation"
#: Groups of images by their scores have no sizes to compare; the table of all scores does.
_ALL_DESCRIBED: Mapping[str, Any] = {"asked": {"semantic_asked": 1051}, "asked_in": _SCORES}
_TABLES = (_TF, _MCQ, _FP, _SCORES, _STEPS, _DETAIL, _DATA, _VALIDATION)
#: The paper's types of question as the study's tables name them.
_TYPES = {
    "semantic_content": "semantic",
    "visual_illusion": "illusion",
    "step_by_step": "step_by_step",
    "all": "all",
}
_BIN_COLUMNS = {
    "semantic_score_mean": "semantic",
    "step_by_step_score_mean": "step_by_step",
    "step_by_step_change": "change",
}
_PERCENT = 100.0
#: Metric to chart, series and letter of the axes in the table of the radar charts.
_RADAR = {
    "accuracy_tf": ("perception", "T/F", "P"),
    "accuracy_mcq": ("perception", "Mul", "P"),
    "description_score_mean_semantic_content": ("description", "Sem", "D"),
    "description_score_mean_visual_illusion": ("description", "Illu", "D"),
}
_CATEGORIES = ("ishihara", "no_illusion", "real_scene")
#: Per category, worked out from the printed shares: images, false statements, true ones, multiple-choice questions.
_SIZES = {
    "classical": (164, 202, 142, 532),
    "real_scene": (597, 769, 557, 1958),
    "no_illusion": (245, 254, 229, 737),
    "ishihara": (26, 27, 25, 78),
    "trap": (19, 18, 20, 57),
}
_IMAGES = sum(images for images, *_ in _SIZES.values())
_COUNTS_ASKED = {
    _TF: {f"{name}_n": false + true for name, (_, false, true, _) in _SIZES.items()},
    _MCQ: {f"{name}_n": choices for name, (*_, choices) in _SIZES.items()},
    _FP: {
        column: count
        for name, (_, false, true, _) in _SIZES.items()
        for column, count in ((f"{name}_negatives_n", false), (f"{name}_positives_n", true))
    },
    _DETAIL: {f"{name}_asked": images for name, (images, *_) in _SIZES.items()},
}


_STATEMENTS = sum(false + true for _, false, true, _ in _SIZES.values())
_IN_ALL: Mapping[str, Any] = {"model": "total", "named_in": "category", "is_count": True}
#: Numbers of running text: the share of false statements, and how many words a golden description has.
_IN_TEXT = {
    "answer_false_share": CellRef(
        _DATA,
        "false_share",
        k="false_k",
        n=("statements",),
        asked={"statements": _STATEMENTS},
        **_IN_ALL,
    ),
    "mean_description_words": CellRef(
        _DATA, "golden_words", n=("goldens",), asked={"goldens": _IMAGES}, **_IN_ALL
    ),
}
#: The two people's correlations with the judge: each scored the descriptions by three models of 100 images.
_EVALUATORS = {"judge_human_1": "1", "judge_human_2": "2"}
_CORRELATION = CellRef(
    _VALIDATION,
    "rho",
    {"question_type": "all"},
    n=("n",),
    low="rho_low",
    high="rho_high",
    named_in="number",
    models=("gpt-4o", "gemini-1.5-pro", "qwen-vl-plus"),
    asked={"images": 100, "models": 3},
    needs="needs people's scores of the descriptions that a judge scored (docs/judging.md)",
)


def cell(number: Number) -> CellRef | None:
    """Return the cell of an accuracy, a ratio, a score or a number of running text; the release has no known hash."""
    reference = _cell(number)
    return reference and replace(reference, data=("release",))


def _cell(number: Number) -> CellRef | None:
    metric, subset = number.metric, number.subset
    if number.table == "text" and metric == "srcc":
        return replace(_CORRELATION, model=_EVALUATORS[subset])
    if number.table == "text" and metric in _IN_TEXT:
        return _IN_TEXT[metric]
    if metric.startswith(("accuracy_tf", "accuracy_mcq")):
        return _accuracy(number, _TF if metric.startswith("accuracy_tf") else _MCQ)
    if metric == "fp_ratio":
        errors = (f"{subset}_fp_k", f"{subset}_fn_k")
        return CellRef(
            _FP, subset, k=errors[0], n=errors, asked=_COUNTS_ASKED[_FP], **_bounds(subset)
        )
    if number.table == "table4":
        kind = _TYPES[subset]
        counts = {f"{kind}_asked": _IMAGES * (3 if kind == "all" else 1)}
        if metric.endswith("_std"):
            return CellRef(_SCORES, f"{kind}_sd", n=(f"{kind}_n",), asked=counts)
        deviation = f"{kind}_sd"
        return CellRef(
            _SCORES, kind, n=(f"{kind}_n",), asked=counts, deviation=deviation, **_bounds(kind)
        )
    if number.table == "table5":
        column = f"{subset}_{_BIN_COLUMNS[metric]}"
        bounds: _Bounds = _bounds(column) if metric == "step_by_step_change" else {}
        return CellRef(_STEPS, column, n=(f"{subset}_n",), **_ALL_DESCRIBED, **bounds)
    if metric == "max_step_by_step_gain":
        column = f"{subset}_change"
        return CellRef(_STEPS, column, n=(f"{subset}_n",), **_ALL_DESCRIBED, **_bounds(column))
    if number.table == "table7":
        kind = _TYPES[metric.removeprefix("description_score_mean_")]
        times = 3 if kind == "all" else 1
        return CellRef(
            _DETAIL,
            subset,
            {"question_type": kind},
            n=(f"{subset}_n",),
            deviation=f"{subset}_sd",
            asked={column: times * count for column, count in _COUNTS_ASKED[_DETAIL].items()},
            **_bounds(subset),
        )
    return None


def quoted(number: Number) -> tuple[CellRef, ...]:
    """Return the cells of a result: in its own table, and of a category in that of the radar charts."""
    reference = cell(number) if number.is_result else None
    if reference is None:
        return ()
    if number.metric not in _RADAR or number.subset not in CATEGORIES:
        return (reference,)
    chart, series, letter = _RADAR[number.metric]
    axis = f"{letter}{1 + CATEGORIES.index(number.subset)}"
    rows = {"chart": chart, "series": series, "axis": axis, "category": number.subset}
    return (
        reference,
        CellRef("illusionbench_radar", "value", rows, n=("n",), model=reference.model),
    )


#: No recorded answers of this paper are known.
recorded = nowhere


def size(number: Number) -> Size | None:
    if number.metric != "n_images" or number.model != "none":
        return None
    if number.subset == "all":
        return Size(_SUITE, table=_TF)
    if number.subset in _CATEGORIES:
        return Size(_SUITE, matching={"figure": number.subset}, table=_TF)
    if number.subset == "illusion":
        return Size(_SUITE, matching={"figure": "classical|real_scene|trap"}, table=_TF)
    return None


def missing(settings: Mapping[str, Any]) -> dict[str, str]:
    """Return the tables that cannot be compared: all, where the images are the drawn ones."""
    if settings["source"] != "drawn":
        return {}
    reason = (
        "data absent: the study uses drawn images; IllusionBench+ is to be fetched from its authors and named by the "
        "config key 'suites.illusionbench.source' (docs/illusionbench.md)"
    )
    return dict.fromkeys(_TABLES, reason)


def _accuracy(number: Number, table: str) -> CellRef:
    column = number.subset
    return CellRef(
        table,
        column,
        k=f"{column}_k",
        n=(f"{column}_n",),
        factor=_PERCENT if number.unit == "percent" else 1.0,
        model="Human" if number.model == "human" else "",
        # People were shown 200 of the images; which, and how many of each category, is not printed.
        asked={} if number.model == "human" else _COUNTS_ASKED[table],
        **_bounds(column),
    )


class _Bounds(TypedDict, total=False):
    low: str
    high: str


def _bounds(column: str) -> _Bounds:
    return {"low": f"{column}_low", "high": f"{column}_high"}
