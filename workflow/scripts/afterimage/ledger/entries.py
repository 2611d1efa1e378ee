"""One entry for each printed number: what was printed, what a study has, and why it has nothing."""

from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Any

from afterimage.contract.paper import SEEN, SOURCE, CellRef, Number, Paper
from afterimage.ledger.cells import Cell, Files, Standing, row_name, why_not, why_other
from afterimage.ledger.releases import (
    NOTHING_KNOWN,
    OTHER,
    PROVEN,
    SAME_QUESTIONS,
    UNPROVEN,
    Evidence,
    weakest,
)
from afterimage.ledger.verdicts import Judged, Published, of_fact, of_result

MEASURED, RECORDED, NOT_RUN, NOT_A_RESULT = "measured", "recorded", "not_run", "not_a_result"
#: By this study, from what is surely the paper's to what surely is not.
_BY_EVIDENCE = {
    PROVEN: MEASURED,
    SAME_QUESTIONS: SAME_QUESTIONS,
    UNPROVEN: UNPROVEN,
    OTHER: OTHER,
}
_COMPARED = (MEASURED, SAME_QUESTIONS, UNPROVEN)
STATUSES = (*_BY_EVIDENCE.values(), RECORDED, NOT_RUN, NOT_A_RESULT)

#: What is known of a printed number, column to its meaning; the first five are its name.
_PRINTED = {
    "paper": "the paper",
    "table": "its table; `text` for running text",
    "model": "as printed; `none` for a fact, `random` for chance, `human` for people",
    "subset": "which column or part",
    "metric": "what is measured",
    "published": "the printed digits",
    "unit": "`percent`, `points`, `fraction`, `ratio`, `score_0_2` or `count`",
    "denominator": "over how many; empty where the digits do not say",
    "attainable_k": "a count that prints as the value; empty where there is none",
    "misprint": "what is impossible about the number, and what fits",
    "seen": "where the number was seen: `source`, `second_hand` or `read_off_plot`; only `source` gets a verdict",
}
#: The ledger's columns.
COLUMNS = {
    **_PRINTED,
    "value": "this study's value in the published unit",
    "k": "its count, as its table has it",
    "n": "its denominator",
    "low": "lower bound of its interval",
    "high": "upper bound",
    "verdict": "`consistent`, `differs` or `cannot_tell`; empty where none is given",
    "difference": "value minus published, in the published unit",
    "difference_low": "lower bound of the difference, by which the verdict is given",
    "difference_high": "its upper bound",
    "worth": "how many independent answers the study's are worth",
    "published_n": "how many answers the published number is taken to be from",
    "source_file": "the file that holds it",
    "status": "`measured`, `same_questions`, `unproven`, `other_images`, `recorded`, `not_run` or `not_a_result`",
    "reason": "why there is no value or no verdict, or what is not proven of the data; of recorded answers, why the "
    "published number is another",
    "measured_model": "the row's name in the file",
    "published_low": "the published number's own interval",
    "published_high": "its upper bound",
    "published_interval": "where that interval comes from",
}
_DECIMALS = 4
#: Of what prints alike: papers print up to four decimals, and half a unit of the last is a fifth.
_BOUND_DECIMALS = 5
_ASSUMED = "the paper does not say from how many answers: as many as the study's are assumed"
_NO_TABLE = "no table of a study has it"
_UNSEEN = dict(
    zip(
        SEEN,
        ("", "seen in another's account only: not compared", "read off a plot: not compared"),
        strict=True,
    )
)
_QUOTED = ("ai2d", "chartqa", "docvqa", "primitive_shape", "hallusionbench")


def entries(
    numbers: Iterable[Number], everything: Iterable[Number], spec: Mapping[str, Any], files: Files
) -> list[dict[str, str]]:
    """Return the entries of these numbers.

    Args:
        everything: All printed numbers: a number's own uncertainty may rest on others.
        spec: As :func:`stages.ledger.ledger_spec` returns it.

    Returns:
        One mapping per number with the keys :data:`COLUMNS`; what is not there is "". ``value``, ``low`` and ``high``
        are in the published unit, with up to four decimals.
    """
    published = Published(everything, spec["confidence"])
    return [_entry(number, spec["papers"][number.paper], files, published) for number in numbers]


def _entry(number: Number, state: Standing, files: Files, published: Published) -> dict[str, str]:
    entry = dict.fromkeys(COLUMNS, "") | {name: getattr(number, name) for name in _PRINTED}
    paper: Paper = import_module(state["part"])
    ref = paper.cell(number)
    if ref is None and not number.is_result:
        return entry | _fact(number, state, files, paper)
    if number.seen == SOURCE:
        bounds = published.uncertainty(number)
        entry |= {
            "published_low": _printed(bounds.low, _BOUND_DECIMALS),
            "published_high": _printed(bounds.high, _BOUND_DECIMALS),
            "published_interval": bounds.method,
        }
    if ref is not None and not why_not(number, ref, state):
        entry |= _measured(number, ref, state, files, published)
    if entry["status"] in (*_COMPARED, RECORDED):
        return entry
    return entry | _rescored(number, paper, entry, state, files)


def _measured(
    number: Number, ref: CellRef, state: Standing, files: Files, published: Published
) -> dict[str, str]:
    """Return what the study's own table has: the paper's cell, or one about other images.

    About the paper's own images where these are proven and the table has them, else about what is drawn after them.
    """
    if ref.original is not None and _known(ref.original, state).state == PROVEN:
        found = _found_at(number, ref.original, state, files, published)
        if found.get("status") in (MEASURED, RECORDED):
            return found
    return _found_at(number, ref, state, files, published)


def _found_at(
    number: Number, ref: CellRef, state: Standing, files: Files, published: Published
) -> dict[str, str]:
    model = ref.model or f"{row_name(number, ref, state)}{ref.mark}"
    cell = files.cell(ref.file, ref, model) if files.has(ref.file) else None
    if cell is None:
        lacking = f"{files.path(ref.file)} has no value of {model} for it"
        if number.model == "human":
            lacking += "; people have not answered everything (docs/human_forms.md)"
        unfinished = files.unfinished(ref.file, model)
        if unfinished:
            lacking = f"{model} is {unfinished}"
        return {"reason": state["missing"].get(ref.table) or ref.needs or lacking}
    found = _found(cell, files.path(ref.file), model)
    other = why_other(number, ref, model, state, files)
    # What guessing gives does not depend on whose data there are.
    known = Evidence(PROVEN) if number.model == "random" else _known(ref, state)
    if other or known.state == OTHER:
        return found | {"status": OTHER, "reason": other or known.said}
    models = state["models"]
    names = ref.models or (number.model,)
    replayed = any(models[name]["replayed"] for name in names if name in models)
    status = {"status": RECORDED if replayed else _BY_EVIDENCE[known.state]}
    if number.seen != SOURCE:
        return found | status | _because(_UNSEEN[number.seen], known.said)
    if number.model == "random" or ref.is_count:
        return found | status | {"verdict": of_fact(number, cell.value)} | _because(known.said)
    sampled = published.sampled(number)
    judged = of_result(number, cell, sampled, published.confidence, state["margin"])
    assumed = "" if sampled.n or judged.printed_n is None else _ASSUMED
    return found | status | _judged(judged) | _because(assumed, known.said)


def _known(ref: CellRef, state: Standing) -> Evidence:
    """Return the evidence that a cell is about the paper's data; drawn images need none."""
    return weakest(Evidence(*state["data"].get(part, NOTHING_KNOWN)) for part in ref.data)


def _because(*reasons: str) -> dict[str, str]:
    return {"reason": "; ".join(filter(None, reasons))}


def _rescored(
    number: Number, paper: Paper, entry: Mapping[str, str], state: Standing, files: Files
) -> dict[str, str]:
    """Return what rescored recorded answers have of a number that the study did not measure."""
    reason = entry["reason"]
    if not reason:
        ref = paper.cell(number)
        reason = _NO_TABLE if ref is None else why_not(number, ref, state)
    spot = paper.recorded(number) if state["recorded"] else None
    if spot is not None and files.has(state["recorded"]):
        cell = files.cell(state["recorded"], spot, spot.model)
        if cell is not None:
            # These are the paper's own answers: nothing was sampled anew, so they print the same or they differ.
            same = cell.reproduced is True
            return _found(cell, state["recorded"], spot.model) | {
                "status": RECORDED,
                "reason": cell.reason,
                "verdict": "consistent" if same else "differs",
                "difference": _printed(cell.value - float(number.published)),
            }
        reason += "; the recorded answers do not have it either"
    return {"status": entry["status"] or NOT_RUN, "reason": reason}


def _fact(number: Number, state: Standing, files: Files, paper: Paper) -> dict[str, str]:
    """Return what there is about a printed fact, such as a number of images, which is no result."""
    size = paper.size(number)
    entry = {
        "status": NOT_A_RESULT,
        "reason": "a fact about the paper's data or way of working; not counted here",
    }
    absent = state["absent"] or (size and state["missing"].get(size.table))
    count = files.count(size) if size and not absent and files.has(size.files[0]) else 0
    if size and count:
        return entry | {
            "value": str(count),
            "verdict": of_fact(number, count),
            "source_file": files.path(size.files[0]),
            "reason": "counted among the stimuli of the study",
        }
    if size is not None:
        entry["reason"] = absent or "the study draws none of them"
    elif number.subset in _QUOTED and "accuracy" in number.metric:
        entry["reason"] = "quoted by the paper from elsewhere"
    elif "gain" in number.metric:
        entry["reason"] = "a difference of numbers that have entries of their own"
    return entry


def _found(cell: Cell, path: str, model: str) -> dict[str, str]:
    return {
        "value": _printed(cell.value),
        "k": "" if cell.k is None else str(cell.k),
        "n": "" if cell.n is None else str(cell.n),
        "low": _printed(cell.low),
        "high": _printed(cell.high),
        "source_file": path,
        "measured_model": model,
    }


def _judged(judged: Judged) -> dict[str, str]:
    return {
        "verdict": judged.verdict,
        "difference": _printed(judged.difference),
        "difference_low": _printed(judged.low),
        "difference_high": _printed(judged.high),
        "worth": _printed(judged.effective_n),
        "published_n": "" if judged.printed_n is None else str(judged.printed_n),
    }


def _printed(value: float | None, decimals: int = _DECIMALS) -> str:
    return "" if value is None else f"{value:.{decimals}f}"
