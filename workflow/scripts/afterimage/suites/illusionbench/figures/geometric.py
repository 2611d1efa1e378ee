"""Seven classical figures, equal by construction, and their traps, which really differ.

A trap differs in the direction in which the classical figure only seems to (paper, figure 7), so that whoever knows the
figure and does not look is wrong about it. All sizes in px on a canvas of 512 px.
"""

from collections.abc import Callable, Mapping

from afterimage.contract.drawing import Drawing
from afterimage.suites.illusionbench.designs import Design, designs
from afterimage.suites.illusionbench.figures import area_drawings, line_drawings
from afterimage.suites.illusionbench.names import GEOMETRIC
from afterimage.suites.illusionbench.spec import StimulusSpec, joined

_DRAW: dict[str, Callable[[int], Drawing]] = {
    "zoellner": line_drawings.zoellner,
    "vertical_horizontal": line_drawings.vertical_horizontal,
    "mueller_lyer": line_drawings.mueller_lyer,
    "ponzo": line_drawings.ponzo,
    "hermann_grid": area_drawings.hermann_grid,
    "ebbinghaus": area_drawings.ebbinghaus,
    "simultaneous_contrast": area_drawings.simultaneous_contrast,
}
#: What a trap shows: the direction in which its difference goes.
_DIFFERS = {
    "zoellner": "different",
    "vertical_horizontal": "vertical",
    "hermann_grid": "different",
    "mueller_lyer": "upper",
    "ebbinghaus": "right",
    "ponzo": "upper",
    "simultaneous_contrast": "left",
}


def specs(settings: Mapping) -> list[StimulusSpec]:
    """Return the classical figures and their traps; no setting changes them."""
    return [_spec(design) for design in designs(GEOMETRIC)]


def draw(parameters: Mapping) -> Drawing:
    """Draw a figure with a true difference of ``difference_percent``."""
    return _DRAW[parameters["kind"]](parameters["difference_percent"])


def _spec(design: Design) -> StimulusSpec:
    facts = {
        "kind": design.kind,
        "illusion": "present",
        "relation": _DIFFERS[design.kind] if design.difference else "same",
        "cause": "real" if design.difference else "inducer",
        "asked_illusion": "present" if design.asks_present else "absent",
    }
    return StimulusSpec(
        design.stimulus_id,
        {"kind": design.kind, "difference_percent": design.difference},
        {
            "category": design.category,
            "difficulty": design.difficulty,
            "source": "drawn",
            "kind": design.kind,
            "facts": joined(facts),
        },
    )
