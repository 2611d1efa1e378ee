"""Seven classical figures, equal by construction, and their traps, which really differ.

A trap differs in the direction in which the classical figure only seems to (paper, figure 7), so that whoever knows the
figure and does not look is wrong about it. All sizes in px on a canvas of 512 px.
"""

from collections.abc import Callable

from afterimage.contract.drawing import Drawing
from afterimage.suites.illusionbench.figures import area_drawings, line_drawings

_DRAW: dict[str, Callable[[int], Drawing]] = {
    "zoellner": line_drawings.zoellner,
    "vertical_horizontal": line_drawings.vertical_horizontal,
    "mueller_lyer": line_drawings.mueller_lyer,
    "ponzo": line_drawings.ponzo,
    "hermann_grid": area_drawings.hermann_grid,
    "ebbinghaus": area_drawings.ebbinghaus,
    "simultaneous_contrast": area_drawings.simultaneous_contrast,
}


def draw(kind: str, difference_percent: int) -> Drawing:
    """Draw a figure with a true difference of ``difference_percent``."""
    return _DRAW[kind](difference_percent)
