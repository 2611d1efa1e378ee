"""The illusions as tests draw them, and graded answers about them."""

from functools import cache

import numpy as np

from afterimage.contract.parts import resolve
from afterimage.contract.stimulus import Drawing, Shown, StimulusSpec
from afterimage.suites.illusion_vqa.images import DESIGN
from afterimage.suites.illusions.names import drawn_by


def specs_of(figure: str) -> list[StimulusSpec]:
    """Return the eight stimuli of an illusion in illusion_vqa."""
    return list(DESIGN.specs(figure, {}))


def draw_illusion(figure: str, parameters: dict) -> Drawing:
    """Draw an illusion from the parameters of a stimulus."""
    return resolve(drawn_by(figure))(**parameters)


@cache
def drawn(figure: str, variant: str, condition: str) -> np.ndarray:
    """Return the pixels of a stimulus; not to be changed."""
    specs = {spec.stimulus_id: spec for spec in specs_of(figure)}
    return draw_illusion(figure, specs[f"{figure}_{variant}_{condition}"].parameters).pixels


def shown(figure: str, spec: StimulusSpec, drawing: Drawing) -> Shown:
    """Return a drawn stimulus as questions see it."""
    return Shown(spec.stimulus_id, factors={**spec.factors, **drawing.factors}, figure=figure)
