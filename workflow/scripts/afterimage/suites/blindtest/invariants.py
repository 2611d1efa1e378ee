"""What each stimulus must measure: the answer that its key says, found in its pixels alone.

A key that the observer does not find is a wrong key or a wrong drawing; either stops the workflow before
anybody is asked about the image.
"""

from collections.abc import Iterable, Mapping

import numpy as np

from afterimage.errors import AfterimageError
from afterimage.suites.blindtest.names import parse_figure
from afterimage.suites.blindtest.observer import measure
from afterimage.suites.blindtest.observer.tasks import find_circled


def require_figure(figure: str) -> None:
    """Check that a figure is one of the suite's: a task, perhaps in a release or a further copy.

    Raises:
        AfterimageError: It is not; the nearest name is suggested.
    """
    parse_figure(figure)


def measure_value(figure: str, image: np.ndarray) -> str:
    """Measure the answer to what a figure's task asks.

    Args:
        figure: Name of the figure, e.g. ``grid`` or ``line_intersection_final``.
        image: uint8 RGB, shape (height, width, 3), of any size from 64 px.

    Returns:
        A count (``2``), ``overlap=No;touch=Yes``, a lower-case letter (``e``), rows x columns
        (``5x6``) or ``AB=0;AC=1;AD=0;BC=0;BD=1;CD=0``.

    Raises:
        AfterimageError: The figure is unknown, or the image does not show what it is about.
    """
    return measure(image, parse_figure(figure).task)


def measure_stimulus(
    figure: str, stimulus_id: str, factors: Mapping[str, str], pixels: np.ndarray
) -> list[dict]:
    """Measure a stimulus and compare it with its key.

    Of a circled letter the place in the word must agree as well: words repeat letters.

    Args:
        figure: Name of the figure.
        stimulus_id: Id of the stimulus, for the row.
        factors: Needs ``truth``, what :func:`measure_value` must find; of a circled letter also
            ``word`` and ``letter_index``.
        pixels: uint8 RGB, shape (height, width, 3).

    Returns:
        One row: ``stimulus_id``, ``figure``, ``width_px``, ``height_px``, ``value`` (empty where
        nothing could be measured), ``expected``, ``holds`` and ``remark`` (empty where it holds).

    Raises:
        AfterimageError: The figure is unknown or the stimulus has no key.
    """
    require_figure(figure)
    if "truth" not in factors:
        raise AfterimageError(
            f"{stimulus_id}.png: found no factor 'truth', expected the answer that the image shows."
        )
    expected = factors["truth"]
    try:
        value = measure_value(figure, pixels)
    except AfterimageError as error:
        value, remark = "", str(error)
    else:
        remark = "" if value == expected else f"found {value}"
        if not remark and parse_figure(figure).task == "circled_letter":
            remark = _displacement(factors, pixels)
    height, width = pixels.shape[:2]
    row = {
        "stimulus_id": stimulus_id,
        "figure": figure,
        "width_px": width,
        "height_px": height,
        "value": value,
        "expected": expected,
        "holds": not remark,
        "remark": remark,
    }
    return [row]


def _displacement(factors: Mapping[str, str], pixels: np.ndarray) -> str:
    """Say at which place of which word the circled letter stands, unless it is the right one."""
    found = find_circled(pixels)
    if (found.word, str(found.index)) == (factors["word"], factors["letter_index"]):
        return ""
    return f"found {found.letter.lower()} at place {found.index} of {found.word}"


def require_native(rows: Iterable[Mapping]) -> None:
    """Check that every stimulus shows what its key says.

    Args:
        rows: Rows of :func:`measure_stimulus`.

    Raises:
        AfterimageError: One does not; names the image, what was found and what was expected.
    """
    violations = [row for row in rows if not row["holds"]]
    if violations:
        first = violations[0]
        others = (
            f" ({len(violations) - 1} more images differ from theirs)" if violations[1:] else ""
        )
        raise AfterimageError(
            f"{first['stimulus_id']}.png: {first['remark'].rstrip('.')}, expected the key "
            f"{first['expected']}{others}."
        )
