"""What each stimulus must measure, at native size and resized; the limits are in ``limits.py``.

All values come from the observer, which sees pixels alone. At 672 px, the size the stimuli are
drawn at, a violation is an error of the drawing. At the sizes that models resize to it is a
finding: the value is recorded against a limit of its own per size and flagged.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
from PIL import Image

from afterimage.contract.stimulus import Measured
from afterimage.errors import AfterimageError, unknown_name
from afterimage.suites.illusion_vqa.images import CONDITIONS
from afterimage.suites.illusion_vqa.limits import INVARIANTS, KNOWN_AFTER_RESIZING
from afterimage.suites.illusions.names import GRID_FIGURES, require_illusion
from afterimage.suites.illusions.observer import NATIVE_SIDE_PX, Measurement, measure
from afterimage.suites.illusions.variants import variation

#: Sides that models commonly resize to, px; resized with Pillow's bicubic filter.
RESIZED_PX = (768, 512, 448, 384, 336, 224)


@dataclass(frozen=True)
class Verdict:
    """Whether a measurement keeps its limit.

    Attributes:
        holds: True if it does.
        limit: The limit in words, with units.
        found: What was measured, in words.
    """

    holds: bool
    limit: str
    found: str


def measure_illusion(figure: str, image: np.ndarray) -> Measurement:
    """Measure the feature that an illusion is about.

    Args:
        image: uint8 RGB, shape (height, width, 3), any size from 64 px.

    Raises:
        AfterimageError: The illusion is unknown, or the image does not contain what it is about.
    """
    require_illusion(figure)
    return measure(image, INVARIANTS[figure].feature)


def measure_value(figure: str, image: np.ndarray) -> float:
    """Return the statistic of docs/illusion_figures.md, section 5, for one image, rounded to 4 decimals.

    Degrees between lines; difference in percent of lengths, diameters, areas or distances; sagitta
    in px of the image; CIEDE2000; difference of L*. Never negative. Arguments and errors as
    :func:`measure_illusion`.
    """
    return round(measure_illusion(figure, image).value, 4)


def check(
    figure: str,
    condition: str,
    variant: str,
    measurement: Measurement,
    size: int = NATIVE_SIDE_PX,
    side: int | None = None,
    scale: float | None = None,
) -> Verdict:
    """Judge a measurement by the invariant of its illusion.

    A fake must also differ in the direction of the illusion (docs/illusion_figures.md, section 5).

    Args:
        condition: ``genuine``, ``fake``, ``control_genuine`` or ``control_fake``.
        variant: ``A``, ``B`` or a further one; limits in px are as much smaller as its figure.
        size: Whose limits count: a side in px, native or one of ``RESIZED_PX``.
        side: Side of the measured image in px; by default that size.
        scale: Size of the figure as a fraction of the card's; by default that of the public edition's variant.

    Raises:
        AfterimageError: One of the names is unknown, or there are no limits for the size.
    """
    require_illusion(figure)
    if condition not in CONDITIONS:
        raise unknown_name("condition", condition, CONDITIONS)
    drawn = variation(figure, variant)
    invariant = INVARIANTS[figure]
    is_fake = condition.endswith("fake")
    limits = invariant.fake if is_fake else invariant.neutral
    if size not in limits:
        known = ", ".join(map(str, limits))
        raise AfterimageError(f"no limits for {figure} at {size} px: expected one of {known} px.")
    of_card = drawn.size if scale is None else scale
    bounds = [bound.at((side or size) * of_card) for bound in limits[size]]
    values = [bound.of(measurement) for bound in bounds]
    failed = [
        f"{bound.label} {value:.4g} {bound.unit}".strip()
        for bound, value in zip(bounds, values, strict=True)
        if not bound.low <= value <= bound.high
    ]
    stated = [bound.in_words() for bound in bounds]
    if is_fake:
        wanted = [invariant.illusory[drawn.layout]]
        shown = [measurement.direction]
        if invariant.leaning:
            wanted.append(invariant.leaning[drawn.layout])
            shown.append(measurement.leaning)
        stated.append(f"direction {' '.join(wanted)}")
        if shown != wanted:
            failed.append(f"direction {' '.join(shown)}")
    summary = f"{measurement.value:.4g} {measurement.unit}, {measurement.direction}"
    return Verdict(not failed, "; ".join(stated), "; ".join(failed) or summary)


def judged(
    figure: str, factors: Mapping[str, str], image: np.ndarray, size: int
) -> dict[str, object]:
    """Measure an image and judge it by the limits of a size.

    Args:
        factors: Needs ``condition`` and ``variant``; ``size``, where another edition chose it.
        image: uint8 RGB, shape (height, width, 3), any size from 64 px.
        size: Side in px whose limits count, native or one of ``RESIZED_PX``.

    Returns:
        ``value`` (not a number where nothing could be measured), ``unit``, ``direction`` (the option id that the value
        supports), ``limit``, ``holds`` and ``remark`` (empty if the limit holds).
    """
    try:
        measurement = measure_illusion(figure, image)
    except AfterimageError as error:
        # What cannot be found any more after resizing is a finding as well.
        verdict = Verdict(False, "targets that can be measured", str(error))
        return _columns(Measurement(float("nan"), "", "", ""), verdict, str(error))
    side = min(image.shape[:2])
    scale = float(factors["size"]) if "size" in factors else None
    verdict = check(
        figure, factors["condition"], factors["variant"], measurement, size, side, scale
    )
    known = KNOWN_AFTER_RESIZING.get((figure, size))
    remark = f"found {verdict.found} ({known})" if known else f"found {verdict.found}"
    return _columns(measurement, verdict, "" if verdict.holds else remark)


def _columns(measurement: Measurement, verdict: Verdict, remark: str) -> dict[str, object]:
    return {
        "value": round(measurement.value, 4),
        "unit": measurement.unit,
        "direction": measurement.direction,
        "limit": verdict.limit,
        "holds": verdict.holds,
        "remark": remark,
    }


def measure_stimulus(
    figure: str, pixels: np.ndarray, factors: Mapping[str, str]
) -> Iterator[Measured]:
    """Measure a stimulus at its own size and after bicubic resizing.

    Args:
        pixels: uint8 RGB, shape (672, 672, 3); any size from 64 px where nothing is known of it.
        factors: ``condition`` and ``variant``; without them the value alone is measured.

    Yields:
        What was found at each size, native first; only there it has to hold. Columns: ``condition``, ``size_px`` and
        those of :func:`judged`.

    Raises:
        AfterimageError: A name is unknown or the image has another size.
    """
    if not factors:
        yield Measured(measure_value(figure, pixels))
        return
    if pixels.shape != (NATIVE_SIDE_PX, NATIVE_SIDE_PX, 3):
        raise AfterimageError(
            f"found an array of shape {pixels.shape} instead of {(NATIVE_SIDE_PX, NATIVE_SIDE_PX, 3)}."
        )
    drawn = Image.fromarray(pixels)
    for size in (NATIVE_SIDE_PX, *RESIZED_PX):
        resized = pixels
        if size != NATIVE_SIDE_PX:
            resized = np.asarray(drawn.resize((size, size), Image.Resampling.BICUBIC))
        judgement = judged(figure, factors, resized, size)
        yield Measured(
            judgement["value"],
            str(judgement["limit"]),
            bool(judgement["holds"]),
            str(judgement["remark"]),
            columns={"condition": factors["condition"], "size_px": size, **judgement},
            stops=size == NATIVE_SIDE_PX,
        )


#: The part ``measure`` of each illusion.
MEASURES = {figure: partial(measure_stimulus, figure) for figure in INVARIANTS}


def measure_seen(figure: str, pixels: np.ndarray, factors: Mapping[str, str]) -> Measured:
    """Measure a stimulus and judge it by the limits of the nearest size that has some.

    Args:
        pixels: uint8 RGB, shape (height, width, 3), from 64 px a side.
        factors: Needs ``condition`` and ``variant``.

    Returns:
        Columns as in ``measured.csv``; ``limits_of_px`` is the size whose limits were taken. What cannot be found any
        more does not hold.

    Raises:
        AfterimageError: A name is unknown.
    """
    side = min(pixels.shape[:2])
    size = min((NATIVE_SIDE_PX, *RESIZED_PX), key=lambda known: abs(known - side))
    judgement = judged(figure, factors, pixels, size)
    measured = {name: judgement[name] for name in ("value", "unit", "direction")}
    columns = {"condition": factors["condition"], **measured, "limits_of_px": size, **judgement}
    return Measured(judgement["value"], columns=columns, holds=bool(judgement["holds"]))


#: The part ``measure_seen`` of each illusion.
SEEN_MEASURES = {figure: partial(measure_seen, figure) for figure in GRID_FIGURES}
