"""An observer of illusion figures that has nothing but the pixels.

It measures the features that the questions ask about (docs/illusion_figures.md, section 5) without the
parameters of the drawing and without knowing which illusion it sees; no module of it imports
drawing code. It proves that the stimuli are what they claim to be, and it is the ideal observer
among the reference responders (section 6): it reports a difference that is below half the fake
difference as neutral.
"""

from afterimage.items.wording import headed_options
from afterimage.seeing.hues import chromatic_plane, strongest_hue
from afterimage.seeing.image import Image, once, require_rgb
from afterimage.suites.illusions.observer import colours, sizes, strokes, textures
from afterimage.suites.illusions.observer.features import (
    FEATURES,
    NATIVE_SIDE_PX,
    Measurement,
    feature_named,
)
from afterimage.suites.illusions.observer.questions import choose, feature_of_question

__all__ = ["FEATURES", "NATIVE_SIDE_PX", "Measurement", "answer", "feature_of_question", "measure"]

_MEASURES = {
    "parallelism": strokes.measure_parallelism,
    "line_length": strokes.measure_line_length,
    "coloured_line_length": strokes.measure_coloured_line_length,
    "line_straightness": strokes.measure_line_straightness,
    "side_straightness": strokes.measure_side_straightness,
    "circle_size": sizes.measure_circle_size,
    "coloured_figure_size": sizes.measure_coloured_figure_size,
    "bar_hue": colours.measure_bar_hue,
    "dot_position": sizes.measure_dot_position,
    "square_saturation": colours.measure_square_saturation,
    "square_lightness": colours.measure_square_lightness,
    "stroke_alignment": strokes.measure_stroke_alignment,
    "gap_width": strokes.measure_gap_width,
    "cord_parallelism": strokes.measure_cord_parallelism,
    "place_lightness": colours.measure_place_lightness,
    "small_square_lightness": colours.measure_small_square_lightness,
    "square_size": sizes.measure_square_size,
    "check_contrast": textures.measure_check_contrast,
    "stripe_evenness": textures.measure_stripe_evenness,
}
_NAMED_BY_COLOUR = ("coloured_line_length", "coloured_figure_size")


def measure(image: Image, feature: str, hues: tuple[str, ...] = ()) -> Measurement:
    """Measure a feature of a figure from its pixels.

    Args:
        image: uint8 RGB, shape (height, width, 3), at least 64 px a side.
        feature: Name of a feature, one of ``FEATURES``.
        hues: Hue words of the targets as the question names them; without them red against blue for
            the features whose targets are named by colour, else the hue that most of the image's
            colour has.

    Returns:
        The measurement; lengths in it are px of this image.

    Raises:
        AfterimageError: The feature or a hue is unknown, the array is no RGB image, or the image
            does not contain what the feature is about.
    """
    require_rgb(image)
    return _measured(image, feature, hues)


@once
def _measured(image: Image, feature: str, hues: tuple[str, ...]) -> Measurement:
    candidates = feature_named(feature).hues
    if not hues and feature in _NAMED_BY_COLOUR:
        hues = ("red", "blue")
    if not hues and feature == "square_saturation":
        hues = candidates
    if not hues and candidates:
        hues = (strongest_hue(chromatic_plane(image), candidates),)
    return _MEASURES[feature](image, hues)


def answer(image: Image, text: str) -> str:
    """Answer a request as the ideal observer: the measured feature, whatever the question calls it.

    Args:
        image: uint8 RGB, shape (height, width, 3).
        text: The request: ``Question: <stem>``, ``Options:`` and one option per line, in any order.

    Returns:
        The full text of one of the options.

    Raises:
        AfterimageError: The text asks about nothing that can be measured, an option says nothing
            about the feature, or the image does not contain what the question is about.
    """
    question, options = headed_options(text)
    feature, hues = feature_of_question(question)
    return choose(feature, measure(image, feature, hues), options)
