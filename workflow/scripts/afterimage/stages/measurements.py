"""Measuring: what the images show, worked out from their pixels alone."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from afterimage.contract.parts import resolve
from afterimage.contract.stimulus import Measured
from afterimage.errors import AfterimageError
from afterimage.files.csv_rows import read_rows, write_csv
from afterimage.stages.stage import Stage, each_suite

if TYPE_CHECKING:
    from afterimage.files.stimulus import Pixels
    from afterimage.stages.running import Files

logger = logging.getLogger(__name__)


# ---- specs and parts ----


# ---- functions of jobs ----


class Measurer(NamedTuple):
    """What measures the images of a figure.

    Attributes:
        measure: Stimulus record and pixels to rows of ``measured.csv``.
        require: Called with all rows; raises where one does not hold that has to.
    """

    measure: Callable[[Mapping[str, Any], Pixels], list[dict[str, Any]]]
    require: Callable[[Sequence[Mapping[str, Any]]], None]


def measurer(spec: Mapping[str, Any]) -> Measurer:
    """Return what measures a figure: ``suite``, ``figure`` and ``measure`` (where this part is)."""
    part = resolve(spec["measure"])
    violations: list[tuple[str, Measured]] = []

    def measure(record: Mapping[str, Any], pixels: Pixels) -> list[dict[str, Any]]:
        found = _found(part, record, pixels)
        violations.extend(
            (record["stimulus_id"], measurement)
            for measurement in found
            if measurement.stops and not measurement.holds
        )
        return [measured_row(record, measurement, pixels) for measurement in found]

    return Measurer(measure, lambda _: _require_none(violations))


def write_measurements(
    figure: str, rows: Sequence[Mapping[str, object]], measured: str | os.PathLike[str]
) -> None:
    """Write what the images of a figure show, one row per measurement."""
    flagged = sum(not row["holds"] for row in rows)
    logger.info("%s: %d measurements, %d outside their limit", figure, len(rows), flagged)
    _write(measured, rows)


def findings(found: Any, factors: Mapping[str, str]) -> list[Measured]:
    """Return what a part ``measure`` found, as a list; a text alone has to be the factor ``truth``."""
    if isinstance(found, str):
        truth = factors.get("truth", "")
        return [Measured(found, truth, found == truth, "" if found == truth else f"found {found}")]
    return [found] if isinstance(found, Measured) else list(found)


def measured_row(record: Mapping[str, Any], found: Measured, pixels: Pixels) -> dict[str, Any]:
    """Return a finding as a row of ``measured.csv``."""
    columns = found.columns
    if columns is None:
        columns = {
            "width_px": pixels.shape[1],
            "height_px": pixels.shape[0],
            "value": found.value,
            "expected": found.expected,
            "holds": found.holds,
            "remark": found.remark,
        }
    return {"stimulus_id": record["stimulus_id"], "figure": record["figure"], **columns}


def _require_none(violations: Sequence[tuple[str, Measured]]) -> None:
    if violations:
        name, first = violations[0]
        others = (
            f" ({len(violations) - 1} more images differ from theirs)" if violations[1:] else ""
        )
        raise AfterimageError(
            f"{name}.png: {first.remark.rstrip('.')}, expected {first.expected}{others}."
        )


def _found(
    measure: Callable[..., object], record: Mapping[str, Any], pixels: Pixels
) -> list[Measured]:
    try:
        return findings(measure(pixels, record["factors"]), record["factors"])
    except AfterimageError as error:
        return [Measured("", record["factors"].get("truth", ""), False, str(error))]


def collect_measurements(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, resources: Mapping[str, Any]
) -> None:
    """Concatenate the measurements of all figures of a suite, in the given order."""
    rows: list[Mapping[str, object]] = []
    for part in inputs["figures"]:
        rows.extend(read_rows(part))
    _write(outputs["measured"], rows)


def _write(path: str | os.PathLike[str], rows: Sequence[Mapping[str, object]]) -> None:
    """Write rows, which may have different columns; what is no number is empty."""
    columns = list(dict.fromkeys(column for row in rows for column in row))
    # Not a number is the one value that differs from itself.
    plain = ({name: "" if value != value else value for name, value in row.items()} for row in rows)
    write_csv(path, plain, columns)


STAGES = (Stage("collect_measurements", collect_measurements, "tables", jobs=each_suite()),)
