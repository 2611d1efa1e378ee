"""One entry for each printed number: what was printed, what a study has, and why it has nothing."""

from collections.abc import Iterable, Mapping
from importlib import import_module

from afterimage.contract.paper import Number, Paper
from afterimage.ledger.absence import why_not
from afterimage.ledger.cells import Cell, Files
from afterimage.ledger.uncertainty import Published, agrees

MEASURED, RECORDED, NOT_RUN = "measured", "recorded", "not_run"
NOT_A_RESULT = "not_a_result"
STATUSES = (MEASURED, RECORDED, NOT_RUN, NOT_A_RESULT)

#: What is known of a printed number, column to its meaning; the first five are its name.
_PRINTED = {
    "paper": "the paper",
    "table": "its table; `text` for running text",
    "model": "as printed; `none` for a fact, `random` for chance, `human` for people",
    "subset": "which column or part",
    "metric": "what is measured",
    "published": "the printed digits",
    "unit": "`percent`, `fraction`, `score_0_2` or `count`",
    "denominator": "over how many; empty where the digits do not say",
    "attainable_k": "a count that prints as the value; empty where there is none",
    "misprint": "what is impossible about the number, and what fits",
}
#: The ledger's columns.
COLUMNS = {
    **_PRINTED,
    "value": "this study's value in the published unit",
    "k": "its count, as its table has it",
    "n": "its denominator",
    "low": "lower bound of its interval",
    "high": "upper bound",
    "agrees": "`yes` or `no`: does the value lie in the published number's own interval?",
    "source_file": "the file that holds it",
    "status": "`measured`, `recorded`, `not_run` or `not_a_result`",
    "reason": "why there is no value",
    "measured_model": "the row's name in the file",
    "published_low": "the published number's own interval",
    "published_high": "its upper bound",
    "published_interval": "where that interval comes from",
}
_DECIMALS = 4
_NO_TABLE = "people's modal answers are counted in no table of a study"
_QUOTED = ("ai2d", "chartqa", "docvqa", "primitive_shape", "hallusionbench")


def entries(
    numbers: Iterable[Number], everything: Iterable[Number], spec: Mapping, files: Files
) -> list[dict[str, str]]:
    """Return the entries of these numbers.

    Args:
        numbers: Which numbers.
        everything: All printed numbers: a number's own uncertainty may rest on others.
        spec: As :meth:`planning.Ledger.spec` returns it.
        files: The tables that the job got.

    Returns:
        One mapping per number with the keys :data:`COLUMNS`; what is not there is "". ``value``, ``low`` and ``high``
        are in the published unit, with up to four decimals.
    """
    published = Published(everything, spec["confidence"])
    return [_entry(number, spec["papers"][number.paper], files, published) for number in numbers]


def _entry(number: Number, state: Mapping, files: Files, published: Published) -> dict[str, str]:
    entry = dict.fromkeys(COLUMNS, "") | {name: getattr(number, name) for name in _PRINTED}
    paper: Paper = import_module(state["part"])
    place = paper.place(number)
    if place is None and not number.is_result:
        return entry | _fact(number, state, files, paper)
    bounds = published.uncertainty(number)
    entry |= {
        "published_low": _printed(bounds.low),
        "published_high": _printed(bounds.high),
        "published_interval": bounds.method,
    }
    reason = _NO_TABLE if place is None else why_not(number, place, state)
    if not reason:
        model = place.model or state["models"][number.model]["name"]
        cell = files.cell(place.file, place, model) if files.has(place.file) else None
        if cell is not None:
            return entry | _found(cell, MEASURED, place.file, model, bounds)
        reason = f"{place.file} has no value of {model} for it"
    spot = paper.recorded(number) if state["recorded"] else None
    if spot is not None:
        cell = files.cell(state["recorded"], spot, spot.model)
        if cell is not None:
            return entry | _found(cell, RECORDED, state["recorded"], spot.model, bounds)
        reason += "; the recorded answers do not have it either"
    return entry | {"status": NOT_RUN, "reason": reason}


def _fact(number: Number, state: Mapping, files: Files, paper: Paper) -> dict[str, str]:
    """Return what there is about a printed fact, such as a number of images, which is no result."""
    size = paper.size(number)
    entry = {
        "status": NOT_A_RESULT,
        "reason": "a fact about the paper's data or way of working; not counted here",
    }
    absent = state["absent"] or (size and state["missing"].get(size.table))
    count = files.count(size) if size and not absent and files.has(size.files[0]) else 0
    if count:
        return entry | {
            "value": str(count),
            "agrees": _yes(count == float(number.published)),
            "source_file": size.files[0],
            "reason": "counted among the stimuli of the study",
        }
    if size is not None:
        entry["reason"] = absent or "the study draws none of them"
    elif number.subset in _QUOTED and "accuracy" in number.metric:
        entry["reason"] = "quoted by the paper from elsewhere"
    elif "gain" in number.metric:
        entry["reason"] = "a difference of numbers that have entries of their own"
    return entry


def _found(cell: Cell, status: str, path: str, model: str, bounds) -> dict[str, str]:
    return {
        "value": _printed(cell.value),
        "k": "" if cell.k is None else str(cell.k),
        "n": "" if cell.n is None else str(cell.n),
        "low": "" if cell.low is None else _printed(cell.low),
        "high": "" if cell.high is None else _printed(cell.high),
        "agrees": _yes(agrees(cell.value, bounds)),
        "source_file": path,
        "status": status,
        "measured_model": model,
    }


def _printed(value: float) -> str:
    return f"{value:.{_DECIMALS}f}"


def _yes(answer: bool) -> str:
    return "yes" if answer else "no"
